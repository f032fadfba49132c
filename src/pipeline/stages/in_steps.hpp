// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

namespace sluice::pipeline {

// Calls a function on the thread of the worker that may block, until it returns false. A stop
// ends that between two calls, so each should take a fraction of a second.
template <class Step>
[[nodiscard]] boost::asio::awaitable<void> in_steps(stage_context& context, Step step)
{
    while (co_await context.blocking([&step] { return step(); })) {}
}

}  // namespace sluice::pipeline
