// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/detail/waiting/waiter.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

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

}  // namespace sluice::detail
