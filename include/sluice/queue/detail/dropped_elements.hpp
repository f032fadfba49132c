// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

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

private:
    std::optional<T> first_;
    std::vector<T> others_;
};

}  // namespace sluice::detail
