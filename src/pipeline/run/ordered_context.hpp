// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/forwarding_context.hpp"
#include "pipeline/run/result_order.hpp"
#include "pipeline/run/worker_clock.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::pipeline {

// The context of one of several workers whose results are to be in the order of the input. What
// it writes after a read, until the next one, is the result of what that read gave.
class ordered_context final : public forwarding_context
{
public:
    // All of them must outlive this. The clock is that of the worker.
    ordered_context(stage_context& context, result_order& order, worker_clock& clock)
        : forwarding_context(context), order_(order), clock_(clock)
    {
    }

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(read_request request
    ) override;
    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override;

    // The worker writes nothing more.
    [[nodiscard]] boost::asio::awaitable<void> end();

private:
    result_order& order_;
    worker_clock& clock_;
    std::optional<result_order::ticket> ticket_;  // of what was read last
};

}  // namespace sluice::pipeline
