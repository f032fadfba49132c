// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/detail/transformation.hpp>
#include <sluice/queue/permit.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace sluice::detail {

// A worker of a producer: an operation of a queue_runner. It has a place for the result before
// it takes an element, and awaits nothing between the two but the function of the program; so
// a stop finds no element in its hand.
template <class Input, class Output, class Function>
class transforming_worker
{
    using from = typename Input::value_type;
    using to = typename Output::value_type;

public:
    // `input` must outlive the worker.
    transforming_worker(Input& input, std::shared_ptr<Output> output, Function function)
        : input_(&input), output_(std::move(output)), function_(std::move(function))
    {
    }

    // Loops by itself, which saves a coroutine for each element; a stop closes the output.
    boost::asio::awaitable<void> operator()()
    {
        for (;;) {
            permit<to> place = co_await output_->reserve();
            from element = co_await input_->dequeue();
            std::optional<to> result;
            if constexpr (called<Function, from>::is_awaitable)
                keep_result(result, co_await std::invoke(function_, std::move(element)));
            else
                keep_result(result, std::invoke(function_, std::move(element)));
            if (result)
                place.fill(std::move(*result));
        }
    }

private:
    Input* input_;
    std::shared_ptr<Output> output_;
    Function function_;
};

}  // namespace sluice::detail
