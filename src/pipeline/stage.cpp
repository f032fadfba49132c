// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage.hpp>

#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<void> stage::finish(stage_context& /*context*/)
{
    co_return;
}

asio::awaitable<void> transform::work(stage_context& context)
{
    std::vector<element> out;
    while (true) {
        std::vector<element> in = co_await context.read();
        if (in.empty())
            co_return;
        for (element& each : in) {
            apply(std::move(each), out);
            if (out.size() >= stage_context::batch_size)  // so that memory stays bounded
                co_await context.write(out);
        }
        if (!out.empty())
            co_await context.write(out);
    }
}

}  // namespace sluice::pipeline
