// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/queue_waiters.hpp>

namespace sluice::detail {

std::string on_queue(const std::string& operation, const waiter& w)
{
    return operation + " on " + w.hub_->describe();
}

std::string in_brackets(const queue_end& end)
{
    return " (" + to_string(end) + ")";
}

}  // namespace sluice::detail
