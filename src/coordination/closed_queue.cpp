// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/closed_queue.hpp>

namespace sluice {

std::string to_string(const closed_queue& queue)
{
    std::string text = "queue '" + queue.name + "' " + to_string(queue.end);
    if (queue.left > 0)
        text += ", with " + std::to_string(queue.left) +
                (queue.left == 1 ? " element left" : " elements left");
    return text;
}

}  // namespace sluice
