// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>
#include <sluice/queue/element_weight.hpp>
#include <sluice/queue/queue_options.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::detail {

// How much a queue stores, and what happens to an element beyond that.
struct queue_limits
{
    // At capacity 0 nothing is stored, so there is nothing to weigh.
    queue_limits(
        std::size_t elements,
        std::size_t weight_limit = unbounded,
        overflow rule = overflow::wait
    ) noexcept
        : capacity(elements),
          weight(elements == 0 ? unbounded : weight_limit),
          when_full(rule)
    {
    }

    std::size_t capacity;
    std::size_t weight;  // `unbounded` if elements are not weighed
    overflow when_full;
};

// The options of a store of another program may do without all but the capacity. Throws if they
// contradict each other.
template <class Options>
[[nodiscard]] queue_limits limits_of(const Options& options)
{
    std::size_t weight = unbounded;
    if constexpr (requires { options.weight_limit; })
        weight = options.weight_limit;
    overflow rule = overflow::wait;
    if constexpr (requires { options.overflow; })
        rule = options.overflow;
    if (options.capacity == 0 && rule != overflow::wait)
        throw system_error(
            errc::invalid_argument,
            "queue '" + std::string(options.name) +
                "': with capacity 0 nothing is stored that could be dropped; for an "
                "overflow rule the capacity must be at least 1"
        );
    return {options.capacity, weight, rule};
}

// The weight of what is stored, and its limit. Few queues have one.
template <class T>
class stored_weight
{
public:
    explicit stored_weight(std::size_t limit) noexcept : limit_(limit) {}

    [[nodiscard]] bool is_limited() const noexcept
    {
        return __builtin_expect(limit_ != unbounded, false) != 0;
    }

    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

    // 0 where nothing is weighed.
    [[nodiscard]] std::size_t value() const noexcept { return value_; }

    // Whether something is light enough to come in. What comes into a place is weighed then, and
    // while nothing can leave everything is, because no consumer could make room for it.

    [[nodiscard]] bool allows(const T& element, std::size_t available) const noexcept
    {
        return available == 0 || (value_ <= limit_ && of(element) <= limit_ - value_);
    }

    [[nodiscard]] bool allows_place(std::size_t available) const noexcept
    {
        return available == 0 || value_ < limit_;
    }

    [[nodiscard]] std::size_t of(const T& element) const noexcept
    {
        static_assert(
            noexcept(element_weight<T>::of(element)),
            "element_weight<T>::of is called under the lock of a queue, where it must "
            "not throw: declare it noexcept"
        );
        return is_limited() ? element_weight<T>::of(element) : 0;
    }

    // No more than can be counted.
    void add(std::size_t weight) noexcept
    {
        value_ += std::min(weight, std::numeric_limits<std::size_t>::max() - value_);
    }

    // After the element has left, and `stored` are left. One that has become heavier takes no more
    // away than there is, and where nothing is left nothing weighs: so an error does not last
    // (S26).
    void remove(const T& element, std::size_t stored) noexcept
    {
        const std::size_t rest = stored > 0 ? value_ : 0;
        value_ = rest - std::min(rest, of(element));
    }

    void clear() noexcept { value_ = 0; }

private:
    const std::size_t limit_;
    std::size_t value_ = 0;
};

// Elements that a full queue drops. They are taken out under its lock and destroyed after that,
// because a destructor may use the queue. Most often it is one, which needs no memory.
template <class T>
class dropped_elements
{
public:
    // To be called before each add(), so that a failing allocation costs no element.
    void make_room()
    {
        if (first_ && others_.size() == others_.capacity())
            others_.reserve(2 * others_.size() + 4);
    }

    void add(T&& element) noexcept
    {
        if (first_)
            others_.push_back(std::move(element));
        else
            first_.emplace(std::move(element));
    }

    [[nodiscard]] bool empty() const noexcept { return !first_; }

    // Their destructors may do what they like.
    void destroy() noexcept
    {
        others_.clear();
        first_.reset();
    }

private:
    std::optional<T> first_;
    std::vector<T> others_;
};

}  // namespace sluice::detail
