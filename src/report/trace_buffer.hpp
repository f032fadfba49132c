// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice::report {

// Times are in nanoseconds since the start of the trace.
struct trace_event
{
    enum kind_of_event : unsigned char
    {
        span,     // of a track, which is the value; the text is what it does
        counter,  // the size of a queue
        instant
    };

    kind_of_event kind;
    std::uint32_t text;
    std::int64_t begin;
    std::int64_t duration;
    std::uint64_t value;
};

// The last events, and how many came before them.
class trace_buffer
{
public:
    explicit trace_buffer(std::size_t capacity) : capacity_(capacity) {}

    void push(const trace_event& event)
    {
        if (events_.size() < capacity_) {
            events_.push_back(event);
            return;
        }
        ++dropped_;
        if (capacity_ == 0)
            return;
        events_[oldest_] = event;
        oldest_ = (oldest_ + 1) % capacity_;
    }

    [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

    // From the oldest to the latest.
    template <class Function>
    void for_each(Function function) const
    {
        const auto middle = events_.begin() + static_cast<std::ptrdiff_t>(oldest_);
        std::for_each(middle, events_.end(), function);
        std::for_each(events_.begin(), middle, function);
    }

private:
    const std::size_t capacity_;
    std::vector<trace_event> events_;
    std::size_t oldest_ = 0;  // once it is full
    std::uint64_t dropped_ = 0;
};

}  // namespace sluice::report
