// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/operation_forms.hpp>

#include <sluice/detail/waiting/closable.hpp>

namespace sluice::detail {

std::string on_queue(const char* operation, const waiter& w)
{
    return operation + (" on " + w.hub_->describe());
}

std::string on_queue(const char* operation, std::size_t count, const waiter& w)
{
    return operation + ("(" + std::to_string(count) + ") on ") + w.hub_->describe();
}

std::string who_stopped(const waiter& w)
{
    if (w.error() != errc::stop_requested)
        return {};
    const queue_end end = static_cast<const closable&>(*w.hub_).how_it_ended().end;
    return " (" + to_string(end) + ")";
}

std::string numbers_of_batch(const waiter& w, std::size_t left, std::size_t capacity)
{
    if (w.error() == errc::end_of_queue)
        return " (" + std::to_string(left) + " left)";
    if (w.error() == errc::invalid_argument)  // more than can be stored at a time
        return " (capacity " + std::to_string(capacity) + ")";
    return who_stopped(w);
}

}  // namespace sluice::detail
