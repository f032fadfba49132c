// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/status_of.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace sluice::redis::detail {

queue_status status_of(const reply& answer) noexcept
{
    const auto number = [&](std::size_t index) {
        return static_cast<std::uint64_t>(answer[index].number());
    };
    queue_status status;
    status.size = number(0);
    status.leased = number(1);
    status.capacity = number(2);
    status.is_closed = number(3) == 1;
    if (answer[4].number() >= 0)
        status.age = std::chrono::milliseconds(answer[4].number());
    status.enqueued = number(5);
    status.acknowledged = number(6);
    status.redelivered = number(7);
    status.dead = number(8);
    status.dead_letters = number(9);
    status.lost = number(10);
    return status;
}

std::string_view base_in_status(const reply& answer) noexcept
{
    return answer[11].text();
}

}  // namespace sluice::redis::detail
