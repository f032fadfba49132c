// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

// Stands for rows that will come later.
struct place_tag
{
    std::size_t count = 1;
};

// An operation that brings rows into a queue, or takes places for some.
// Invariant: [next_, next_ + left_) are the rows that still belong to the caller; the rows before
// them, of those asked for, are in the queue or with a consumer. One that asks for places has all
// of them, and then none left, or none.
template <class T>
class enqueue_waiter : public waiter
{
public:
    static constexpr unsigned char list = 0;

    // Moves from `rows`, each only when it is accepted.
    explicit enqueue_waiter(std::span<T> rows, wait_hub* hub = nullptr) noexcept
        : enqueue_waiter(supply::rows, rows.data(), rows.size(), hub)
    {
    }

    // A single row, moved from.
    explicit enqueue_waiter(T* row, wait_hub* hub = nullptr) noexcept
        : enqueue_waiter(supply::row, row, 1, hub)
    {
    }

    // A single row, copied.
    explicit enqueue_waiter(const T* row, wait_hub* hub = nullptr) noexcept
        : enqueue_waiter(supply::copy, const_cast<T*>(row), 1, hub)
    {
    }

    // Places for rows.
    explicit enqueue_waiter(place_tag places, wait_hub* hub = nullptr) noexcept
        : enqueue_waiter(supply::place, nullptr, places.count, hub)
    {
    }

    [[nodiscard]] bool asks_for_place() const noexcept { return kind_ == supply::place; }

    // How many it has: all that it asked for, or none.
    [[nodiscard]] std::size_t places() const noexcept
    {
        return asks_for_place() ? accepted() : 0;
    }

    void take_places() noexcept { left_ = 0; }

    // Gives the places to another owner. How many.
    std::size_t leave_places() noexcept
    {
        const std::size_t left = accepted();
        left_ = asked_;
        return left;
    }

    // How much room it needs to get on: rows go in one by one.
    [[nodiscard]] std::size_t least() const noexcept
    {
        return asks_for_place() ? left_ : 1;
    }

    // Those that are left, which are no places.
    [[nodiscard]] std::span<const T> rows_left() const noexcept { return {next_, left_}; }

    // Passes the next row to `accept(T&&)`; it counts as accepted unless that throws.
    template <class Accept>
    void pass_next(Accept&& accept)
    {
        if constexpr (std::is_copy_constructible_v<T>) {
            if (kind_ == supply::copy) {
                accept(T(std::as_const(*next_)));
                mark_passed();
                return;
            }
        }
        accept(std::move(*next_));
        ++next_;
        mark_passed();
    }

    // The same for a row that is not kept: it is passed only if it can be moved.
    template <class Accept>
    void drop_next(Accept&& accept)
    {
        if (kind_ != supply::copy)
            accept(std::move(*next_++));
        mark_passed();
    }

    // The next `count` rows, of several, which the caller accepts without a failure.
    [[nodiscard]] std::span<T> pass_many(std::size_t count) noexcept
    {
        left_ -= count;
        return {std::exchange(next_, next_ + count), count};
    }

    [[nodiscard]] std::size_t left() const noexcept { return left_; }

    [[nodiscard]] std::size_t accepted() const noexcept { return asked_ - left_; }

    // How many it has asked to bring in. Never changes: a report reads it without the mutex of the
    // queue (P9).
    [[nodiscard]] std::size_t asked() const noexcept { return asked_; }

    [[nodiscard]] std::string describe() const override
    {
        if (kind_ == supply::rows)
            return on_queue("enqueue_many", asked(), *this);
        return on_queue(asks_for_place() ? "reserve" : "enqueue", *this);
    }

protected:
    ~enqueue_waiter() = default;

private:
    enum class supply : unsigned char
    {
        rows,
        row,
        copy,  // of one, which is not written to
        place
    };

    enqueue_waiter(supply kind, T* first, std::size_t count, wait_hub* hub) noexcept
        : waiter(list, hub), kind_(kind), asked_(count), next_(first), left_(count)
    {
    }

    void mark_passed() noexcept { --left_; }

    const supply kind_;
    const std::size_t asked_;
    T* next_;
    std::size_t left_;
};

// An operation that takes elements out of a queue, and the place where they go.
template <class T>
class dequeue_waiter : public waiter
{
public:
    static constexpr unsigned char list = 1;

    dequeue_waiter(demand kind, std::size_t wanted, wait_hub* hub = nullptr)
        : waiter(list, hub), kind_(kind), count_(wanted)
    {
        if (kind == demand::one) {
            std::construct_at(&item_);
            return;
        }
        // In place: to write a vector and to move it at once makes some processors wait. If there
        // is no memory it owns nothing, and is not destroyed.
        std::construct_at(&batch_);
        batch_.reserve(std::min(wanted, reserved_at_most));
    }

    // To be called before as many take(), so that a failing allocation costs no element.
    void make_room(std::size_t count)
    {
        if (kind_ == demand::one)
            return;
        const std::size_t needed = batch_.size() + count;
        if (needed > batch_.capacity())
            batch_.reserve(std::max(needed, 2 * batch_.capacity()));
    }

    // Takes one element, for which there is room.
    void take(T&& element) noexcept
    {
        if (kind_ == demand::one)
            item_.emplace(std::move(element));
        else
            batch_.push_back(std::move(element));
    }

    // Gives all elements to `accept(T&&)`, the last first, as putting back in front wants it.
    template <class Accept>
    void give_back(Accept&& accept) noexcept
    {
        if (kind_ == demand::one) {
            if (item_)
                accept(std::move(*item_));
            item_.reset();
            return;
        }
        for (; !batch_.empty(); batch_.pop_back())
            accept(std::move(batch_.back()));
    }

    // A closed queue has only `count` elements for an up_to.
    void lower_to(std::size_t count) noexcept { count_ = count; }

    // For the message of one that now fails for want of elements.
    void note_left(std::size_t count) noexcept { count_ = count; }

    [[nodiscard]] demand kind() const noexcept { return kind_; }

    // How many elements make the operation complete.
    [[nodiscard]] std::size_t wanted() const noexcept { return count_; }

    // How many elements the queue had when this failed for want of them.
    [[nodiscard]] std::size_t left() const noexcept { return count_; }

    [[nodiscard]] std::size_t held() const noexcept
    {
        return kind_ == demand::one ? (item_ ? 1 : 0) : batch_.size();
    }

    [[nodiscard]] std::size_t missing() const noexcept { return count_ - held(); }

    // How many elements must be available for the operation to complete.
    [[nodiscard]] std::size_t least() const noexcept
    {
        if (kind_ == demand::some)
            return held() > 0 ? 0 : 1;
        return missing();
    }

    [[nodiscard]] std::optional<T>& item() noexcept { return item_; }

    [[nodiscard]] std::vector<T>& batch() noexcept { return batch_; }

protected:
    ~dequeue_waiter()
    {
        if (kind_ == demand::one)
            std::destroy_at(&item_);
        else
            std::destroy_at(&batch_);
    }

private:
    // A request may be far larger than what will ever come.
    static constexpr std::size_t reserved_at_most = 4096;

    const demand kind_;
    std::size_t count_;  // wanted; once this has failed, left
    union
    {
        std::optional<T> item_;  // of demand::one
        std::vector<T> batch_;   // of the others
    };
};

}  // namespace sluice::detail
