// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "schedules/disordered_context.hpp"
#include "schedules/schedule.hpp"
#include "support/message_of.hpp"
#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/error.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace sluice::schedules {

using task = asio::awaitable<void>;

// Why: what all scenarios need. A task that does not end by itself is a hang (P3).

/// One run of a scenario: its choices, its tasks, and what was wrong.
class world
{
public:
    explicit world(schedule& order) : order_(order), context_(order)
    {
        detail::budget::reset();
        context_.when_idle([this] {
            const bool is_due = !deadlines_.empty() &&
                                *deadlines_.begin() <= std::chrono::steady_clock::now();
            demand(!is_due, "a deadline has passed, and nothing happens");
        });
    }

    world(const world&) = delete;
    world& operator=(const world&) = delete;

    /// A property of this run.
    std::size_t below(std::size_t count) { return order_.choose(count); }

    bool flip() { return below(2) == 1; }

    [[nodiscard]] asio::any_io_executor executor()
    {
        if (runs_inline_)
            return context_.get_executor();
        return asio::require(context_.get_executor(), asio::execution::blocking.never);
    }

    /// From now on executors do not even run inline what a strand would let them.
    void run_nothing_inline() noexcept { runs_inline_ = false; }

    /// Nothing in this scenario has a deadline.
    void stop_time() noexcept { context_.set_last_deadline(0); }

    /// Deadlines in this scenario are up to so many ticks away; by default one.
    void set_last_deadline(std::size_t after) noexcept
    {
        context_.set_last_deadline(after);
    }

    /// Starts a task, which has to end, and without an exception.
    template <class Body>
    void spawn(std::string name, Body body)
    {
        spawn_with(asio::cancellation_slot(), std::move(name), std::move(body));
    }

    /// Starts a task that is cancelled at some moment, or not. Asio's coroutines must have
    /// begun before.
    template <class Body>
    void spawn_cancelled(std::string name, Body body)
    {
        asio::cancellation_signal& signal = signals_.emplace_back();
        spawn_with(signal.slot(), std::move(name), [this, &signal, body]() -> task {
            if (flip())
                asio::post(executor(), [&signal] {
                    signal.emit(asio::cancellation_type::terminal);
                });
            co_await body();
        });
    }

    /// In a task: lets others go first, a few times.
    task pause()
    {
        for (std::size_t turns = 1 + below(4); turns > 0; --turns)
            co_await asio::post(executor(), asio::use_awaitable);
    }

    /// Deadlines of what has not ended.
    [[nodiscard]] auto& deadlines() noexcept { return deadlines_; }

    /// Runs everything to its end.
    void run()
    {
        context_.run();
        for (const entry& t : tasks_)
            demand(t.ended, t.name + " has not ended");
    }

    void demand(bool holds, const std::string& what)
    {
        if (!holds && problem_.empty())
            problem_ = what;
    }

    /// The first demand that was not met; empty if all were.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    struct entry
    {
        std::string name;
        bool ended = false;
    };

    template <class Body>
    void spawn_with(asio::cancellation_slot slot, std::string name, Body body)
    {
        entry& started = tasks_.emplace_back(entry{std::move(name)});
        asio::co_spawn(
            executor(),
            std::move(body),
            asio::bind_cancellation_slot(
                slot,
                [this, &started](const std::exception_ptr& exception) {
                    started.ended = true;
                    demand(
                        !exception || is_cancellation(exception),
                        started.name + ": " +
                            (exception ? sluice::test::message_of(exception) : "")
                    );
                }
            )
        );
    }

    static bool is_cancellation(const std::exception_ptr& exception)
    {
        return sluice::detail::code_of(exception, {}) == asio::error::operation_aborted;
    }

    schedule& order_;
    bool runs_inline_ = true;
    std::string problem_;
    std::multiset<std::chrono::steady_clock::time_point> deadlines_;
    std::deque<entry> tasks_;  // a deque keeps its values where they are
    std::deque<asio::cancellation_signal> signals_;
    disordered_context context_;
};

/// Something that is in one place at a time. Moved away it has the number 0.
class element
{
public:
    explicit element(int number) noexcept : number_(number) {}
    element(element&& other) noexcept : number_(std::exchange(other.number_, 0)) {}
    element& operator=(element&& other) noexcept
    {
        number_ = std::exchange(other.number_, 0);
        return *this;
    }
    ~element() = default;

    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

/// Where every element has been (P1, P2): what was accepted is delivered or left, once; what
/// was not is with its producer.
class ledger
{
public:
    explicit ledger(world& w) : world_(w) {}

    [[nodiscard]] element make()
    {
        const int number = static_cast<int>(entries_.size()) + 1;
        entries_[number];
        return element(number);
    }

    /// What an enqueue said of an element, and what it left of it.
    void settle(int number, const element& rest, bool accepted)
    {
        entries_.at(number).accepted = accepted;
        if (accepted)
            world_.demand(rest.number() == 0, name(number) + " is in and here");
        else
            world_.demand(
                rest.number() == number,
                name(number) + " is neither in nor here"
            );
    }

    void deliver(const element& e)
    {
        const auto found = entries_.find(e.number());
        if (found == entries_.end())
            return world_.demand(false, "something was delivered that is nothing");
        world_.demand(
            !found->second.delivered,
            name(e.number()) + " was delivered twice"
        );
        found->second.delivered = true;
    }

    /// At the end, when everything that was left has been delivered, too.
    void close()
    {
        for (const auto& [number, e] : entries_) {
            world_.demand(!e.accepted || e.delivered, name(number) + " was lost");
            world_.demand(e.accepted || !e.delivered, name(number) + " was not accepted");
        }
    }

private:
    struct entry
    {
        bool accepted = false;
        bool delivered = false;
    };

    static std::string name(int number) { return "element " + std::to_string(number); }

    world& world_;
    std::map<int, entry> entries_;
};

}  // namespace sluice::schedules
