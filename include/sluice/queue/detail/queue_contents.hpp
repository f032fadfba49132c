// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/queue/detail/dequeue_waiter.hpp>
#include <sluice/queue/detail/enqueue_waiter.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/element_weight.hpp>
#include <sluice/queue/queue_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    static_assert(
        std::is_nothrow_move_constructible_v<T>,
        "the elements of a queue need a move constructor that cannot throw, or some "
        "would be lost when it does: declare it noexcept, or let the queue have "
        "std::unique_ptr<T>"
    );

public:
    using producer = enqueue_waiter<T>;
    using consumer = dequeue_waiter<T>;

    queue_contents(
        Store store,
        std::size_t capacity,
        std::size_t weight_limit = unbounded
    )
        : store_(std::move(store)),
          capacity_(capacity),
          weight_limit_(weight_limit),
          limit_(capacity)
    {
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    [[nodiscard]] std::size_t size() const noexcept { return store_.size(); }

    [[nodiscard]] std::size_t available(bool closed) const noexcept
    {
        return store_.available(closed);
    }

    [[nodiscard]] std::size_t room() const noexcept
    {
        return store_.size() < limit_ ? limit_ - store_.size() : 0;
    }

    // How many are kept for elements that come later.
    [[nodiscard]] std::size_t places() const noexcept { return capacity_ - limit_; }

    // Rarely, and others must not pay for it: what is done to weigh lies apart from the rest.
    [[nodiscard]] bool is_weighed() const noexcept
    {
        return __builtin_expect(weight_limit_ != unbounded, false) != 0;
    }

    [[nodiscard]] std::size_t weight() const noexcept { return weight_; }
    [[nodiscard]] std::size_t weight_limit() const noexcept { return weight_limit_; }

    // Whether its weight lets a row in. While nothing can be taken out it does, whatever the row
    // weighs: nobody could make room for it.
    [[nodiscard]] bool weight_allows(const T& row) const noexcept
    {
        return !is_weighed() || store_.available(false) == 0 ||
               (weight_ <= weight_limit_ &&
                element_weight<T>::of(row) <= weight_limit_ - weight_);
    }

    // What will come into a place is not known; it is weighed when it comes.
    [[nodiscard]] bool weight_allows_place() const noexcept
    {
        return weight_ < weight_limit_ || store_.available(false) == 0;
    }

    [[nodiscard]] bool weight_allows(const producer& p) const noexcept
    {
        return !is_weighed() ||
               (p.asks_for_place() ? weight_allows_place() : weight_allows(p.next()));
    }

    // Whether all rows that are left can come in at once. Of several that are weighed nobody
    // knows before they do.
    [[nodiscard]] bool takes_all(const producer& p) const noexcept
    {
        return p.left() <= room() &&
               (!is_weighed() || (p.left() == 1 && weight_allows(p)));
    }

    // How many were accepted, delivered to consumers, and given back by those.
    [[nodiscard]] std::uint64_t enqueued() const noexcept { return enqueued_; }
    [[nodiscard]] std::uint64_t dequeued() const noexcept { return dequeued_; }
    [[nodiscard]] std::uint64_t returned() const noexcept { return returned_; }
    [[nodiscard]] std::size_t high_water() const noexcept { return high_water_; }

    // Without a waiter. What fails here is tried again with one, which reports it. An element
    // is not weighed: where it has to be, the caller does.
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

    void note_weight_in(std::size_t weight) noexcept
    {
        if (is_weighed())
            weight_ += weight;
    }

    void note_weight_out(const T& element) noexcept
    {
        if (is_weighed())
            weight_ -= element_weight<T>::of(element);
    }

    // 0 if nobody asks.
    [[nodiscard]] std::size_t weight_of(const T& element) const noexcept
    {
        return is_weighed() ? element_weight<T>::of(element) : 0;
    }

    // Makes room for `added` elements, for those that come into the places that are kept, and for
    // what the first consumer `holds`, so that neither filling those nor putting this back
    // allocates.
    void reserve(std::size_t added, std::size_t holds)
    {
        store_.reserve(store_.size() + added + places() + holds);
    }

    // There is room. Strong.
    void take_place(std::size_t holds)
    {
        reserve(1, holds);
        --limit_;
    }

    void free_place() noexcept { ++limit_; }

    // Nobody will fill them.
    void free_all_places() noexcept { limit_ = capacity_; }

    // Strong: a comparison may throw.
    void fill_place(T&& element)
    {
        push_weighed(std::move(element));
        ++limit_;
        ++enqueued_;
        note_size();
    }

    // Lets as many rows in as there is room for, the first whatever it weighs. Basic: those that
    // are in stay in.
    void accept_rows(producer& p, std::size_t holds)
    {
        if (p.asks_for_place()) {
            take_place(holds);
            p.take_place();
            return;
        }
        std::size_t count = std::min(p.left(), room());
        reserve(count, holds);
        if (is_weighed())
            return accept_weighed_rows(p, count);
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
        if (is_weighed())
            return take_weighed(c, count);
        if constexpr (passes_many) {
            if (c.kind() != demand::one) {
                store_.pop_many(c.batch(), count);
                return;
            }
        }
        for (; count > 0; --count)
            c.take(store_.pop());
    }

    // What a consumer holds is its own from now on.
    void note_delivered(const consumer& c) noexcept { dequeued_ += c.held(); }

    // What was delivered comes back.
    void note_returned(const consumer& c) noexcept { returned_ += c.held(); }

    // Back to the front, in order. There is room.
    void give_back(consumer& c) noexcept
    {
        c.give_back([this](T&& element) {
            note_weight_in(weight_of(element));
            store_.put_back(std::move(element));
        });
        note_size();
    }

    [[nodiscard]] Store take_store() noexcept
    {
        weight_ = 0;
        return std::move(store_);
    }

private:
    static constexpr bool passes_many =
        requires(Store store, std::span<T> rows, std::vector<T> batch) {
            { store.push_many(rows) } noexcept;
            { store.pop_many(batch, std::size_t{}) } noexcept;
        };

    // Strong.
    void push_weighed(T&& element)
    {
        const std::size_t weight = weight_of(element);
        store_.push(std::move(element));
        note_weight_in(weight);
    }

    [[gnu::cold]] void accept_weighed_rows(producer& p, std::size_t count)
    {
        do {
            p.pass_next([this](T&& row) { push_weighed(std::move(row)); });
            ++enqueued_;
            note_size();
        } while (--count > 0 && weight_allows(p.next()));
    }

    [[gnu::cold]] void take_weighed(consumer& c, std::size_t count)
    {
        for (; count > 0; --count) {
            T element = store_.pop();
            note_weight_out(element);
            c.take(std::move(element));
        }
    }

    void note_size() noexcept
    {
        if (store_.size() > high_water_)
            high_water_ = store_.size();
    }

    Store store_;
    const std::size_t capacity_;
    const std::size_t weight_limit_;  // `unbounded` if elements are not weighed
    std::size_t limit_;               // the capacity without the places that are kept
    std::size_t weight_ = 0;          // of the elements in the store, if they are weighed
    std::size_t high_water_ = 0;
    std::uint64_t enqueued_ = 0;
    std::uint64_t dequeued_ = 0;
    std::uint64_t returned_ = 0;
};

}  // namespace sluice::detail
