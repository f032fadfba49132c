// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>
#include <sluice/input/detail/ordered_results.hpp>
#include <sluice/input/detail/transformation.hpp>
#include <sluice/queue/event.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/semaphore.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sluice::detail {

// What the workers of an ordered producer share.
template <class Core, class T>
class ordering
{
public:
    // Elements return to `input` after a failure; null if the function takes them over.
    ordering(
        const boost::asio::any_io_executor& executor,
        const std::string& name,
        boost::intrusive_ptr<Core> input
    )
        : results(std::move(input)),
          turns_(executor, {.permits = 1, .name = name}),
          has_failed_(executor, {.name = name})
    {
    }

    void begin_run() noexcept
    {
        has_failed_.reset();
        results.begin_run();
    }

    // The worker with the only permit takes an element and its ticket: so tickets are in the order
    // of the input.
    auto turn() { return turns_.acquire(); }

    // Completes after a failure, for the one whose turn it is. Others find nothing to open.
    auto failure() { return has_failed_.wait(); }

    // Lets the worker end that waits for the input.
    void end() noexcept { has_failed_.set(); }

    ordered_results<Core, T> results;

private:
    semaphore turns_;
    event has_failed_;
};

// The ticket of a worker, and the element. If its coroutine is destroyed nothing waits for the
// result, and the element returns.
template <class Core, class T>
class ticket_holder
{
    using results_type = ordered_results<Core, T>;
    using element_type = typename results_type::element_type;

public:
    ticket_holder(results_type& results, permit<T>&& place)
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
            static_cast<void>(fail(nullptr));
        else
            results_.take_back();
    }

    [[nodiscard]] explicit operator bool() const noexcept { return ticket_.has_value(); }

    void put_element(element_type&& element) noexcept
    {
        element_.emplace(std::move(element));
        has_element_ = true;
    }

    // Until it is taken over.
    [[nodiscard]] const element_type& element() const noexcept { return *element_; }

    [[nodiscard]] element_type take_element() noexcept
    {
        element_type taken = std::move(*element_);
        element_.reset();
        return taken;
    }

    [[nodiscard]] std::exception_ptr finish(std::optional<T>&& result) noexcept
    {
        return results_.finish(take_ticket(), std::move(element_), std::move(result));
    }

    [[nodiscard]] std::exception_ptr fail(std::exception_ptr why) noexcept
    {
        return results_.fail(take_ticket(), std::move(element_), std::move(why));
    }

private:
    [[nodiscard]] typename results_type::ticket take_ticket() noexcept
    {
        return *std::exchange(ticket_, std::nullopt);
    }

    results_type& results_;
    std::optional<typename results_type::ticket> ticket_;
    std::optional<element_type> element_;
    bool has_element_ = false;  // also one that was taken over
};

// As transforming_worker, but results leave in the order of the input. One worker at a time
// waits for a place and an element; all compute at the same time.
template <class Input, class Output, class Function>
class ordered_worker
{
    using from = typename Input::value_type;
    using to = typename Output::value_type;
    using core_type = core_of<Input>;
    using ordering_type = ordering<core_type, to>;

    // The function looks at an element, or at a copy of it. Otherwise the element is moved into
    // it, and does not return.
    static constexpr bool looks_on = transformation<Function, const from&, to>;

public:
    // What the workers of one producer share.
    [[nodiscard]] static std::shared_ptr<ordering_type> make_order(
        Input& input,
        const Output& output
    )
    {
        return std::make_shared<ordering_type>(
            output.get_executor(),
            output.name() + " (order)",
            looks_on ? &queue_access::core(input) : nullptr
        );
    }

    // `input` must outlive the worker.
    ordered_worker(
        Input& input,
        std::shared_ptr<Output> output,
        std::shared_ptr<ordering_type> order,
        Function function
    )
        : input_(&input),
          output_(std::move(output)),
          order_(std::move(order)),
          function_(std::move(function))
    {
    }

    // Each worker is told, and none of them runs.
    void begin(run_start /*run*/) noexcept { order_->begin_run(); }

    boost::asio::awaitable<bool> operator()()
    {
        for (;;) {
            auto [ended, turn] = co_await order_->turn().as_tuple();
            if (ended == errc::queue_closed)
                co_return false;
            if (ended)
                throw system_error(ended);
            permit<to> place = co_await output_->reserve();
            holder own(order_->results, std::move(place));  // goes before turn
            if (!own)
                co_return false;
            auto taken = co_await select(order_->failure(), input_->dequeue());
            if (taken.index() == 0)
                co_return false;
            own.put_element(std::get<1>(std::move(taken)));
            turn.release();

            std::optional<to> result;
            std::exception_ptr failure;
            try {
                decltype(auto) element = argument_from(own);
                using argument = decltype(element);
                if constexpr (called<Function, argument>::is_awaitable)
                    keep_result(
                        result,
                        co_await std::invoke(function_, std::forward<argument>(element))
                    );
                else
                    keep_result(
                        result,
                        std::invoke(function_, std::forward<argument>(element))
                    );
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
                co_return false;  // the worker of the last result before it throws it
        }
    }

private:
    using holder = ticket_holder<core_type, to>;

    // What the function is called with: a reference to the element, or the element.
    [[nodiscard]] static decltype(auto) argument_from(holder& own) noexcept
    {
        if constexpr (looks_on)
            return own.element();
        else
            return own.take_element();
    }

    Input* input_;
    std::shared_ptr<Output> output_;
    std::shared_ptr<ordering_type> order_;
    Function function_;
};

}  // namespace sluice::detail
