// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_hub.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace sluice::detail {

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

// A critical section in which elements are dropped. They are destroyed before it ends, without the
// lock: whatever is told of the enqueue may destroy what those destructors use.
template <class T>
class dropping_section : public wait_hub::critical_section
{
public:
    using critical_section::critical_section;

    dropping_section(const dropping_section&) = delete;
    dropping_section& operator=(const dropping_section&) = delete;

    ~dropping_section()
    {
        if (!dropped.empty())
            without_lock([this] { dropped.destroy(); });
    }

    dropped_elements<T> dropped;
};

}  // namespace sluice::detail
