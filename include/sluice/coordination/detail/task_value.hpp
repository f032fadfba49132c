// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// Where a task leaves its result. Apart from the task: a socket that is the result keeps the
// executor of the task, which must not keep the result.
template <class T>
class task_value
{
public:
    void set(T&& value) { value_.emplace(std::move(value)); }

    // Once; empty from then on.
    [[nodiscard]] std::optional<T> take()
    {
        return is_taken_.exchange(true, std::memory_order_relaxed) ? std::nullopt
                                                                   : std::move(value_);
    }

private:
    std::optional<T> value_;
    std::atomic<bool> is_taken_{false};
};

// There is none.
template <>
class task_value<void>
{
};

template <class T>
using value_ptr = std::shared_ptr<task_value<T>>;

template <class T>
value_ptr<T> make_task_value()
{
    if constexpr (std::is_void_v<T>)
        return nullptr;
    else
        return std::make_shared<task_value<T>>();
}

}  // namespace sluice::detail
