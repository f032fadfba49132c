// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/close_mode.hpp>
#include <sluice/detail/closable.hpp>
#include <sluice/detail/core_parts.hpp>
#include <sluice/detail/shortcut.hpp>
#include <sluice/queue/detail/dequeue_waiter.hpp>
#include <sluice/queue/detail/enqueue_waiter.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

// The state machine of a queue. It knows elements, waiters and closing, and nothing of
// executors or coroutines; tests drive it with waiters that write into a vector.
//
//   open ──close──▶ closed ──▶ drained     elements and waiting producers leave first
//
// (Q1) Only the head of each side is served, producers first, then consumers, until
//      nothing moves (settle); so only the heads can be partly done.
// (Q2) After every critical section neither head can move.
// (Q3) size <= capacity, but for elements that were put back.
// (Q4) The store has room for what the first consumer holds, so that putting it back does
//      not allocate.
// (Q5) enqueued + returned == dequeued + size + held.
// (Q6) Closed, no producer waiting and fewer elements than the first consumer asks for: it
//      is resolved, because nothing more can come.
//
// Capacity 0 is the rendezvous: an element goes from a producer straight to a consumer, and
// the store has only what was put back.
template <class T, element_store<T> Store>
class queue_core final : public closable
{
public:
    using element_type = T;
    using batch_type = typename Store::batch_type;
    using producer = enqueue_waiter<T>;
    using consumer = dequeue_waiter<T>;

    queue_core(Store store, std::size_t capacity, std::string name)
        : store_(std::move(store)), capacity_(capacity), name_(std::move(name))
    {
    }

    // Starting operations -------------------------------------------------------------------

    // The shortcuts: one element, no waiter. Where moving or copying an element may throw they
    // leave it to the waiters, which report that.
    [[nodiscard]] attempt try_push(T&& element) noexcept
    {
        if constexpr (std::is_nothrow_move_constructible_v<T>) {
            mutex_.lock();
            const bool fits = !closed_ && producers_.empty() && room() > 0;
            if (fits && !consumers_.empty())
                return push_settle_unlock(std::move(element));
            const attempt tried = fits ? push(std::move(element))
                                       : failed_attempt(producers_, consumers_);
            mutex_.unlock();
            return tried;
        } else {
            return attempt::unclear;
        }
    }

    [[nodiscard]] attempt try_push(const T& element) noexcept
    {
        if constexpr (std::is_nothrow_copy_constructible_v<T>)
            return try_push(T(element));
        else
            return attempt::unclear;
    }

    [[nodiscard]] attempt try_pop(std::optional<T>& element) noexcept
    {
        if constexpr (std::is_nothrow_move_constructible_v<T>) {
            mutex_.lock();
            const bool has_one = !closed_ && consumers_.empty() &&
                                 store_.available(false) > 0;
            if (has_one && !producers_.empty())
                return pop_settle_unlock(element);
            const attempt tried = has_one ? pop(element)
                                          : failed_attempt(consumers_, producers_);
            mutex_.unlock();
            return tried;
        } else {
            return attempt::unclear;
        }
    }

    // The short way for the common case: complete at once, without lining up. False: nothing
    // has changed, and start() decides.
    [[nodiscard]] bool try_start(producer& p) noexcept
    {
        critical_section section(*this);
        if (closed_ || !producers_.empty() || p.left() == 0 || p.left() > room())
            return false;
        try {
            accept_rows(p);
        } catch (...) {
            p.fail(errc::element_failed, std::current_exception());
        }
        if (!consumers_.empty())
            settle(section);
        return true;
    }

    [[nodiscard]] bool try_start(consumer& c) noexcept
    {
        critical_section section(*this);
        const std::size_t available = store_.available(closed_);
        if (!consumers_.empty() || c.wanted() == 0 || available < least(c) ||
            !is_valid(c) || takes_on(c, available))
            return false;
        try {
            hand_over(c, std::min(available, c.missing()));
        } catch (...) {
            fail_with_current_exception(c);
        }
        if (!producers_.empty())
            settle(section);
        return true;
    }

