// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/detail/queue_on_server.hpp>

#include "redis/client.hpp"
#include <sluice/detail/awaiting/connection.hpp>
#include <sluice/error.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {
namespace {

constexpr std::size_t largest_capacity = std::size_t{1}
                                         << 53U;   // what Lua counts exactly
constexpr std::chrono::years longest_lease{1000};  // whose end it still counts exactly

[[noreturn]] void refuse(const queue_options& options, const std::string& why)
{
    throw system_error(
        sluice::errc::invalid_argument,
        "redis queue '" + std::string(options.name) + "': " + why
    );
}

void check(const queue_options& options, bool has_priority)
{
    using namespace std::chrono_literals;
    if (options.name.empty() ||
        options.name.find_first_of("{}") != std::string_view::npos)
        refuse(options, "the name must not be empty or have braces");
    if (options.capacity == 0 || options.capacity > largest_capacity)
        refuse(options, "the capacity must be from 1 to 2^53");
    if (options.lease < 1ms || options.lease > longest_lease)
        refuse(options, "the lease must be from 1 ms to 1000 years");
    if (options.retry_delay < 0ms || options.max_retry_delay > longest_lease)
        refuse(options, "the delays must be from 0 to 1000 years");
    if (options.max_retry_delay < options.retry_delay)
        refuse(options, "max_retry_delay must not be below retry_delay");
    if (options.min_after_dequeue > 0 && options.kind != queue_kind::shuffle)
        refuse(options, "min_after_dequeue needs queue_kind::shuffle");
    if (options.min_after_dequeue >= options.capacity)
        refuse(options, "min_after_dequeue must be below the capacity");
    if (has_priority != (options.kind == queue_kind::priority))
        refuse(
            options,
            "queue_kind::priority needs a priority function, and no other kind has one"
        );
}

remote_state_ptr make(
    const std::weak_ptr<client>& server,
    const boost::asio::any_io_executor& executor,
    const queue_options& options,
    std::string prefix
)
{
    remote_state_ptr core(new remote_state(options, std::move(prefix), server, executor));
    sluice::detail::attach_home(*core, sluice::detail::context_of(executor));
    if (const auto to = server.lock())
        to->add(core);
    return core;
}

}  // namespace

remote_state_ptr open_queue(
    const std::weak_ptr<client>& server,
    const boost::asio::any_io_executor& executor,
    const queue_options& options,
    bool has_priority
)
{
    check(options, has_priority);
    return make(server, executor, options, remote_core::prefix_of(options));
}

remote_state_ptr open_dead_letters(
    const std::weak_ptr<client>& server,
    const remote_state& of
)
{
    return make(server, of.executor(), of.dead_letter_options(), of.dead_letter_prefix());
}

void leave_queue(const std::weak_ptr<client>& server, remote_state& core) noexcept
{
    core.shut_down();
    try {
        if (const auto to = server.lock())
            to->leave(core);
        else
            core.detach();
    } catch (...) {
        // Without memory for the news the next poll finds that it has gone.
    }
}

void check_owner(const remote_state_ptr& owner, const remote_state& core)
{
    if (owner != nullptr && owner.get() != &core)
        throw system_error(
            sluice::errc::invalid_argument,
            core.describe() + ": this delivery belongs to " + owner->describe()
        );
}

}  // namespace sluice::redis::detail
