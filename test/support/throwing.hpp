// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/check.hpp"
#include "support/counted.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <compare>
#include <cstddef>
#include <exception>
#include <ostream>
#include <source_location>
#include <utility>

namespace sluice::test {

// Why: what a queue promises about elements whose moves throw can only be seen by throwing
// from each move in turn.

/// What the chosen move throws.
class move_error : public std::exception
{
public:
    [[nodiscard]] const char* what() const noexcept override
    {
        return "injected move failure";
    }
};

/// While it lives, the move number `moves` (0: the next one) of a `throwing` throws, once.
/** One at a time in the process; moves are counted on all threads. */
class move_failure
{
public:
    explicit move_failure(std::size_t moves)
    {
        countdown_ = static_cast<long>(moves);
        fired_ = false;
    }
    move_failure(const move_failure&) = delete;
    move_failure& operator=(const move_failure&) = delete;
    ~move_failure() { disarm(); }

    /// From here on moves succeed.
    void disarm() noexcept { countdown_ = never; }

    /// Whether the move has thrown.
    [[nodiscard]] bool fired() const noexcept { return fired_; }

private:
    friend class throwing;

    static constexpr long never = -1;

    static void move()
    {
        // Only the thread that takes the count below zero throws, and only if it was armed.
        if (countdown_ != never && countdown_.fetch_sub(1) == 0) {
            fired_ = true;
            throw move_error{};
        }
    }

    static inline std::atomic<long> countdown_{never};  // successful moves to come
    static inline std::atomic<bool> fired_{false};      // of the living object
};

/// A counted element whose moves can throw; a failed move leaves the source as it was.
class throwing
{
public:
    explicit throwing(int value) noexcept : element_{value} {}
    throwing(throwing&& other)
        : element_{(move_failure::move(), std::move(other.element_))}
    {
    }
    throwing& operator=(throwing&& other)
    {
        move_failure::move();
        element_ = std::move(other.element_);
        return *this;
    }
    ~throwing() = default;

    [[nodiscard]] int value() const noexcept { return element_.value(); }

    friend bool operator==(const throwing& left, const throwing& right) noexcept =
        default;
    friend bool operator==(const throwing& left, int right) noexcept
    {
        return left.element_ == right;
    }
    friend std::strong_ordering operator<=>(
        const throwing& left,
        const throwing& right
    ) noexcept = default;
    friend std::ostream& operator<<(std::ostream& out, const throwing& element)
    {
        return out << element.element_;
    }

private:
    counted element_;  // so that a counted_fixture sees these elements too
};

/// Call `f(move_failure&)` with a failure at move 0, 1, 2, ... until none occurs.
/**
 * The injected move_error may leave `f`. `f` disarms the failure before it checks what is
 * left, if its checks move elements. Returns the number of failures injected: check it.
 */
template <class Function>
std::size_t for_each_move_failure(
    Function f,
    std::source_location where = std::source_location::current()
)
{
    constexpr std::size_t limit = 5'000;
    for (std::size_t moves = 0; moves != limit; ++moves) {
        BOOST_TEST_CONTEXT("with a failure at move " << moves)
        {
            move_failure failure{moves};
            try {
                f(failure);
            } catch (const move_error&) {
            }
            if (!failure.fired())
                return moves;
        }
    }
    fail("a move always fails: the function never comes to its end", where);
    return limit;
}

}  // namespace sluice::test
