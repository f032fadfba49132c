// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/queue_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice {

/// The options of a semaphore.
struct semaphore_options
{
    /// How many permits there are, at least 1: how many may do at a time what the semaphore limits.
    queue_capacity permits;

    /// The name that messages and reports use; need not be unique. The semaphore copies it.
    std::string_view name = "semaphore";
};

static_assert(std::is_trivially_destructible_v<semaphore_options>);  // see queue_options

/// One of the permits of a semaphore, from acquire() until it is released.
/**
 * @par Example
 * @code
 * const auto permit = co_await connections.acquire();
 * const page found = co_await fetch(url);
 * // released at the end of the scope, also by an exception
 * @endcode
 *
 * @par Object lifetime  the semaphore may be destroyed first.
 * @par Thread safety    distinct objects: safe. Shared objects: unsafe. It may be released on
 *                       another thread than the one that acquired it.
 */
class [[nodiscard("a permit is released as soon as it is destroyed: keep it in a variable"
)]] semaphore_permit
{
public:
    /// None.
    semaphore_permit() noexcept = default;

    /// Releases it, if it is one: the operation that has waited longest gets it.
    /**
     * A second call does nothing.
     */
    void release() noexcept { place_.drop(); }

    /// Whether it is one that has not been released.
    [[nodiscard]] explicit operator bool() const noexcept
    {
        return static_cast<bool>(place_);
    }

private:
    friend struct detail::permit_access;

    explicit semaphore_permit(detail::place_keeper<std::monostate>* places) noexcept
        : place_(detail::permit_access::permit_of<permit<std::monostate>>(places))
    {
    }

    permit<std::monostate> place_;
};

namespace detail {

// A semaphore is a queue in which places are kept and never filled.
using semaphore_queue = fifo_queue<std::monostate>;
using semaphore_core = core_of<semaphore_queue>;

class acquire_request : public place_request<semaphore_core, semaphore_permit>
{
public:
    using place_request::place_request;

    [[nodiscard]] std::string describe() const override
    {
        return "acquire on semaphore '" + core().name() + "'";
    }

protected:
    ~acquire_request() = default;
};

}  // namespace detail

/// Limits how many coroutines do something at a time.
/**
 * A server takes only so many connections, a disk only so many reads. A coroutine that is to do it
 * acquires a permit before and releases it afterwards; acquire() waits, without blocking a thread,
 * while all permits are in use. The permit is an object, so it is released whatever happens.
 *
 * @par Example
 * @code
 * sluice::semaphore connections{pool, {.permits = 8, .name = "connections"}};
 *
 * asio::awaitable<page> fetch_politely(url address)
 * {
 *     const auto permit = co_await connections.acquire();  // at most 8 at a time
 *     co_return co_await fetch(address);
 * }
 * @endcode
 *
 * @par Ordering         first come, first served: a later acquire() never gets a permit before one
 *                       that waits.
 * @par Object lifetime  permits and operations that wait may outlive the semaphore: its destructor
 *                       ends the latter with errc::queue_closed.
 * @par Thread safety    Distinct objects: safe. Shared objects: safe without a strand, but for the
 *                       destructor.
 */
class semaphore
{
public:
    /// The type of the executor for completions that have none of their own.
    using executor_type = detail::semaphore_queue::executor_type;

    /// Makes a semaphore of which all permits are available.
    /**
     * @param executor  for completions that have no executor of their own.
     * @param options   the number of permits, and the name.
     * @throws system_error   errc::invalid_argument if there are no permits.
     * @par Exception safety  strong.
     */
    semaphore(const executor_type& executor, semaphore_options options)
        : places_(executor, {.capacity = checked(options.permits), .name = options.name})
    {
    }

    /// Makes one that uses the executor of an io_context, a thread_pool, an io_context_pool or
    /// anything else that has one.
    template <class Context>
        requires requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<executor_type>;
        }
    semaphore(Context& context, semaphore_options options)
        : semaphore(executor_type(context.get_executor()), options)
    {
    }

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const executor_type& get_executor() const noexcept
    {
        return places_.get_executor();
    }

    /// How many permits there are, as constructed.
    [[nodiscard]] std::size_t permits() const noexcept { return places_.capacity(); }

    /// How many are neither acquired nor on their way to one that waited: for reports.
    [[nodiscard]] std::size_t available() const noexcept
    {
        return permits() - places_.stats().places;
    }

    /// How many acquire() wait: for reports.
    [[nodiscard]] std::size_t waiting() const noexcept
    {
        return places_.stats().waiting_producers;
    }

    /// The name that messages and reports use.
    [[nodiscard]] const std::string& name() const noexcept { return places_.name(); }

    /// Ends all acquire() that wait, with asio::error::operation_aborted.
    void cancel() noexcept { places_.cancel(); }

    /// Acquires a permit if that is possible without waiting.
    /**
     * @return none if all are in use, or if others wait.
     * @par Preconditions     none.
     * @par Exception safety  strong.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] semaphore_permit try_acquire()
    {
        error_code ignored;
        return try_acquire(ignored);
    }

    /// Acquires a permit if that is possible without waiting, and says why it is not.
    /**
     * @param error  errc::queue_full if all are in use, errc::queue_busy if others wait; no error
     *               if there is one.
     * @return none if there was an error.
     */
    [[nodiscard]] semaphore_permit try_acquire(error_code& error)
    {
        auto& core = detail::queue_access::core(places_);
        error = core.try_take_place();
        return error.failed() ? semaphore_permit()
                              : detail::permit_access::permit_of<semaphore_permit>(&core);
    }

    /// Acquires a permit, waiting until there is one.
    /**
     * Also a branch for select(). `.within(duration)` and `.until(time_point)` limit the wait.
     *
     * @return an operation; `co_await` gives a semaphore_permit.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, semaphore_permit)`
     * @par Completion            at once if a permit is available and no other acquire() waits;
     *                            otherwise as if by asio::post on the associated executor.
     * @par Errors
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::queue_closed  the semaphore was destroyed
     * @li errc::element_failed  taking memory threw; `co_await` throws that
     * @li asio::error::operation_aborted  cancelled
     * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
     *                            resumed or the handler entered, the permit goes to the next.
     * @par Ordering              behind all that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1).
     */
    operation<detail::acquire_request, executor_type> acquire()
    {
        return {{&detail::queue_access::core(places_)}, get_executor()};
    }

    /// Acquires a permit, waiting until there is one, with a completion token.
    /**
     * As acquire().
     *
     * @par Completion signature  `void(error_code, semaphore_permit)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, semaphore_permit)> Token =
            boost::asio::deferred_t>
    auto async_acquire(Token&& token = Token())
    {
        return acquire()(std::forward<Token>(token));
    }

private:
    static queue_capacity checked(queue_capacity permits)
    {
        if (permits == 0)
            throw system_error(
                errc::invalid_argument,
                "semaphore: without permits acquire() would wait for ever; give at least "
                "1"
            );
        return permits;
    }

    detail::semaphore_queue places_;
};

}  // namespace sluice