    // Lines an operation up and settles. True: it is complete and belongs to the caller.
    [[nodiscard]] bool start(producer& p, delivery how, patience waits) noexcept
    {
        critical_section section(*this);
        if ((p.failed() && !has_last_attempt(p, waits)) || p.left() == 0)
            section.decide(p);
        else if (closed_)
            section.decide_failed(p, errc::queue_closed);
        else
            line_up(producers_, p, section);
        return conclude(p, how, waits, section);
    }

    [[nodiscard]] bool start(consumer& c, delivery how, patience waits) noexcept
    {
        critical_section section(*this);
        if (c.failed() && !has_last_attempt(c, waits))
            section.decide(c);
        else if (c.wanted() == 0)
            c.try_claim() ? section.decide(c) : drop(c);
        else if (!is_valid(c))
            section.decide_failed(c, errc::invalid_argument);
        else
            line_up(consumers_, c, section);
        return conclude(c, how, waits, section);
    }

    // A batch operation cut off after one flush: rows that did not go in stay with the
    // caller, elements that were taken stay in the waiter.
    void flush(producer& p) noexcept
    {
        critical_section section(*this);
        if (closed_ || p.left() == 0)
            return;
        line_up(producers_, p, section);
        p.unlink();
        settle(section);
    }

    void flush(consumer& c) noexcept
    {
        critical_section section(*this);
        if (c.wanted() == 0)
            return;
        line_up(consumers_, c, section);
        if (c.is_waiting())
            dequeued_ += c.held();  // no longer held, but delivered
        c.unlink();
        settle(section);
    }

    // Closing -------------------------------------------------------------------------------

    void close(close_mode mode, std::exception_ptr cause) noexcept override
    {
        critical_section section(*this);
        closed_ = true;
        if (cause && !cause_)
            cause_ = std::move(cause);
        if (mode == close_mode::cancel_pending)
            fail_producers(section);
        settle(section);
    }

    // The queue is being destroyed: resolves all waiters and destroys the elements.
    void shut_down() noexcept
    {
        std::optional<Store> discarded;  // destroyed after the lock is released
        critical_section section(*this);
        closed_ = true;
        orphaned_ = true;
        fail_producers(section);
        settle(section);
        discarded.emplace(std::move(store_));
    }

    // Observers -----------------------------------------------------------------------------

    [[nodiscard]] std::size_t size() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return store_.size();
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    [[nodiscard]] bool is_closed() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return closed_;
    }

    [[nodiscard]] bool is_orphaned() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return orphaned_;
    }

    [[nodiscard]] const std::string& name() const noexcept override { return name_; }

    [[nodiscard]] std::string describe() const override
    {
        return "queue '" + name_ + "'";
    }

    // O(number of waiting operations).
    [[nodiscard]] queue_stats stats() const noexcept
    {
        const std::lock_guard lock(mutex_);
        return {
            .size = store_.size(),
            .capacity = capacity_,
            .held = held_by_head(),
            .waiting_producers = producers_.size(),
            .waiting_consumers = consumers_.size(),
            .high_water = high_water_,
            .enqueued = enqueued_,
            .dequeued = dequeued_,
            .returned = returned_,
            .closed = closed_
        };
    }

