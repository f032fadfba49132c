// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_calls.hpp>
#include <sluice/redis/redis_queue_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace sluice::redis::detail {

class client;

// What a queue does when it comes and goes. Throws errc::invalid_argument for options out of range.
[[nodiscard]] remote_state_ptr open_queue(
    const std::weak_ptr<client>& server,
    const boost::asio::any_io_executor& executor,
    const queue_options& options,
    bool has_priority
);

[[nodiscard]] remote_state_ptr open_dead_letters(
    const std::weak_ptr<client>& server,
    const remote_state& of
);

void leave_queue(const std::weak_ptr<client>& server, remote_state& core) noexcept;

// Throws errc::invalid_argument if a delivery is of another queue; one that is not held is of none.
void check_owner(const remote_state_ptr& owner, const remote_state& core);

}  // namespace sluice::redis::detail
