// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/queue_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

namespace detail {

// Nothing ever fills the places of a semaphore, so there is nothing to store and no memory to take,
// however many permits there are.
struct empty_store
{
    using options_type = queue_options;
    using batch_type = std::vector<std::monostate>;
    static constexpr bool whole_batches = false;

    explicit empty_store(const queue_options& /*options*/) {}

    void push(std::monostate&& /*element*/) noexcept {}
    void put_back(std::monostate&& /*element*/) noexcept {}
    [[nodiscard]] std::monostate pop() noexcept { return {}; }
    void reserve(std::size_t /*count*/) noexcept {}
    [[nodiscard]] std::size_t size() const noexcept { return 0; }
    [[nodiscard]] std::size_t available(bool /*closed*/) const noexcept { return 0; }
};

// A semaphore is a queue in which places are kept and never filled.
using semaphore_queue =
    basic_queue<std::monostate, empty_store, boost::asio::any_io_executor>;
using semaphore_core = core_of<semaphore_queue>;

}  // namespace detail

/// Permits of a semaphore, from acquire() until they are released: one, or several.
/**
 * @par Example
 * @code
 * const auto permit = co_await connections.acquire();
 * const page found = co_await fetch(address);
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

    /// Takes the permits of `other`, which then has none.
    semaphore_permit(semaphore_permit&& other) noexcept = default;

    /// Releases its permits and takes those of `other`.
    semaphore_permit& operator=(semaphore_permit&& other) noexcept
    {
        semaphore_permit taken(std::move(other));
        semaphore_.swap(taken.semaphore_);
        std::swap(permits_, taken.permits_);
        return *this;
    }

    /// As release().
    ~semaphore_permit() { release(); }

    /// Releases what it has: the operations that have waited longest get it.
    /**
     * A second call does nothing.
     */
    void release() noexcept
    {
        if (const auto semaphore = std::move(semaphore_))
            semaphore->free_places(permits_);
    }

    /// How many permits it has.
    [[nodiscard]] std::size_t permits() const noexcept
    {
        return semaphore_ == nullptr ? 0 : permits_;
    }

    /// Whether it has any.
    [[nodiscard]] explicit operator bool() const noexcept { return permits() > 0; }

private:
    friend struct detail::permit_access;
    using core_ptr = boost::intrusive_ptr<detail::semaphore_core>;

    semaphore_permit(core_ptr semaphore, std::size_t permits) noexcept
        : semaphore_(std::move(semaphore)), permits_(permits)
    {
    }

    core_ptr semaphore_;  // null: no permits
    std::size_t permits_ = 0;
};

namespace detail {

class acquire_request : public places_request<semaphore_core, semaphore_permit>
{
public:
    struct arguments
    {
        semaphore_core* core;
        std::size_t permits;
    };

    explicit acquire_request(arguments&& args);

    [[nodiscard]] semaphore_permit result();
    [[nodiscard]] std::tuple<error_code, semaphore_permit> outcome();
    [[nodiscard]] std::string describe() const override;

protected:
    ~acquire_request();
};

}  // namespace detail

/// Limits how many coroutines do something at a time, or how much of something they have.
/**
 * A server takes only so many connections, a disk only so many reads. A coroutine that is to do it
 * acquires a permit before and releases it afterwards; acquire() waits, without blocking a thread,
 * while all permits are in use. The permit is an object, so it is released whatever happens. Where
 * what is done differs in size, acquire(n) takes several permits at once, for instance one for each
 * byte of a request. Permits take no memory, so there may be billions of them.
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
 *                       that waits. So small requests wait behind a large one, which they would
 *                       starve otherwise, although there are permits enough for them.
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
    semaphore(const executor_type& executor, semaphore_options options);

    /// Ends all acquire() that wait, with errc::queue_closed.
    ~semaphore();

    /// Makes one that uses the executor of an io_context, a thread_pool, an io_context_pool or
    /// anything else that has one.
    template <detail::context_with<executor_type> Context>
    semaphore(Context& context, semaphore_options options)
        : semaphore(executor_type(context.get_executor()), options)
    {
    }

    /// Where completions run that have no executor of their own.
    [[nodiscard]] const executor_type& get_executor() const noexcept;

    /// How many permits there are, as constructed.
    [[nodiscard]] std::size_t permits() const noexcept;

    /// How many are neither acquired nor on their way to an acquire() that waited: for reports.
    [[nodiscard]] std::size_t available() const noexcept;

    /// How many acquire() wait: for reports.
    [[nodiscard]] std::size_t waiting() const noexcept;

    /// The name that messages and reports use.
    [[nodiscard]] const std::string& name() const noexcept;

    /// Ends all acquire() that wait, with asio::error::operation_aborted.
    void cancel() noexcept;

    /// Acquires permits, one if no number is given, if that is possible without waiting.
    /**
     * @return none if too few are available, or if others wait.
     * @par Preconditions     none.
     * @par Exception safety  no-throw.
     * @par Thread safety     any thread.
     */
    [[nodiscard]] semaphore_permit try_acquire(std::size_t permits = 1) noexcept
    {
        error_code ignored;
        return try_acquire(permits, ignored);
    }

    /// Acquires a permit if that is possible without waiting, and says why it is not.
    /**
     * As try_acquire(std::size_t, error_code&) for one.
     */
    [[nodiscard]] semaphore_permit try_acquire(error_code& error) noexcept
    {
        return try_acquire(1, error);
    }

    /// Acquires permits if that is possible without waiting, and says why it is not.
    /**
     * @param permits  how many, all or none.
     * @param error    errc::queue_full if too few are available, errc::queue_busy if others wait,
     *                 errc::invalid_argument if there are not as many; no error if it has them.
     * @return none if there was an error.
     */
    [[nodiscard]] semaphore_permit try_acquire(
        std::size_t permits,
        error_code& error
    ) noexcept;

    /// Acquires permits, one if no number is given, waiting until all of them are available.
    /**
     * Also a branch for select(). `.within(duration)` and `.until(time_point)` limit the wait. As
     * long as it waits it has none of them.
     *
     * @param permits  how many, all or none; 0 succeeds at once.
     * @return an operation; `co_await` gives a semaphore_permit, which releases all of them.
     * @par Preconditions         none.
     * @par Completion signature  `void(error_code, semaphore_permit)`
     * @par Completion            at once if they are available and no other acquire() waits;
     *                            otherwise as if by asio::post on the associated executor.
     * @par Errors
     * @li errc::invalid_argument  more than the semaphore has
     * @li errc::timed_out  the limit passed while it waited
     * @li errc::queue_closed  the semaphore was destroyed
     * @li asio::error::operation_aborted  cancelled
     * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
     *                            resumed or the handler entered, the permits go to the next.
     * @par Ordering              behind all that wait already.
     * @par Object lifetime       `*this` may be destroyed while this waits: errc::queue_closed.
     * @par Exception safety      strong.
     * @par Thread safety         any thread.
     * @par Complexity            O(1).
     */
    operation<detail::acquire_request, executor_type> acquire(std::size_t permits = 1);

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

    /// Acquires several permits, waiting until all of them are available, with a completion token.
    /**
     * As acquire().
     *
     * @par Completion signature  `void(error_code, semaphore_permit)`
     */
    template <
        boost::asio::completion_token_for<void(error_code, semaphore_permit)> Token =
            boost::asio::deferred_t>
    auto async_acquire(std::size_t permits, Token&& token = Token())
    {
        return acquire(permits)(std::forward<Token>(token));
    }

private:
    detail::semaphore_queue places_;
};

}  // namespace sluice
