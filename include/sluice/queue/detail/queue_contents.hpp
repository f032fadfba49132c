// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/detail/element_waiters.hpp>
#include <sluice/queue/detail/queue_limits.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

// What a queue stores, its figures, and the ways of an element between a waiter and the store.
// It knows neither who waits nor who is next. Moving an element cannot throw; copying one,
// comparing two and taking memory can, and then nothing has changed.
template <class T, element_store<T> Store>
class queue_contents
{
public:
    using producer = enqueue_waiter<T>;
    using consumer = dequeue_waiter<T>;

    queue_contents(Store store, const queue_limits& limits)
        : store_(std::move(store)),
          when_full_(limits.when_full),
          weight_(limits.weight),
          capacity_(limits.capacity)
    {
        note_places();
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    // Whether an enqueue into a full queue does not wait.
    [[nodiscard]] bool drops() const noexcept { return when_full_ != overflow::wait; }

    [[nodiscard]] std::size_t weight() const noexcept { return weight_.value(); }

    // How many places are kept for elements that come later.
    [[nodiscard]] std::size_t places() const noexcept { return places_; }

    [[nodiscard]] std::size_t size() const noexcept { return store_.size(); }

    [[nodiscard]] std::size_t available(bool closed) const noexcept
    {
        return store_.available(closed);
    }

    // For elements of any weight. Where elements are weighed there is none, so that only those
    // queues pay for it: lets_in_weighed() is asked then.
    [[nodiscard]] std::size_t room() const noexcept
    {
        return is_full() ? 0 : open_ - size();
    }

    [[nodiscard]] bool is_full() const noexcept { return size() >= open_; }

    // Nothing is kept, lent or weighed. While something is, the fast path is closed, because an
    // element that took it would take memory that is kept for others.
    [[nodiscard]] bool is_quiet() const noexcept
    {
        return open_ == capacity_ && lent_ == 0;
    }

    [[nodiscard]] bool is_weighed() const noexcept { return weight_.is_limited(); }

    // Nothing but the capacity says what comes in.
    [[nodiscard]] bool has_capacity_only() const noexcept
    {
        return !is_weighed() && !drops();
    }

    // Whether the next row of a producer, or its place, may come in where elements are weighed. One
    // that `is_needed` may have any weight: a consumer cannot move without it.
    [[nodiscard]] bool lets_in_weighed(const producer& p, bool is_needed) const noexcept
    {
        const std::size_t left = available(false);
        return vacancies() > 0 &&
               (is_needed ||
                (p.asks_for_place() ? weight_.allows_place(left)
                                    : weight_.allows(p.rows_left().front(), left)));
    }

    // Of a queue that is weighed a single place is asked for.
    [[nodiscard]] bool has_places(std::size_t count) const noexcept
    {
        return is_weighed() ? vacancies() > 0 && weight_.allows_place(available(false))
                            : room() >= count;
    }

    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

    // All but who waits, and how the queue ended.
    [[nodiscard]] queue_stats stats() const noexcept
    {
        return {
            .size = size(),
            .capacity = capacity_,
            .places = places_,
            .high_water = high_water_,
            .enqueued = enqueued_,
            .dequeued = dequeued_,
            .returned = returned_,
            .weight = weight_.value(),
            .weight_limit = weight_.limit(),
            .dropped = dropped_
        };
    }

    // Without a waiter, into room(). What fails here is tried again with one, which reports it.
    [[gnu::always_inline]] attempt push(T&& element) noexcept
    {
        try {
            store_.push(std::move(element));
        } catch (...) {
            return attempt::unclear;
        }
        ++enqueued_;
        note_size();
        return attempt::done;
    }

    [[gnu::always_inline]] attempt push(const T& element) noexcept
    {
        return push(T(element));
    }

    // Of a queue that is weighed note_gone() has to follow.
    [[gnu::always_inline]] attempt pop(std::optional<T>& element) noexcept
    {
        try {
            element.emplace(store_.pop());
        } catch (...) {
            return attempt::unclear;
        }
        ++dequeued_;
        return attempt::done;
    }

    void note_gone(const T& element) noexcept { weight_.remove(element, store_.size()); }

    // Makes room for `added` elements, for what is kept, and for what the first consumer `holds`,
    // so that neither filling nor putting back allocates.
    void reserve(std::size_t added, std::size_t holds)
    {
        store_.reserve(size() + added + kept() + holds);
    }

    // There is room. Strong.
    void take_places(std::size_t count, std::size_t holds)
    {
        reserve(count, holds);
        places_ += count;
        note_places();
    }

    void free_places(std::size_t count) noexcept
    {
        places_ -= count;
        note_places();
    }

    // Strong: a comparison may throw.
    void fill_place(T&& element)
    {
        push_weighed(std::move(element));
        free_places(1);
    }

    // Lets as many rows in as there is room for, but not more than `most`; or one that is let in
    // although there is no room, and those behind it that their weight allows. Basic: those that
    // are in stay in.
    void accept_rows(producer& p, std::size_t holds, std::size_t most = unbounded)
    {
        std::size_t count = std::min(std::min(p.left(), room()), most);
        if (count == 0 || p.asks_for_place())
            return accept_other(p, holds, most);
        reserve(count, holds);
        if constexpr (passes_many) {
            if (count > 1) {
                push_many(p, count);
                count = 0;
            }
        }
        for (; count > 0; --count) {
            p.pass_next([this](T&& row) { store_.push(std::move(row)); });
            ++enqueued_;
        }
        note_size();
    }

    // From a producer straight to a consumer. Strong.
    void pass(producer& p, consumer& c)
    {
        if (c.kind() != demand::one)  // a batch may hold it for a while
            reserve(1, c.held());
        c.make_room(1);
        p.pass_next([&c](T&& row) { c.take(std::move(row)); });
        ++enqueued_;
    }

    // Basic: the consumer has what was taken so far.
    void take(consumer& c, std::size_t count)
    {
        c.make_room(count);
        if constexpr (passes_many) {
            if (c.kind() != demand::one) {
                const std::size_t before = c.batch().size();
                store_.pop_many(c.batch(), count);
                if (is_weighed())  // by index: std::vector<bool> has no span
                    for (std::size_t i = before; i < c.batch().size(); ++i)
                        note_gone(c.batch()[i]);
                return;
            }
        }
        for (; count > 0; --count)
            c.take(is_weighed() ? pop_weighed() : store_.pop());
    }

    // All that it asked for, or a failure.
    void deliver(consumer& c, std::size_t count) noexcept
    {
        try {
            take(c, count);
            note_delivered(c);
        } catch (...) {
            fail(c);
        }
    }

    // With the current exception.
    void fail(consumer& c) noexcept
    {
        give_back(c);
        c.fail(errc::element_failed, std::current_exception());
    }

    // Whether what must be stored at the same time can be.
    [[nodiscard]] bool fits(const consumer& c) const noexcept
    {
        return !Store::whole_batches || c.kind() == demand::some ||
               c.wanted() <= capacity();
    }

    // What a consumer holds is its own from now on. A batch that cannot be made of it comes back.
    void note_delivered(const consumer& c) noexcept
    {
        dequeued_ += c.held();
        lent_ += lent_to(c);
    }

    // Back to the front, in order. There is room. `Holder` has what was taken.
    template <class Holder>
    void give_back(Holder& holder) noexcept
    {
        holder.give_back([this](T&& element) {
            weight_.add(weight_.of(element));
            store_.put_back(std::move(element));
        });
        note_size();
    }

    // The same for what was delivered.
    template <class Holder>
    void take_back(Holder& holder) noexcept
    {
        const std::size_t before = store_.size();
        give_back(holder);
        returned_ += store_.size() - before;
    }

    // Takes back what was decided, if that is possible. An element that is in the queue stays
    // there, and one for which there is no room stays with its consumer.

    [[nodiscard]] bool reclaim(producer& p) noexcept
    {
        if (p.places() == 0)
            return false;
        free_places(p.leave_places());
        return true;
    }

    [[nodiscard]] bool reclaim(consumer& c, std::size_t holds) noexcept
    {
        end_loan(lent_to(c));  // for which there is room
        try {
            reserve(c.held(), holds);
        } catch (...) {
            return false;
        }
        take_back(c);
        return true;
    }

    // Loans ---------------------------------------------------------------------------------

    // Elements are lent that were delivered and may have to come back.

    // A batch is made without the lock, by code of the program if it is padded.
    static constexpr bool makes_batches_safely =
        std::is_nothrow_constructible_v<typename Store::batch_type, std::vector<T>&&>;

    // How many of what was delivered to a consumer are.
    [[nodiscard]] static std::size_t lent_to(const consumer& c) noexcept
    {
        return makes_batches_safely || c.kind() == demand::one ? 0 : c.held();
    }

    // Strong.
    void lend(std::size_t count, std::size_t holds)
    {
        reserve(count, holds);
        lent_ += count;
    }

    void end_loan(std::size_t count) noexcept { lent_ -= count; }

    // What an overflow drops, which is moved to `bin`: the element that would leave next, or the
    // next row, which counts as accepted. Strong.
    void drop_one(producer& p, dropped_elements<T>& bin)
    {
        bin.make_room();
        if (when_full_ == overflow::drop_oldest && size() > 0) {
            bin.add(pop_weighed());
        } else {
            p.drop_next([&bin](T&& row) { bin.add(std::move(row)); });
            ++enqueued_;
        }
        ++dropped_;
    }

    // Drops all that is stored. Both leave room as reserve() does, and return what is to be
    // destroyed without the lock. Strong.
    [[nodiscard]] auto clear(std::size_t holds)
    {
        const std::size_t count = size();
        auto former = store_.clear(kept() + holds);
        dropped_ += count;
        weight_.clear();
        return former;
    }

    [[nodiscard]] auto shrink_to_fit(std::size_t holds)
    {
        return store_.shrink_to_fit(size() + kept() + holds);
    }

    [[nodiscard]] Store take_store() noexcept
    {
        weight_.clear();
        return std::move(store_);
    }

private:
    static constexpr bool passes_many =
        requires(Store store, std::span<T> rows, std::vector<T> batch) {
            { store.push_many(rows) } noexcept;
            { store.pop_many(batch, std::size_t{}) } noexcept;
        };

    // Places, or one row and those behind it that their weight allows.
    void accept_other(producer& p, std::size_t holds, std::size_t most)
    {
        if (p.asks_for_place()) {
            take_places(p.left(), holds);
            p.take_places();
            return;
        }
        if constexpr (passes_many) {
            if (const std::size_t count = light_rows(p, most); count > 1) {
                reserve(count, holds);
                for (const T& row : p.rows_left().first(count))
                    weight_.add(weight_.of(row));
                push_many(p, count);
                note_size();
                return;
            }
        }
        reserve(1, holds);
        p.pass_next([this](T&& row) { push_weighed(std::move(row)); });
    }

    // Of a producer whose first row is let in: how many there are with those behind it that
    // capacity and weight allow.
    [[nodiscard]] std::size_t light_rows(const producer& p, std::size_t most)
        const noexcept
    {
        const std::span<const T> rows = p.rows_left();
        const std::size_t end = std::min({rows.size(), most, vacancies()});
        stored_weight<T> sum = weight_;
        std::size_t count = 0;
        do
            sum.add(sum.of(rows[count]));
        while (++count < end && sum.allows(rows[count], count));
        return count;
    }

    // Several rows, for which there is memory.
    void push_many(producer& p, std::size_t count) noexcept
        requires passes_many
    {
        store_.push_many(p.pass_many(count));
        enqueued_ += count;
    }

    // Strong.
    void push_weighed(T&& element)
    {
        const std::size_t weight = weight_.of(element);
        store_.push(std::move(element));
        weight_.add(weight);
        ++enqueued_;
        note_size();
    }

    [[nodiscard]] T pop_weighed()
    {
        T element = store_.pop();
        note_gone(element);
        return element;
    }

    // Room by number alone.
    [[nodiscard]] std::size_t vacancies() const noexcept
    {
        return capacity_ - std::min(capacity_, places_ + size());
    }

    // For so many there must be memory that are not stored.
    [[nodiscard]] std::size_t kept() const noexcept { return places_ + lent_; }

    // Where elements are weighed there is no room() by number alone.
    void note_places() noexcept { open_ = is_weighed() ? 0 : capacity_ - places_; }

    void note_size() noexcept
    {
        if (store_.size() > high_water_)
            high_water_ = store_.size();
    }

    Store store_;
    const overflow when_full_;
    stored_weight<T> weight_;
    const std::size_t capacity_;
    std::size_t open_;        // the capacity without the places
    std::size_t places_ = 0;  // kept for elements that come later
    std::size_t lent_ = 0;    // elements that may come back
    std::size_t high_water_ = 0;
    std::uint64_t enqueued_ = 0;
    std::uint64_t dequeued_ = 0;
    std::uint64_t returned_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace sluice::detail
