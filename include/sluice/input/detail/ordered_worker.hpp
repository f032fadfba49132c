// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/detail/ordered_results.hpp>
#include <sluice/input/detail/transformation.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sluice::detail {

// What the workers of an ordered producer share.
template <class T>
class ordering
{
public:
    ordering(const boost::asio::any_io_executor& executor, const std::string& name)
        : turns_(executor, {.capacity = 1, .name = name}),
          failed_(executor, {.capacity = 1, .name = name})
    {
    }

    // Who has the only place takes an element and its ticket: so tickets are in the order of
    // the input. Fails with errc::queue_closed after a failure.
    auto turn() { return turns_.reserve(); }

    // Never gives an element; fails with errc::end_of_queue after a failure.
    auto failure() { return failed_.dequeue(); }

    // Lets those end who wait for their turn, or for the input.
    void end() noexcept
    {
        turns_.close(close_mode::cancel_pending);
        failed_.close();
    }

    ordered_results<T> results;

private:
    fifo_queue<char> turns_;
    fifo_queue<char> failed_;
};

// The ticket of a worker. If its coroutine is destroyed nobody waits for the result.
template <class T>
class ticket_holder
{
public:
    ticket_holder(ordered_results<T>& results, permit<T>&& place)
        : results_(results), ticket_(results.open(std::move(place)))
    {
    }

    ticket_holder(const ticket_holder&) = delete;
    ticket_holder& operator=(const ticket_holder&) = delete;

    // Without an element only while it is the worker's turn.
    ~ticket_holder()
    {
        if (!ticket_)
            return;
        if (has_element_)
            static_cast<void>(results_.fail(*ticket_, nullptr));
        else
            results_.take_back(*ticket_);
    }

    [[nodiscard]] explicit operator bool() const noexcept { return ticket_.has_value(); }

    void element_taken() noexcept { has_element_ = true; }

    [[nodiscard]] std::exception_ptr finish(std::optional<T>&& result) noexcept
    {
        return results_.finish(*std::exchange(ticket_, std::nullopt), std::move(result));
    }

    [[nodiscard]] std::exception_ptr fail(std::exception_ptr why) noexcept
    {
        return results_.fail(*std::exchange(ticket_, std::nullopt), std::move(why));
    }

private:
    ordered_results<T>& results_;
    std::optional<typename ordered_results<T>::ticket> ticket_;
    bool has_element_ = false;
};

// As transforming_worker, but results leave in the order of the input. One worker at a time
// waits for a place and an element; all compute at the same time.
template <class Input, class Output, class Function>
class ordered_worker
{
    using from = typename Input::value_type;
    using to = typename Output::value_type;

public:
    // `input` must outlive the worker.
    ordered_worker(
        Input& input,
        std::shared_ptr<Output> output,
        std::shared_ptr<ordering<to>> order,
        Function function
    )
        : input_(&input),
          output_(std::move(output)),
          order_(std::move(order)),
          function_(std::move(function))
    {
    }

    boost::asio::awaitable<bool> operator()()
    {
        for (;;) {
            auto [ended, turn] = co_await order_->turn().as_tuple();
            if (ended == errc::queue_closed)
                co_return false;
            if (ended)
                throw system_error(ended);
            permit<to> place = co_await output_->reserve();
            ticket_holder<to> own(order_->results, std::move(place));  // goes before turn
            if (!own)
                co_return false;
            auto taken = co_await select(order_->failure(), input_->dequeue());
            own.element_taken();
            turn.drop();

            std::optional<to> result;
            std::exception_ptr failure;
            try {
                auto& element = std::get<1>(taken);
                if constexpr (called<Function, from>::is_awaitable)
                    keep_result(
                        result,
                        co_await std::invoke(function_, std::move(element))
                    );
                else
                    keep_result(result, std::invoke(function_, std::move(element)));
            } catch (...) {
                failure = std::current_exception();
            }
            const bool has_failed = failure != nullptr;
            failure = has_failed ? own.fail(std::move(failure))
                                 : own.finish(std::move(result));
            if (has_failed)
                order_->end();
            if (failure)
                std::rethrow_exception(failure);
            if (has_failed)
                co_return false;  // whoever delivers the last result before it throws it
        }
    }

private:
    Input* input_;
    std::shared_ptr<Output> output_;
    std::shared_ptr<ordering<to>> order_;
    Function function_;
};

}  // namespace sluice::detail
