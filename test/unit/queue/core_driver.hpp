// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/printing.hpp"
#include "unit/queue/short_name.hpp"
#include <sluice/detail/waiting/hub_registry.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

// Why: the state machine of a queue promises to work without an io_context. This drives
// one with waiters that write down who was told what, in which order; outcomes are short
// texts, so that a test reads like the trace that it checks.

/// The labels of the operations that were told their outcome, in order.
using core_journal = std::vector<std::string>;

template <class T>
struct core_rows
{
    std::vector<T> rows;
};

/// A waiter that writes down that it was told.
template <class Core, class Waiter>
class core_recorder : public Waiter
{
public:
    template <class... Arguments>
    core_recorder(
        Core& core,
        core_journal& journal,
        std::string label,
        Arguments&&... arguments
    )
        : Waiter(std::forward<Arguments>(arguments)...),
          core_(&core),
          journal_(journal),
          label_(std::move(label))
    {
    }

    core_recorder(const core_recorder&) = delete;
    core_recorder& operator=(const core_recorder&) = delete;

    /// Calls `f` when it is told: without the lock, between two pieces of what goes on.
    void when_told(std::function<void()> f) { when_told_ = std::move(f); }

    [[nodiscard]] int deliveries() const noexcept { return deliveries_; }

    [[nodiscard]] int suspensions() const noexcept { return suspensions_; }

    [[nodiscard]] bool abandoned() const noexcept { return abandoned_; }

protected:
    ~core_recorder() { core_->forget(*this); }

private:
    void suspend() noexcept override { ++suspensions_; }

    void deliver(sluice::detail::waiter_list& /*others*/) noexcept override
    {
        ++deliveries_;
        journal_.push_back(label_);
        if (when_told_)
            when_told_();
    }

    void abandon() noexcept override { abandoned_ = true; }

    [[nodiscard]] std::string describe() const override { return label_; }

    boost::intrusive_ptr<Core> core_;
    core_journal& journal_;
    std::string label_;
    std::function<void()> when_told_;
    int deliveries_ = 0;
    int suspensions_ = 0;
    bool abandoned_ = false;
};

/// A producer that records. Its text: "idle", "waits", "waits, 2 in", "ok", "aborted".
template <class Core>
class core_producer final : public core_rows<typename Core::element_type>,
                            public core_recorder<Core, typename Core::producer>
{
    using element = typename Core::element_type;

public:
    core_producer(
        Core& core,
        core_journal& journal,
        std::string label,
        std::vector<element> values
    )
        : core_rows<element>{std::move(values)},
          core_recorder<Core, typename Core::producer>(
              core,
              journal,
              std::move(label),
              std::span<element>(this->rows)
          )
    {
    }

    [[nodiscard]] std::string text() const
    {
        using state = sluice::detail::waiter::phase;
        const state now = this->phase_;
        const std::string in = this->accepted() == 0
                                   ? ""
                                   : ", " + std::to_string(this->accepted()) + " in";
        if (now == state::idle && !this->failed() && this->left() != 0)
            return "idle";
        if (now == state::waiting)
            return "waits" + in;
        return this->failed() ? short_name(this->error()) + in : "ok";
    }
};

/// A consumer that records. Its text: "idle", "waits", "waits [1]", "1", "[1, 2]",
/// "end_of_queue (1 left)", "aborted".
template <class Core>
class core_consumer final : public core_recorder<Core, typename Core::consumer>
{
public:
    using core_recorder<Core, typename Core::consumer>::core_recorder;

    [[nodiscard]] std::string text()
    {
        using state = sluice::detail::waiter::phase;
        const state now = this->phase_;
        if (now == state::idle && !this->failed() && this->held() == 0)
            return "idle";
        if (now == state::waiting)
            return this->held() == 0 ? "waits" : "waits " + to_text(this->batch());
        if (!this->failed())
            return elements();
        std::string text = short_name(this->error());
        if (this->error() == errc::end_of_queue || this->error() == errc::input_failed)
            text += " (" + std::to_string(this->left()) + " left)";
        return this->held() == 0 ? text : text + " with " + elements();
    }

    /// What the consumer has.
    [[nodiscard]] std::string elements()
    {
        if (this->kind() == sluice::detail::demand::one)
            return to_text(this->item());
        return to_text(this->batch());
    }

    /// Whether its time has begun, if it lingers.
    [[nodiscard]] bool lingers() const noexcept { return lingers_; }

private:
    [[nodiscard]] bool linger() noexcept override { return lingers_ = true; }

    bool lingers_ = false;
};

/// An operation as the try_ members make it.
template <class Core, class Waiter>
void try_once(Core& core, Waiter& operation)
{
    (void)core.start(
        operation,
        sluice::detail::delivery::inline_if_ready,
        sluice::detail::wait_mode::tries
    );
}

/// A queue core, the operations started on it, and the order in which they were told.
/** Checks the invariants that can be seen from outside after each step. */
template <class T = int, class Store = fifo_store<T>>
class core_driver
{
public:
    using core_type = sluice::detail::queue_core<T, Store>;
    using producer = core_producer<core_type>;
    using consumer = core_consumer<core_type>;
    using demand = sluice::detail::demand;
    using delivery = sluice::detail::delivery;
    using wait_mode = sluice::detail::wait_mode;

    explicit core_driver(typename Store::options_type options)
        : core_(new core_type(options))
    {
    }

    explicit core_driver(std::size_t capacity)
        : core_driver(typename Store::options_type{.capacity = capacity, .name = "q"})
    {
    }

