// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/event.hpp>

#include <sluice/detail/awaiting/connection.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/query.hpp>

#include <mutex>

namespace sluice {
namespace detail {

event_core::event_core(std::string_view name) : name_(name) {}

void event_core::set() noexcept
{
    critical_section section(*this);
    is_set_ = true;
    serve(section);
}

void event_core::reset() noexcept
{
    const std::lock_guard lock(mutex_);
    is_set_ = false;
}

bool event_core::is_set() const noexcept
{
    const std::lock_guard lock(mutex_);
    return is_set_;
}

std::string event_core::describe() const
{
    return "event '" + name_ + "'";
}

bool event_core::is_ready(const waiter& /*target*/) const noexcept
{
    return is_set_;
}

event_wait::event_wait(arguments&& args) noexcept
    : gives_nothing(static_cast<unsigned char>(0), args.core)
{
}

std::string event_wait::describe() const
{
    return "wait on " + hub_->describe();
}

}  // namespace detail

event::event(const executor_type& executor, event_options options)
    : executor_(executor), core_(new detail::event_core(options.name))
{
    detail::attach_home(
        *core_,
        boost::asio::query(executor_, boost::asio::execution::context)
    );
}

event::~event()
{
    cancel();
    core_->detach();
}

void event::cancel() noexcept
{
    core_->cancel_all(boost::asio::error::operation_aborted);
}

}  // namespace sluice
