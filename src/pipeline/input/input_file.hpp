// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unique_descriptor.hpp"
#include "pipeline/input/gzip_decoder.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sluice::pipeline {

// An open file, pipe or standard input; what is compressed with gzip is uncompressed, which
// is decided by its first bytes and not by its name.
class input_file
{
public:
    // Opens it; "-" is standard input. Throws an error with its name.
    explicit input_file(const std::string& path);

    // Its name in messages.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    // Whether read() would wait for somebody to write.
    [[nodiscard]] bool would_wait() const;

    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }

    // Reads once, and gives the number of bytes, which may be 0; nothing at the end.
    [[nodiscard]] std::optional<std::size_t> read(std::span<char> content);

    // How many bytes of the file have been read since the last call.
    [[nodiscard]] std::size_t take_progress() noexcept;

private:
    [[nodiscard]] std::optional<std::size_t> read_raw(std::span<char> bytes);
    [[nodiscard]] std::optional<std::size_t> read_first(std::span<char> content);
    [[nodiscard]] std::optional<std::size_t> read_gzip(std::span<char> content);

    std::string name_;
    io::unique_descriptor descriptor_;
    bool is_regular_ = false;             // a read never waits for somebody else
    bool at_start_ = true;                // whether it is gzip is not known yet
    std::string first_;                   // what has been read until then
    std::unique_ptr<gzip_decoder> gzip_;  // null: it is not compressed
    std::size_t progress_ = 0;            // see take_progress()
};

}  // namespace sluice::pipeline
