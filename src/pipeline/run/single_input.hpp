// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/forwarding_context.hpp"

#include <utility>
#include <vector>

namespace sluice::pipeline {

// The context of a worker, but with given elements as all of its input.
class single_input final : public forwarding_context
{
public:
    // The context must outlive this.
    single_input(stage_context& context, std::vector<element> input)
        : forwarding_context(context), input_(std::move(input))
    {
    }

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(
        read_request /*request*/
    ) override
    {
        co_return std::exchange(input_, {});
    }

private:
    std::vector<element> input_;
};

}  // namespace sluice::pipeline
