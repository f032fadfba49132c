// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage.hpp>

#include "pipeline/by_element.hpp"

#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

asio::awaitable<void> stage::finish(stage_context& /*context*/)
{
    co_return;
}

asio::awaitable<void> transform::work(stage_context& context)
{
    const element_function function = [this](element&& in, std::vector<element>& out) {
        apply(std::move(in), out);
    };
    co_await work_by_element(context, function);
}

}  // namespace sluice::pipeline
