// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"

#include <atomic>
#include <compare>
#include <ostream>
#include <source_location>
#include <string>
#include <utility>

namespace sluice::test {

// Why: that no element is lost, duplicated, leaked or destroyed twice is the first promise of
// a queue. This element counts everything that can happen to it.

/// A move-only element with a value and no default constructor.
/**
 * The counts are of the whole process, safe on any thread; a counted_fixture shows what one
 * test added to them. An element that was moved from has the value `counted::gone`.
 */
class counted
{
public:
    static constexpr int gone = -1;

    explicit counted(int value) noexcept : value_{value}
    {
        ++totals_.constructed;
        ++totals_.alive;
        ++totals_.holding;
    }

    counted(counted&& other) noexcept : value_{std::exchange(other.value_, gone)}
    {
        ++totals_.moves;
        ++totals_.alive;
    }

    counted& operator=(counted&& other) noexcept
    {
        ++totals_.moves;
        if (this != &other) {
            release();
            value_ = std::exchange(other.value_, gone);
        }
        return *this;
    }

    ~counted()
    {
        release();
        --totals_.alive;
    }

    [[nodiscard]] int value() const noexcept { return value_; }

    friend bool operator==(const counted& left, const counted& right) noexcept
    {
        return left.value_ == right.value_;
    }
    friend bool operator==(const counted& left, int right) noexcept
    {
        return left.value_ == right;
    }
    friend std::strong_ordering operator<=>(
        const counted& left,
        const counted& right
    ) noexcept
    {
        return left.value_ <=> right.value_;
    }
    friend std::ostream& operator<<(std::ostream& out, const counted& element)
    {
        return out << element.value_;
    }

private:
    friend class counted_fixture;

    struct totals
    {
        std::atomic<long> constructed;  // from a value
        std::atomic<long> moves;        // constructions and assignments
        std::atomic<long> alive;        // objects, moved-from ones included
        std::atomic<long> holding;      // objects that hold a value
    };

    void release() noexcept
    {
        if (value_ != gone)
            --totals_.holding;
    }

    static inline totals totals_;  // of all elements of the process

    int value_;  // gone: moved from
};

/// Counts what a test does with `counted`; at its end all elements must be destroyed.
/** As a fixture name it before an io_fixture: elements may live as long as the io_context. */
class counted_fixture
{
public:
    counted_fixture() = default;
    counted_fixture(const counted_fixture&) = delete;
    counted_fixture& operator=(const counted_fixture&) = delete;
    ~counted_fixture() { check_none_alive(); }

    /// Elements constructed from a value.
    [[nodiscard]] long constructed() const
    {
        return counted::totals_.constructed - constructed_;
    }

    [[nodiscard]] long moves() const { return counted::totals_.moves - moves_; }

    /// Objects that exist, moved-from ones included.
    [[nodiscard]] long alive() const { return counted::totals_.alive - alive_; }

    /// Values that exist: each element counts once, wherever it was moved.
    [[nodiscard]] long holding() const { return counted::totals_.holding - holding_; }

    bool check_none_alive(std::source_location where = std::source_location::current())
        const
    {
        return check(
            alive() == 0 && holding() == 0,
            std::to_string(alive()) + " counted elements are alive, " +
                std::to_string(holding()) + " of them with a value",
            where
        );
    }

private:
    long constructed_ = counted::totals_.constructed;  // the totals at construction
    long moves_ = counted::totals_.moves;
    long alive_ = counted::totals_.alive;
    long holding_ = counted::totals_.holding;
};

}  // namespace sluice::test
