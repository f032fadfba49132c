// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_settings.hpp"
#include "model/step.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sluice::model {

// Why: what differs is printed for people.

[[nodiscard]] inline std::string text(const std::string& words)
{
    return '"' + words + '"';
}

[[nodiscard]] inline std::string text(int number)
{
    return std::to_string(number);
}

[[nodiscard]] inline std::string text(const std::optional<int>& number)
{
    return number ? std::to_string(*number) : "none";
}

template <class T>
[[nodiscard]] std::string text(const std::vector<T>& list)
{
    std::string content;
    for (const T& item : list)
        content += (content.empty() ? "" : ", ") + text(item);
    return '[' + content + ']';
}

[[nodiscard]] inline std::string text(const queue_settings& queue)
{
    constexpr std::array kinds{"fifo", "shuffle", "priority", "padding"};
    constexpr std::array rules{"wait", "drop_oldest", "drop_newest"};
    std::string words = kinds[static_cast<std::size_t>(queue.kind)];
    words += ", capacity " + std::to_string(queue.capacity);
    if (queue.kind == queue_kind::shuffle)
        words += ", min_after_dequeue " + std::to_string(queue.min_after_dequeue) +
                 ", seed " + std::to_string(queue.seed);
    if (queue.weight_limit != unbounded)
        words += ", weight_limit " + std::to_string(queue.weight_limit);
    return words + ", overflow " + rules[static_cast<std::size_t>(queue.overflow)];
}

[[nodiscard]] inline std::string text(const step& s)
{
    constexpr std::array actions{
        "enqueue",
        "dequeue",
        "cancel",
        "time_out",
        "expire",
        "deliver",
        "forget",
        "lose",
        "abandon",
        "close",
        "cancel_pending",
        "close_with_cause",
        "shut_down"
    };
    constexpr std::array demands{"one", "exactly", "up_to", "some", "linger"};
    constexpr std::array manners{
        "posted",
        "at_once",
        "shortest",
        "impatient",
        "expired",
        "cancelled",
        "attempt"
    };
    std::string words = actions[static_cast<std::size_t>(s.what)];
    words += ' ' + std::to_string(s.id);
    if (!is_start(s))
        return words;
    words += s.what == action::enqueue
                 ? ": rows " + text(rows_of(s))
                 : std::string(": ") + demands[static_cast<std::size_t>(s.kind)] + ' ' +
                       std::to_string(s.count);
    words += std::string(", ") + manners[static_cast<std::size_t>(s.how)];
    if (s.context != 0)
        words += ", in context " + std::to_string(s.context);
    return s.is_branch ? words + ", branch of a select" : words;
}

}  // namespace sluice::model
