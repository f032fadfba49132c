// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace sluice::detail {

// What a stop has to be told to, with the memory that the stop needs to take a copy of the list
// out of the lock.
template <class T>
class stop_list
{
public:
    // Strong guarantee.
    void push_back(T item)
    {
        if (items_.size() == items_.capacity())
            items_.reserve(2 * items_.size() + 1);
        make_room();
        items_.push_back(std::move(item));
    }

    void erase(const T& item) noexcept { std::erase(items_, item); }

    // Has to be called between one take_copy() and the next.
    void make_room() { room_.reserve(items_.capacity()); }

    [[nodiscard]] std::vector<T> take_copy() noexcept
    {
        room_.assign(items_.begin(), items_.end());
        return std::exchange(room_, {});
    }

    [[nodiscard]] const std::vector<T>& items() const noexcept { return items_; }

private:
    std::vector<T> items_;
    std::vector<T> room_;  // empty; taken by a stop
};

}  // namespace sluice::detail
