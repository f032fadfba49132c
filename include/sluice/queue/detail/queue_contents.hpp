// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/queue/detail/dequeue_waiter.hpp>
#include <sluice/queue/detail/dropped_elements.hpp>
#include <sluice/queue/detail/enqueue_waiter.hpp>
#include <sluice/queue/detail/queue_limits.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/element_weight.hpp>

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
//
// Few queues weigh their elements, and the others must not pay for it. So one that does has no
// room(), and whoever finds none asks it for more, out of line.
template <class T, element_store<T> Store>
class queue_contents
{
public:
    using producer = enqueue_waiter<T>;
    using consumer = dequeue_waiter<T>;

    queue_contents(Store store, const queue_limits& limits)
        : store_(std::move(store)), limits_(limits)
    {
        note_places();
    }

    [[nodiscard]] const queue_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] std::size_t capacity() const noexcept { return limits_.capacity; }

    [[nodiscard]] std::size_t size() const noexcept { return store_.size(); }

    [[nodiscard]] std::size_t available(bool closed) const noexcept
    {
        return store_.available(closed);
    }

    // For elements of any weight.
    [[nodiscard]] std::size_t room() const noexcept
    {
        return store_.size() < limit_ ? limit_ - store_.size() : 0;
    }

    // No place is kept, nothing is lent, and nothing is weighed.
    [[nodiscard]] bool is_quiet() const noexcept
    {
        return limit_ == limits_.capacity && lent_ == 0;
    }

    // How many are kept for elements that come later.
    [[nodiscard]] std::size_t places() const noexcept { return places_; }

    // Weight --------------------------------------------------------------------------------

    [[nodiscard]] bool is_weighed() const noexcept
    {
        return __builtin_expect(limits_.weight != unbounded, false) != 0;
    }

    // Here, because the class may be named before the weight is specialised.
    [[nodiscard]] static std::size_t weight_of(const T& element) noexcept
    {
        static_assert(
            noexcept(element_weight<T>::of(element)),
            "element_weight<T>::of is called under the lock of a queue, where it must "
            "not throw: declare it noexcept"
        );
        return element_weight<T>::of(element);
    }

    // Of what is stored.
    [[nodiscard]] std::size_t weight() const noexcept { return weight_; }

    // Room by number, of one that is weighed.
    [[nodiscard]] bool has_vacancy() const noexcept
    {
        return places_ + store_.size() < limits_.capacity;
    }

    // Whether the next row of a producer is light enough. While nothing can be taken out it is,
    // whatever it weighs: nobody could make room for it.
    [[nodiscard, gnu::cold]] bool weight_allows(const producer& p) const noexcept
    {
        if (p.asks_for_place())
            return weight_allows_place();
        return store_.available(false) == 0 ||
               (weight_ <= limits_.weight &&
                weight_of(p.next()) <= limits_.weight - weight_);
    }

    // What will come into it is not known; it is weighed when it comes.
    [[nodiscard]] bool weight_allows_place() const noexcept
    {
        return weight_ < limits_.weight || store_.available(false) == 0;
    }

    // Of one that is weighed a single place is asked for.
    [[nodiscard]] bool has_places(std::size_t count) const noexcept
    {
        return is_weighed() ? has_vacancy() && weight_allows_place() : room() >= count;
    }

    // After it has left. One that has become heavier takes no more away than there is, and where
    // nothing is left nothing weighs: so an error does not last (S26).
    void note_gone(const T& element) noexcept
    {
        const std::size_t rest = store_.size() > 0 ? weight_ : 0;
        weight_ = rest - std::min(rest, weight_of(element));
    }

    // How many were accepted, delivered to consumers, given back by those, and dropped.
    [[nodiscard]] std::uint64_t enqueued() const noexcept { return enqueued_; }
    [[nodiscard]] std::uint64_t dequeued() const noexcept { return dequeued_; }
    [[nodiscard]] std::uint64_t returned() const noexcept { return returned_; }
    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
    [[nodiscard]] std::size_t high_water() const noexcept { return high_water_; }

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

    // Of one that is weighed note_gone() has to follow.
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

    // Makes room for `added` elements, for those that come into the places that are kept, for
    // those that are lent, and for what the first consumer `holds`, so that neither filling nor
    // putting back allocates.
    void reserve(std::size_t added, std::size_t holds)
    {
        store_.reserve(store_.size() + added + places_ + lent_ + holds);
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

    // Nobody will fill them.
    void free_all_places() noexcept
    {
        places_ = 0;
        note_places();
    }

    // Strong: a comparison may throw.
    void fill_place(T&& element)
    {
        push_weighed(std::move(element));
        free_places(1);
    }

    // Lets as many rows in as there is room for, but not more than `most`; or one, if there is no
    // room but weight_allows(). Basic: those that are in stay in.
    void accept_rows(producer& p, std::size_t holds, std::size_t most = unbounded)
    {
        std::size_t count = std::min(std::min(p.left(), room()), most);
        if (count == 0 || p.asks_for_place())
            return accept_other(p, holds);
        reserve(count, holds);
        if constexpr (passes_many) {
            if (count > 1) {
                const std::span<T> rows = p.pass_many(count);
                store_.push_many(rows);
                enqueued_ += rows.size();
                count -= rows.size();
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
            if (is_weighed())
                weight_ += weight_of(element);
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

    // Loans ---------------------------------------------------------------------------------

    // Elements are lent that were delivered and may have to come back: the store keeps their
    // room. As long as there are any the fast path is closed, as for places.

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

    // What an overflow drops is moved to `bin`, which makes room for it first. Strong, both.

    // The element that would leave next.
    void drop_stored(dropped_elements<T>& bin)
    {
        bin.make_room();
        bin.add(pop_weighed());
        ++dropped_;
    }

    // The next row, which counts as accepted.
    void drop_row(producer& p, dropped_elements<T>& bin)
    {
        bin.make_room();
        p.drop_next([&bin](T&& row) { bin.add(std::move(row)); });
        ++enqueued_;
        ++dropped_;
    }

    // Drops all that is stored. Both leave room as reserve() does, and return what is to be
    // destroyed without the lock. Strong.
    [[nodiscard]] auto clear(std::size_t holds)
    {
        const std::size_t count = size();
        auto former = store_.clear(places_ + lent_ + holds);
        dropped_ += count;
        weight_ = 0;
        return former;
    }

    [[nodiscard]] auto shrink_to_fit(std::size_t holds)
    {
        return store_.shrink_to_fit(size() + places_ + lent_ + holds);
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

    // Of a queue that is weighed none, so that it is neither quiet nor has room().
    void note_places() noexcept
    {
        limit_ = is_weighed() ? 0 : limits_.capacity - places_;
    }

    // Places, or a row that its weight allows.
    [[gnu::cold]] void accept_other(producer& p, std::size_t holds)
    {
        if (p.asks_for_place()) {
            take_places(p.left(), holds);
            p.take_places();
            return;
        }
        reserve(1, holds);
        p.pass_next([this](T&& row) { push_weighed(std::move(row)); });
    }

    // Strong.
    [[gnu::cold]] void push_weighed(T&& element)
    {
        const std::size_t weight = is_weighed() ? weight_of(element) : 0;
        store_.push(std::move(element));
        weight_ += weight;
        ++enqueued_;
        note_size();
    }

    [[nodiscard, gnu::cold]] T pop_weighed()
    {
        T element = store_.pop();
        if (is_weighed())
            note_gone(element);
        return element;
    }

    [[gnu::cold]] void take_weighed(consumer& c, std::size_t count)
    {
        for (; count > 0; --count)
            c.take(pop_weighed());
    }

    void note_size() noexcept
    {
        if (store_.size() > high_water_)
            high_water_ = store_.size();
    }

    Store store_;
    const queue_limits limits_;
    std::size_t limit_;  // the capacity without the places that are kept; 0 if weighed
    std::size_t high_water_ = 0;
    std::uint64_t enqueued_ = 0;
    std::uint64_t dequeued_ = 0;
    std::uint64_t returned_ = 0;
    std::uint64_t dropped_ = 0;
    std::size_t places_ = 0;  // that are kept
    std::size_t lent_ = 0;
    std::size_t weight_ = 0;  // of the elements in the store, if they are weighed
};

}  // namespace sluice::detail
