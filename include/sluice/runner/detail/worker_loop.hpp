// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/runner/detail/yield_point.hpp>

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// A callable that starts a coroutine, whose result may be whether to call it again.
template <class Operation>
concept repeatable =
    std::invocable<Operation&> && std::move_constructible<Operation> &&
    (std::same_as<std::invoke_result_t<Operation&>, boost::asio::awaitable<void>> ||
     std::same_as<std::invoke_result_t<Operation&>, boost::asio::awaitable<bool>>);

// With this an operation is told that the workers of a run are about to begin, if it has a
// `begin(run_start)`.
struct run_start
{
};

// What a worker of a queue runner does. The loop is what is type-erased, not the operation: so
// each time costs no more than the operation, and the compiler sees both.
class worker_loop
{
public:
    worker_loop() = default;
    worker_loop(const worker_loop&) = delete;
    worker_loop& operator=(const worker_loop&) = delete;
    virtual ~worker_loop() = default;

    // A run begins. No worker of the runner runs.
    virtual void begin(run_start run) noexcept = 0;

    // Repeats the operation until that gives false or throws, or a stop is requested. *this must
    // live until then.
    [[nodiscard]] virtual boost::asio::awaitable<void> run(std::stop_token stop) = 0;
};

template <repeatable Operation>
class worker_loop_of final : public worker_loop
{
public:
    explicit worker_loop_of(Operation&& operation) : operation_(std::move(operation)) {}

    void begin([[maybe_unused]] run_start run) noexcept override
    {
        if constexpr (requires { operation_.begin(run); })
            operation_.begin(run);
    }

    [[nodiscard]] boost::asio::awaitable<void> run(std::stop_token stop) override
    {
        using result = std::invoke_result_t<Operation&>;
        while (!stop.stop_requested()) {
            if constexpr (std::same_as<result, boost::asio::awaitable<bool>>) {
                if (!co_await operation_())
                    co_return;
            } else {
                co_await operation_();
            }
            if (!budget::take())
                co_await yield_point();
        }
    }

private:
    Operation operation_;
};

}  // namespace sluice::detail
