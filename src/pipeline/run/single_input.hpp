// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_context.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// The context of a worker, but with given elements as all of its input.
class single_input final : public stage_context
{
public:
    // The context must outlive this.
    single_input(stage_context& context, std::vector<element> input)
        : context_(context), input_(std::move(input))
    {
    }

    [[nodiscard]] const std::string& runner() const noexcept override
    {
        return context_.runner();
    }

    [[nodiscard]] std::size_t worker() const noexcept override
    {
        return context_.worker();
    }

    [[nodiscard]] std::stop_token stop_token() const noexcept override
    {
        return context_.stop_token();
    }

    [[nodiscard]] bool has_output() const noexcept override
    {
        return context_.has_output();
    }

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> read(std::size_t /*max*/
    ) override
    {
        co_return std::exchange(input_, {});
    }

    using stage_context::read_up_to;

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> read_up_to(
        std::size_t /*count*/
    ) override
    {
        co_return std::exchange(input_, {});
    }

    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override
    {
        return context_.write(elements);
    }

    [[nodiscard]] output& out() const noexcept override { return context_.out(); }

private:
    boost::asio::awaitable<void> run_blocking(std::function<void()> function) override
    {
        co_await context_.blocking([&function] { function(); });
    }

    stage_context& context_;
    std::vector<element> input_;
};

}  // namespace sluice::pipeline