    core_driver(const core_driver&) = delete;
    core_driver& operator=(const core_driver&) = delete;

    ~core_driver() { core_->detach(); }

    [[nodiscard]] core_type& core() noexcept { return *core_; }

    /// The context of the queue itself.
    void live_in(const void* context)
    {
        core_->attach_home(std::make_shared<sluice::detail::hub_registry>(context));
    }

    // Operations that are not started yet.

    producer& idle_producer(std::string label, const std::vector<int>& values)
    {
        std::vector<T> rows;
        rows.reserve(values.size());
        for (const int value : values)
            rows.push_back(T(value));
        return producers_
            .emplace_back(*core_, journal_, std::move(label), std::move(rows));
    }

    consumer& idle_consumer(std::string label, demand kind, std::size_t count)
    {
        return consumers_.emplace_back(*core_, journal_, std::move(label), kind, count);
    }

    // Operations that are started; they wait if need be and are told through deliver().

    producer& enqueue(
        std::string label,
        const std::vector<int>& values,
        std::source_location where = std::source_location::current()
    )
    {
        return start(idle_producer(std::move(label), values), where);
    }

    consumer& dequeue(
        std::string label,
        std::source_location where = std::source_location::current()
    )
    {
        return start(idle_consumer(std::move(label), demand::one, 1), where);
    }

    consumer& dequeue_many(
        std::string label,
        std::size_t count,
        std::source_location where = std::source_location::current()
    )
    {
        return start(idle_consumer(std::move(label), demand::exactly, count), where);
    }

    consumer& dequeue_lingering(
        std::string label,
        std::size_t count,
        std::source_location where = std::source_location::current()
    )
    {
        return start(idle_consumer(std::move(label), demand::linger, count), where);
    }

    template <class Waiter>
    Waiter& start(
        Waiter& operation,
        std::source_location where = std::source_location::current()
    )
    {
        const bool complete =
            core_->start(operation, delivery::always_posted, wait_mode::waits);
        check(!complete, "a posted operation completed in its caller", where);
        check_invariants(where);
        return operation;
    }

    // Attempts that do not wait.

    /// What a try batch takes.
    std::string take(
        std::size_t max = 1000,
        demand kind = Store::whole_batches ? demand::some : demand::up_to,
        std::source_location where = std::source_location::current()
    )
    {
        sluice::detail::tried_once<typename core_type::consumer> attempt(kind, max);
        try_once(*core_, attempt);
        check_invariants(where);
        return to_text(attempt.batch());
    }

    /// How many rows a try batch puts in.
    std::size_t put(
        const std::vector<int>& values,
        std::source_location where = std::source_location::current()
    )
    {
        std::vector<T> rows;
        rows.reserve(values.size());
        for (const int value : values)
            rows.push_back(T(value));
        sluice::detail::tried_once<typename core_type::producer> attempt{std::span<T>(rows
        )};
        try_once(*core_, attempt);
        check_invariants(where);
        return attempt.accepted();
    }

    // What happens to operations.

    void cancel(
        sluice::detail::waiter& operation,
        error_code why = boost::asio::error::operation_aborted,
        std::source_location where = std::source_location::current()
    )
    {
        core_->cancel(operation, why);
        check_invariants(where);
    }

    /// The time of one that lingers is over.
    void expire(
        sluice::detail::waiter& operation,
        std::source_location where = std::source_location::current()
    )
    {
        core_->expire(operation);
        check_invariants(where);
    }

    void close(
        close_mode mode = close_mode::drain,
        std::exception_ptr cause = nullptr,
        std::source_location where = std::source_location::current()
    )
    {
        core_->close({.mode = mode, .cause = std::move(cause)});
        check_invariants(where);
    }

    // What can be seen.

    [[nodiscard]] std::size_t size() const { return core_->size(); }

    [[nodiscard]] queue_stats stats() const { return core_->stats(); }

    /// Who was told since the last call, in order: "a b c".
    std::string told()
    {
        std::string text;
        for (const std::string& label : journal_)
            text += (text.empty() ? "" : " ") + label;
        journal_.clear();
        return text;
    }

    /// Q5, Q6 and, of Q2, what the statistics show.
    void check_invariants(std::source_location where = std::source_location::current())
        const
    {
        const queue_stats now = stats();
        check(  // what was stored in a queue that is destroyed is destroyed with it
            core_->is_orphaned() || now.enqueued + now.returned ==
                                        now.dequeued + now.dropped + now.size + now.held,
            "Q5: " + std::to_string(now.enqueued) + " enqueued + " +
                std::to_string(now.returned) +
                " returned != " + std::to_string(now.dequeued) + " dequeued + " +
                std::to_string(now.dropped) + " dropped + " + std::to_string(now.size) +
                " stored + " + std::to_string(now.held) + " held",
            where
        );
        check(
            now.waiting_producers == 0 || now.size + now.places >= now.capacity ||
                now.weight > 0,
            "Q2: a producer waits, and there is room",
            where
        );
        check(
            now.held == 0 || now.waiting_consumers != 0,
            "elements are held, and no consumer waits",
            where
        );
        check(
            !now.closed || now.waiting_producers != 0 || now.waiting_consumers == 0,
            "Q6: closed, no producer waits, and a consumer does",
            where
        );
    }

private:
    boost::intrusive_ptr<core_type> core_;
    core_journal journal_;
    std::list<producer> producers_;
    std::list<consumer> consumers_;
};

}  // namespace sluice::test
