// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/coordinator.hpp>

#include <sluice/detail/awaiting/connection.hpp>

#include <boost/asio/query.hpp>

#include <cstdio>
#include <exception>
#include <utility>

namespace sluice {

namespace asio = boost::asio;

namespace {

#ifdef NDEBUG
constexpr bool is_debug_build = false;
#else
constexpr bool is_debug_build = true;
#endif

// Most often the program does not await join(), and the tasks refer to what dies next.
void complain_about(const detail::coordinator_state& scope) noexcept
{
    try {
        for (const task_info& task : scope.tasks())
            (void)std::fprintf(
                stderr,
                "sluice: a coordinator is destroyed before its task %s has ended; await "
                "join(), or let with_tasks() do so in every case\n",
                to_string(task).c_str()
            );
    } catch (const std::exception&) {
        // without memory there is no report
    }
}

}  // namespace

coordinator::coordinator(const executor_type& executor, coordinator_options options)
    : coordinator(executor, std::move(options), nullptr)
{
}

coordinator::coordinator(coordinator& parent)
    : coordinator(parent, parent.state_->options())
{
}

coordinator::coordinator(coordinator& parent, coordinator_options options)
    : coordinator(parent.get_executor(), std::move(options), parent.state_.get())
{
}

coordinator::coordinator(
    const executor_type& executor,
    coordinator_options options,
    detail::coordinator_state* parent
)
    : state_(new detail::coordinator_state(executor, std::move(options), parent))
{
    detail::attach_home(*state_, asio::query(executor, asio::execution::context));
    state_->join_parent();
}

coordinator::~coordinator()
{
    if (is_debug_build)
        complain_about(*state_);
    state_->shut_down();
}

const coordinator::executor_type& coordinator::get_executor() const noexcept
{
    return state_->get_executor();
}

}  // namespace sluice
