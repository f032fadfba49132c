// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/worker_function_stage.hpp"

#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<void> worker_function_stage::work(stage_context& context)
{
    const function apply = make_function();
    std::vector<element> out;
    while (true) {
        std::vector<element> in = co_await context.read();
        if (in.empty())
            co_return;
        for (element& each : in)
            apply(std::move(each), out);
        if (!out.empty())
            co_await context.write(out);
    }
}

}  // namespace sluice::pipeline
