// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "schedules/manual_time.hpp"
#include "schedules/schedule.hpp"

#include <boost/asio/execution.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::schedules {

namespace asio = boost::asio;

// Why: an io_context runs what is ready in the order in which it became ready, but an executor
// promises no order. On several threads any other may happen, and rarely does.

/// Runs ready handlers in an order that a schedule chooses, on one thread. Timers are those of
/// an io_context: that time passes is one of the choices.
class disordered_context
{
public:
    class executor_type;

    explicit disordered_context(schedule& order) : order_(order) {}

    [[nodiscard]] executor_type get_executor() noexcept;

    /// The last deadline passes after so many ticks; 0: nothing waits for time to pass. Longer
    /// ones, of an hour, do not pass.
    void set_last_deadline(std::size_t after) noexcept { last_deadline_ = after; }

    /// Called when time has passed and nothing has become ready by that.
    void when_idle(std::function<void()> call) { idle_ = std::move(call); }

    /// Until nothing is ready and no timer will be due.
    void run()
    {
        std::size_t idle_ticks = 0;  // since something was ready
        for (;;) {
            const bool time_may_pass = idle_ticks < last_deadline_;
            const std::size_t choices = ready_.size() + (time_may_pass ? 1 : 0);
            if (choices == 0)
                return;
            const std::size_t chosen = choices == 1 ? 0 : order_.choose(choices);
            if (chosen == ready_.size()) {
                pass_one_tick();
                run_timers();
                if (ready_.empty() && idle_)
                    idle_();
                ++idle_ticks;
            } else {
                run_ready(chosen);
                idle_ticks = 0;
            }
        }
    }

private:
    struct handler
    {
        handler() = default;
        handler(const handler&) = delete;
        handler& operator=(const handler&) = delete;
        virtual ~handler() = default;

        virtual void call() = 0;
    };

    template <class Function>
    struct handler_of final : handler
    {
        explicit handler_of(Function&& f) : function(std::move(f)) {}
        explicit handler_of(const Function& f) : function(f) {}

        void call() override { std::move(function)(); }

        Function function;
    };

    void run_ready(std::size_t index)
    {
        const auto at = ready_.begin() + static_cast<std::ptrdiff_t>(index);
        const std::unique_ptr<handler> next = std::move(*at);
        ready_.erase(at);
        next->call();
    }

    // The reactor looks at its timers when a microsecond of real time has passed, and then at
    // all that are due by now; one of our own tells when that is.
    void run_timers()
    {
        bool has_looked = false;
        asio::steady_timer due(timers_, std::chrono::steady_clock::now());
        due.async_wait([&has_looked](const auto&) { has_looked = true; });
        timers_.restart();
        while (!has_looked)
            timers_.run_one();
        timers_.poll();
    }

    schedule& order_;
    std::size_t last_deadline_ = 1;  // in ticks
    std::function<void()> idle_;
    asio::io_context timers_;
    std::vector<std::unique_ptr<handler>> ready_;  // before the context, as its own would
};

class disordered_context::executor_type
{
public:
    explicit executor_type(disordered_context& context, bool may_block = true) noexcept
        : context_(&context), may_block_(may_block)
    {
    }

    template <class Function>
    void execute(Function&& function) const
    {
        using stored = handler_of<std::decay_t<Function>>;
        context_->ready_.push_back(
            std::make_unique<stored>(std::forward<Function>(function))
        );
    }

    [[nodiscard]] asio::execution_context& query(asio::execution::context_t
    ) const noexcept
    {
        return context_->timers_;
    }

    // Never inline here, but a strand on top may run at once what is dispatched inside it.
    [[nodiscard]] asio::execution::blocking_t query(asio::execution::blocking_t
    ) const noexcept
    {
        if (may_block_)
            return asio::execution::blocking.possibly;
        return asio::execution::blocking.never;
    }

    [[nodiscard]] executor_type require(asio::execution::blocking_t::never_t
    ) const noexcept
    {
        return executor_type(*context_, false);
    }

    [[nodiscard]] executor_type require(asio::execution::blocking_t::possibly_t
    ) const noexcept
    {
        return executor_type(*context_, true);
    }

    friend bool operator==(const executor_type&, const executor_type&) = default;

private:
    disordered_context* context_;
    bool may_block_;
};

inline disordered_context::executor_type disordered_context::get_executor() noexcept
{
    return executor_type(*this);
}

}  // namespace sluice::schedules
