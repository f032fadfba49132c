// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/element_weight.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::soak {

/// What a run amounts to, in operations and elements.
struct totals
{
    std::uint64_t operations = 0;
    std::uint64_t accepted = 0;    ///< an enqueue reported success, or never reported
    std::uint64_t delivered = 0;   ///< a consumer got it
    std::uint64_t left = 0;        ///< destroyed together with its queue
    std::uint64_t returned = 0;    ///< refused, and still with its producer
    std::uint64_t overflowed = 0;  ///< accepted, and dropped by its queue
    std::uint64_t weighings = 0;   ///< comparisons of a weight with that of its queue

    totals& operator+=(const totals& other) noexcept;
};

/// The books of one round: what happened to each element, under its number.
/** All members are safe from any thread, but for audit(). */
class ledger
{
public:
    enum class event : unsigned char
    {
        accepted,   // the enqueue reported success
        refused,    // the enqueue reported a failure
        delivered,  // taken out by a consumer
        returned,   // destroyed by its producer, who had it still
        left,       // destroyed while its queue died, or after that
        dropped,    // destroyed while its queue lived
        owned,      // passed to async_enqueue, which may destroy it if it fails
        overflowed  // as dropped, of a queue that drops what does not fit
    };

    explicit ledger(std::size_t capacity) : entries_(capacity) {}

    /// The number of a new element.
    [[nodiscard]] std::uint32_t open();

    void note(std::uint32_t number, event what) noexcept
    {
        entries_[number].fetch_add(1U << shift(what), std::memory_order_relaxed);
    }

    /// How many elements a queue says that it has dropped.
    void note_overflow(std::uint64_t count) noexcept
    {
        overflowed_.fetch_add(count, std::memory_order_relaxed);
    }

    /// A rule was broken; the first text is kept.
    void complain(const std::string& text);

    /// When everything has ended: checks each element. Throws std::runtime_error.
    [[nodiscard]] totals audit() const;

private:
    static constexpr unsigned shift(event what) noexcept
    {
        return 4U * static_cast<unsigned>(what);
    }

    // Gives 1 if it is open whether the element was dropped by its queue or with its enqueue.
    unsigned check(std::uint32_t number, totals& sum) const;

    std::vector<std::atomic<std::uint32_t>> entries_;  // four bits for each event
    std::atomic<std::uint32_t> opened_{0};
    std::atomic<std::uint64_t> overflowed_{0};
    std::atomic<bool> complained_{false};
    std::string complaint_;  // written by the thread that set complained_
};

/// What its elements have to know of a queue.
struct fate
{
    std::atomic<bool> is_dead{false};
    bool may_drop = false;
};

/// A move-only element that enters in the books what becomes of it.
class element
{
public:
    static constexpr std::size_t heaviest = 5;

    element(ledger& book, const fate& of_queue)
        : book_(&book), of_queue_(&of_queue), number_(book.open())
    {
    }

    element(element&& other) noexcept
        : book_(std::exchange(other.book_, nullptr)),
          of_queue_(other.of_queue_),
          number_(other.number_)
    {
    }

    element& operator=(element&& other) noexcept
    {
        if (this != &other) {
            end();
            book_ = std::exchange(other.book_, nullptr);
            of_queue_ = other.of_queue_;
            number_ = other.number_;
        }
        return *this;
    }

    ~element() { end(); }

    /// False once it was moved from or closed.
    [[nodiscard]] bool is_there() const noexcept { return book_ != nullptr; }

    [[nodiscard]] std::uint32_t number() const noexcept { return number_; }

    /// By the number, which a moved-from element has still.
    [[nodiscard]] std::size_t weight() const noexcept { return 1 + number_ % heaviest; }

    /// Its last event.
    void close(ledger::event what) noexcept
    {
        std::exchange(book_, nullptr)->note(number_, what);
    }

    // In an order that is unlike the order of production.
    friend bool operator<(const element& a, const element& b) noexcept
    {
        return a.number_ * 2654435761U < b.number_ * 2654435761U;
    }

    // Nothing to pad: found by padding_queue.
    friend void pad_rows(std::span<element> /*rows*/) noexcept {}

private:
    void end() noexcept
    {
        if (is_there())
            close(
                of_queue_->is_dead    ? ledger::event::left
                : of_queue_->may_drop ? ledger::event::overflowed
                                      : ledger::event::dropped
            );
    }

    ledger* book_;  // null: moved from or closed
    const fate* of_queue_;
    std::uint32_t number_;
};

/// Elements on offer by a producer, who keeps those that are refused.
class offer
{
public:
    offer(ledger& book, const fate& of_queue, std::size_t count) : book_(book)
    {
        rows_.reserve(count);
        for (; count > 0; --count)
            rows_.emplace_back(book, of_queue);
    }

    offer(offer&&) noexcept = default;
    offer& operator=(offer&&) = delete;

    ~offer()
    {
        for (element& row : rows_)
            if (row.is_there())
                row.close(ledger::event::returned);
    }

    [[nodiscard]] std::span<element> rows() noexcept { return rows_; }

    [[nodiscard]] element& single() noexcept { return rows_.front(); }

    /// The enqueue says that the first `count` went in: those, and no others, must be gone.
    void settle(std::size_t count);

private:
    ledger& book_;
    std::vector<element> rows_;
};

}  // namespace sluice::soak

template <>
struct sluice::element_weight<sluice::soak::element>
{
    static std::size_t of(const soak::element& element) noexcept
    {
        return element.weight();
    }
};
