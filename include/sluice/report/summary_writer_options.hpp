// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace sluice {

/// The options of a summary_writer.
struct summary_writer_options
{
    /// How long a summary may stay in memory before it is written. 10 seconds by default; zero or
    /// less: each is written at once. After a failure the next attempt follows after the same time,
    /// but not within a second.
    std::chrono::steady_clock::duration flush_interval = std::chrono::seconds(10);

    /// The most bytes of summaries that wait in memory to be written; a scalar takes about 60
    /// bytes and its tag. 4 MiB by default. Half of it is written without waiting for the
    /// flush_interval. A summary that does not fit is dropped and counted. The memory behind it may
    /// be four times as large.
    std::size_t buffer_limit = std::size_t(4) << 20U;

    /// The first step that a program repeats which goes on from a checkpoint, the one after that
    /// of the checkpoint. TensorBoard then drops what older files of the directory have at this
    /// step and later, in all curves. None by default: a run that begins anew.
    std::optional<std::int64_t> resume_step = std::nullopt;

    /// Called with the first failure to write, and with the first one after a success: to log it.
    /// None by default. Called on the thread of the writer, which writes nothing until it returns;
    /// must not flush or destroy the writer. What it throws is ignored.
    std::function<void(error_code)> on_error = nullptr;
};

}  // namespace sluice
