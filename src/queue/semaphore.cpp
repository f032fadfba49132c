// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/semaphore.hpp>

namespace sluice {
namespace detail {

acquire_request::acquire_request(arguments&& args)
    : places_request(args.core, args.permits)
{
}

acquire_request::~acquire_request() = default;

semaphore_permit acquire_request::result()
{
    if (failed())
        throw_failure(
            error() == errc::invalid_argument
                ? " (it has " + std::to_string(core().capacity()) + " permits)"
                : ""
        );
    return permit_access::permit_of<semaphore_permit>(&core(), leave_places());
}

std::tuple<error_code, semaphore_permit> acquire_request::outcome()
{
    if (failed())
        return {code(), semaphore_permit()};
    return {error_code(), result()};
}

std::string acquire_request::describe() const
{
    return "acquire" + (asked() == 1 ? "" : "(" + std::to_string(asked()) + ")") +
           " on semaphore '" + core().name() + "'";
}

}  // namespace detail

namespace {

queue_capacity checked(queue_capacity permits)
{
    if (permits == 0)
        throw system_error(
            errc::invalid_argument,
            "semaphore: without permits acquire() would wait for ever; give at least 1"
        );
    return permits;
}

}  // namespace

semaphore::semaphore(const executor_type& executor, semaphore_options options)
    : places_(executor, {.capacity = checked(options.permits), .name = options.name})
{
}

semaphore::~semaphore() = default;

const semaphore::executor_type& semaphore::get_executor() const noexcept
{
    return places_.get_executor();
}

std::size_t semaphore::permits() const noexcept
{
    return places_.capacity();
}

std::size_t semaphore::available() const noexcept
{
    return permits() - places_.stats().places;
}

std::size_t semaphore::waiting() const noexcept
{
    return places_.stats().waiting_producers;
}

const std::string& semaphore::name() const noexcept
{
    return places_.name();
}

void semaphore::cancel() noexcept
{
    places_.cancel();
}

semaphore_permit semaphore::try_acquire(std::size_t permits, error_code& error) noexcept
{
    auto& core = detail::queue_access::core(places_);
    error = core.try_take_places(permits);
    if (error.failed())
        return {};
    return detail::permit_access::permit_of<semaphore_permit>(&core, permits);
}

operation<detail::acquire_request, semaphore::executor_type> semaphore::acquire(
    std::size_t permits
)
{
    return {{&detail::queue_access::core(places_), permits}, get_executor()};
}

}  // namespace sluice
