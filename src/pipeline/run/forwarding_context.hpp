// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage_context.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// Another context, for those that change a part of it.
class forwarding_context : public stage_context
{
public:
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

    [[nodiscard]] bool has_input() const noexcept override
    {
        return context_.has_input();
    }

    [[nodiscard]] bool has_output() const noexcept override
    {
        return context_.has_output();
    }

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(read_request request
    ) override
    {
        return context_.take(request);
    }

    [[nodiscard]] std::string_view remote_input() const noexcept override
    {
        return context_.remote_input();
    }

    [[nodiscard]] std::span<const element_key> keys() const noexcept override
    {
        return context_.keys();
    }

    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override
    {
        return context_.write(elements);
    }

    [[nodiscard]] error_action on_error() const noexcept override
    {
        return context_.on_error();
    }

    [[nodiscard]] boost::asio::awaitable<void> skip(element refused, std::string reason)
        override
    {
        return context_.skip(std::move(refused), std::move(reason));
    }

    [[nodiscard]] output& out() const noexcept override { return context_.out(); }

protected:
    // The context must outlive this.
    explicit forwarding_context(stage_context& context) : context_(context) {}

    [[nodiscard]] stage_context& context() const noexcept { return context_; }

private:
    boost::asio::awaitable<void> run_blocking(std::function<void()> function) override
    {
        co_await context_.blocking([&function] { function(); });
    }

    stage_context& context_;
};

}  // namespace sluice::pipeline