private:
    using critical_section = wait_hub::critical_section;

    static constexpr bool passes_many =
        requires(Store store, std::span<T> rows, std::vector<T> batch) {
            { store.push_many(rows) } noexcept;
            { store.pop_many(batch, std::size_t{}) } noexcept;
        };

    // Shortcuts -----------------------------------------------------------------------------

    // With a waiter it may succeed: at capacity 0 if somebody waits on the other side, and
    // elsewhere if the first in its own line is a branch that was decided elsewhere.
    [[nodiscard]] attempt failed_attempt(
        const waiter_list& line,
        const waiter_list& others
    ) const noexcept
    {
        const bool waits = !closed_ && others.empty() &&
                           (line.empty() || !line.front().lost_claim());
        return waits ? attempt::must_wait : attempt::unclear;
    }

    attempt push(T&& element) noexcept
    {
        try {
            store_.push(std::move(element));
        } catch (...) {  // no memory, or the store cannot order the element
            return attempt::unclear;
        }
        ++enqueued_;
        high_water_.raise_to(store_.size());
        return attempt::done;
    }

    attempt pop(std::optional<T>& element) noexcept
    {
        try {
            element.emplace(store_.pop());
        } catch (...) {  // the store cannot order its elements
            return attempt::unclear;
        }
        ++dequeued_;
        return attempt::done;
    }

    // Somebody waits on the other side. Out of line, so that the shortcuts stay short.
    [[gnu::noinline]] attempt push_settle_unlock(T&& element) noexcept
    {
        critical_section section(*this, std::adopt_lock);
        try {
            store_.reserve(store_.size() + 1 + held_by_head());  // (Q4)
        } catch (...) {
            return attempt::unclear;
        }
        const attempt tried = push(std::move(element));
        settle(section);
        return tried;
    }

    [[gnu::noinline]] attempt pop_settle_unlock(std::optional<T>& element) noexcept
    {
        critical_section section(*this, std::adopt_lock);
        const attempt tried = pop(element);
        settle(section);
        return tried;
    }

    enum class step : unsigned char
    {
        blocked,
        progressed,
        finished
    };

    // Serving -------------------------------------------------------------------------------

    void settle(critical_section& section) noexcept override
    {
        // Only consumers that moved can have made room for another producer.
        do {
            if (capacity_ == 0)
                rendezvous(section);
            else
                serve_line<producer>(producers_, section);
        } while (serve_line<consumer>(consumers_, section) &&
                 !(producers_.empty() && consumers_.empty()));
    }

    template <class Waiter>
    bool serve_line(waiter_list& line, critical_section& section) noexcept
    {
        bool moved = false;
        step last = step::finished;
        while (last == step::finished && !line.empty()) {
            last = serve(static_cast<Waiter&>(line.front()), section);
            moved = moved || last != step::blocked;
        }
        return moved;
    }

    step serve(producer& p, critical_section& section) noexcept
    {
        if (p.lost_claim())
            return drop_branch(p);
        if (room() == 0)
            return step::blocked;
        if (!p.try_claim())
            return drop_branch(p);
        try {
            accept_rows(p);
        } catch (...) {
            section.decide_failed(p, errc::element_failed, std::current_exception());
            return step::finished;
        }
        if (p.left() > 0)
            return step::progressed;
        section.decide(p);
        return step::finished;
    }

    step serve(consumer& c, critical_section& section) noexcept
    {
        if (c.lost_claim())
            return drop_branch(c);
        const std::size_t available = store_.available(closed_);
        if (takes_on(c, available))
            return hold(c, available, section);
        if (available >= least(c))
            return complete(c, std::min(available, c.missing()), section);
        if (closed_ && no_producer_for(c))
            return resolve_short(c, section);
        if (available == 0 || Store::whole_batches)
            return step::blocked;
        return hold(c, available, section);
    }

    // The first consumer gets all it asked for.
    step complete(consumer& c, std::size_t count, critical_section& section) noexcept
    {
        if (!c.try_claim())
            return drop_branch(c);
        try {
            hand_over(c, count);
        } catch (...) {
            fail_with_current_exception(c);
        }
        section.decide(c);
        return step::finished;
    }

    // The first consumer takes what there is and waits for the rest, so that a batch may
    // exceed the capacity.
    step hold(consumer& c, std::size_t count, critical_section& section) noexcept
    {
        try {
            take(c, count);
            return step::progressed;
        } catch (...) {
            if (!c.try_claim())
                return drop_branch(c);
            fail_with_current_exception(c);
            section.decide(c);
            return step::finished;
        }
    }

    // (Q6)
    step resolve_short(consumer& c, critical_section& section) noexcept
    {
        give_back_held(c);
        if (c.kind() == demand::up_to && store_.size() > 0) {
            c.lower_to(store_.size());
            return step::finished;  // served again, and then it is complete
        }
        if (!c.try_claim())
            return drop_branch(c);
        c.note_left(store_.size());
        section.decide_failed(c, errc::end_of_queue, cause_);
        return step::finished;
    }

    step drop_branch(waiter& w) noexcept
    {
        drop(w);
        return step::finished;
    }

    // Rendezvous ----------------------------------------------------------------------------

    void rendezvous(critical_section& section) noexcept
    {
        // What was put back goes first.
        while (store_.size() == 0 && meet_next(section)) {}
    }

    // Brings the first producer and the first consumer together. Two branches of one select
    // cannot meet, so each of them looks further, as long as (Q1) holds.
    bool meet_next(critical_section& section) noexcept
    {
        for (waiter& first : producers_) {
            auto& p = static_cast<producer&>(first);
            if (&first != &producers_.front() && p.left() > 1)
                continue;
            for (waiter& second : consumers_) {
                auto& c = static_cast<consumer&>(second);
                if (&second != &consumers_.front() && c.missing() > 1)
                    continue;
                if (p.claim_ == nullptr || p.claim_ != c.claim_)
                    return meet(p, c, section);
            }
        }
        return false;
    }

    bool meet(producer& p, consumer& c, critical_section& section) noexcept
    {
        // Neither may pass or take a row for a select that was decided elsewhere.
        if (p.lost_claim() || c.lost_claim()) {
            drop(p.lost_claim() ? static_cast<waiter&>(p) : c);
            return true;
        }
        const bool completes = c.kind() == demand::some || c.missing() == 1;
        claim* const offered = p.claim_;
        claim* const wanted = completes && !c.has_claim_ ? c.claim_ : nullptr;
        if (const claim* lost = claim::try_take_both(offered, wanted)) {
            drop(lost == offered ? static_cast<waiter&>(p) : c);
            return true;
        }
        p.has_claim_ = offered != nullptr;
        c.has_claim_ = c.has_claim_ || wanted != nullptr;
        try {
            p.pass_next([this, &c](T&& row) {
                if (c.kind() != demand::one)  // a batch may hold it for a while
                    store_.reserve(store_.size() + c.held() + 1);  // (Q4)
                c.make_room(1);
                c.take([&row]() -> T&& { return std::move(row); });
            });
        } catch (...) {
            if (c.has_claim_) {  // its other branches are lost, so it must not wait on
                fail_with_current_exception(c);
                section.decide(c);
            }
            section.decide_failed(p, errc::element_failed, std::current_exception());
            return true;
        }
        ++enqueued_;
        if (p.left() == 0)
            section.decide(p);
        if (c.missing() == 0) {
            dequeued_ += c.held();
            section.decide(c);
        }
        return true;
    }

    // Elements ------------------------------------------------------------------------------

    [[nodiscard]] std::size_t room() const noexcept
    {
        return store_.size() < capacity_ ? capacity_ - store_.size() : 0;
    }

    // How many elements must be available for the operation to complete.
    [[nodiscard]] static std::size_t least(const consumer& c) noexcept
    {
        if (c.kind() == demand::some)
            return c.held() > 0 ? 0 : 1;
        return c.missing();
    }

    // At capacity 0 what was put back is in front, and the rest is with the producers (S5).
    [[nodiscard]] bool takes_on(const consumer& c, std::size_t available) const noexcept
    {
        return capacity_ == 0 && c.kind() == demand::some && available > 0 &&
               available < c.missing() && !no_producer_for(c);
    }

    // What must be stored at the same time must fit in.
    [[nodiscard]] bool is_valid(const consumer& c) const noexcept
    {
        return !Store::whole_batches || c.kind() == demand::some ||
               c.wanted() <= capacity_;
    }

    [[nodiscard]] bool no_producer_for(const consumer& c) const noexcept
    {
        return std::all_of(producers_.begin(), producers_.end(), [&c](const waiter& p) {
            return c.claim_ != nullptr && p.claim_ == c.claim_;
        });
    }

    [[nodiscard]] std::size_t held_by_head() const noexcept
    {
        return !core_parts::take_back || consumers_.empty()
                   ? 0
                   : static_cast<const consumer&>(consumers_.front()).held();
    }

    void accept_rows(producer& p)
    {
        std::size_t count = std::min(p.left(), room());
        store_.reserve(store_.size() + count + held_by_head());  // (Q4)
        if constexpr (passes_many) {
            const std::span<T> rows = p.pass_many(count);
            store_.push_many(rows);
            enqueued_ += rows.size();
            count -= rows.size();
        }
        for (; count > 0; --count) {
            p.pass_next([this](T&& row) { store_.push(std::move(row)); });
            ++enqueued_;
        }
        high_water_.raise_to(store_.size());
    }

    void take(consumer& c, std::size_t count)
    {
        const std::size_t both = store_.size() + c.held();
        c.make_room(count);
        if constexpr (passes_many) {
            if (c.kind() != demand::one) {
                store_.pop_many(c.batch(), count);
                return;
            }
        }
        try {
            for (; count > 0; --count)
                c.take([this] { return store_.pop(); });
        } catch (...) {
            dequeued_ += both - store_.size() - c.held();  // (Q5) lost in its move out
            throw;
        }
    }

    void hand_over(consumer& c, std::size_t count)
    {
        take(c, count);
        dequeued_ += c.held();
    }

    void fail_with_current_exception(consumer& c) noexcept
    {
        give_back_held(c);
        c.fail(errc::element_failed, std::current_exception());
    }

    // Back to the front, in order. There is room (Q4), so only the move of an element can
    // throw, and an element that cannot be moved is lost.
    void give_back_held(consumer& c) noexcept
    {
        c.give_back([this](T&& element) {
            try {
                store_.put_back(std::move(element));
            } catch (...) {
                ++dequeued_;  // (Q5)
            }
        });
        high_water_.raise_to(store_.size());
    }

    // Lines ---------------------------------------------------------------------------------

    // Puts a waiter at the end of a line. The first may begin if something fits in or is there;
    // behind others it cannot move, and then nothing else can (Q2). But a branch of a select may
    // be decided elsewhere, and at capacity 0 those behind may meet somebody.
    void line_up(waiter_list& line, waiter& target, critical_section& section) noexcept
    {
        const bool is_first = line.empty();
        append(line, target);
        if (capacity_ == 0 || line.front().claim_ != nullptr ||
            (is_first && (&line == &producers_ ? room() > 0
                                               : closed_ || store_.available(false) > 0)))
            settle(section);
    }

    void fail_producers(critical_section& section) noexcept
    {
        while (!producers_.empty()) {
            waiter& p = producers_.front();
            if (p.try_claim())
                section.decide_failed(p, errc::queue_closed);
            else
                drop(p);
        }
    }

    void withdraw(waiter& target) noexcept override
    {
        if (target.line_ == consumer::line)
            give_back_held(static_cast<consumer&>(target));
    }

    bool reclaim(waiter& target) noexcept override
    {
        if (target.line_ != consumer::line)
            return false;  // an element that is in the queue stays there: success stands
        auto& c = static_cast<consumer&>(target);
        try {
            store_.reserve(store_.size() + c.held() + held_by_head());
        } catch (...) {
            return false;  // no room to take it back: the consumer keeps it, nothing is lost
        }
        returned_ += c.held();
        give_back_held(c);
        return true;
    }

    void collect(const void* context, waiter_list& abandoned) noexcept override
    {
        // With its own context the queue dies for everybody.
        const void* const whose = context == home_context() ? nullptr : context;
        collect_from(producers_, whose, abandoned);
        collect_from(consumers_, whose, abandoned);
    }

    // All guarded by mutex_, but for the constants.
    Store store_;
    const std::size_t capacity_;
    const std::string name_;
    waiter_list producers_;
    waiter_list consumers_;
    std::exception_ptr cause_;  // what a consumer is told after the drain
    statistic<std::size_t> high_water_;
    statistic<std::uint64_t> enqueued_;
    statistic<std::uint64_t> dequeued_;
    statistic<std::uint64_t> returned_;
    closed_flag closed_;
    bool orphaned_ = false;
};

}  // namespace sluice::detail
