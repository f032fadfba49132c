// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/delay.hpp>
#include <sluice/detail/awaiting/destroyed_twice.hpp>
#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice {

// Nothing in the policy may have a destructor of consequence; see queue_options.

/// How often retry() tries, and how long it waits in between.
struct retry_policy
{
    /// How often the work is done at most, the first time included; at least 1.
    std::size_t attempts = 3;

    /// The delay after the first failure; not negative.
    std::chrono::nanoseconds first_delay = std::chrono::milliseconds(100);

    /// What each delay is multiplied by for the next one; at least 1.
    double factor = 2.0;

    /// No delay is longer; not negative.
    std::chrono::nanoseconds max_delay = std::chrono::seconds(10);

    /// How much of each delay is left to chance, from 0, nothing, to 1, all: with 0.5 a delay
    /// of 1 s becomes one of 0.5 s to 1 s. Keeps clients that failed together from coming back
    /// together.
    double jitter = 0.0;

    /// The start of the random sequence: the same seed gives the same delays on every platform.
    /// Empty: others each time.
    std::optional<std::uint64_t> seed = std::nullopt;
};

static_assert(std::is_trivially_destructible_v<retry_policy>);

namespace detail {

// The delays between the attempts.
class retry_delays
{
public:
    explicit retry_delays(const retry_policy& policy);

    [[nodiscard]] std::chrono::nanoseconds next();

private:
    retry_policy policy_;
    double next_;          // in nanoseconds
    std::uint64_t state_;  // of the random sequence
};

// Whether the error is a cancellation.
[[nodiscard]] bool ends_retries(const std::exception_ptr& error) noexcept;

struct retry_always
{
    bool operator()(const std::exception_ptr& /*error*/) const noexcept { return true; }
};

template <class T, class MakeWork, class ShouldRetry>
boost::asio::awaitable<T> run_retries(
    retry_policy policy,
    MakeWork make_work,
    ShouldRetry should_retry
)
{
    retry_delays delays(policy);
    for (std::size_t left = policy.attempts;;) {
        std::exception_ptr error;
        try {
            co_return co_await std::invoke(make_work);
        } catch (...) {
            error = std::current_exception();
        }
        const auto state = co_await boost::asio::this_coro::cancellation_state;
        const bool is_cancelled = state.cancelled() !=
                                  boost::asio::cancellation_type::none;
        if (--left == 0 || is_cancelled || ends_retries(error) || !should_retry(error))
            std::rethrow_exception(error);
        error = nullptr;  // not kept while waiting
        co_await delay(time_limit::within(delays.next()));
    }
}

template <class>
inline constexpr bool is_awaitable = false;
template <class T>
inline constexpr bool is_awaitable<boost::asio::awaitable<T>> = true;

template <class MakeWork>
concept makes_awaitable = std::invocable<MakeWork&> &&
                          is_awaitable<std::invoke_result_t<MakeWork&>>;

}  // namespace detail

/// Does work again if it fails, after delays that grow.
/**
 * What fails because a server is busy succeeds a moment later, and many clients that try again at
 * once keep it busy. This waits between the attempts, each time longer, and in part by chance.
 *
 * A cancellation or an ordinary end is no failure: `operation_aborted` and the codes equal to
 * condition::clean_stop (errc::stop_requested, errc::queue_closed, errc::end_of_queue) pass at
 * once, whatever `should_retry` says. All other exceptions are failures.
 *
 * @par Example
 * @code
 * const page found = co_await sluice::retry(
 *     {.attempts = 5, .first_delay = 100ms, .jitter = 0.5},
 *     [&] { return sluice::within(fetch(address), 2s); }
 * );
 * @endcode
 *
 * GCC before 13 refuses a lambda that owns something, as a copy of a string, and is made or moved
 * here: name it and pass it without `std::move`, or `std::ref` of it.
 *
 * @param policy        how often, and the delays.
 * @param make_work     makes the `asio::awaitable` of one attempt; kept until the end.
 * @param should_retry  asked with the std::exception_ptr of each failure but the last whether
 *                      another attempt makes sense; by default it does. Kept until the end.
 * @return what the first attempt gives that succeeds.
 * @throws system_error  errc::invalid_argument if the policy is outside its ranges.
 * @throws everything that the last attempt throws.
 * @par Cancellation     passed on to the work; ends a delay at once, with `operation_aborted`. No
 *                       attempt begins after it.
 * @par Object lifetime  what the callables refer to must live until this completes.
 * @par Thread safety    as the work: it runs on the executor of the coroutine that awaits this.
 * @par Complexity       one timer for each delay; nothing if the first attempt succeeds.
 */
template <class MakeWork, class ShouldRetry = detail::retry_always>
    requires detail::makes_awaitable<std::decay_t<MakeWork>> &&
             std::predicate<std::decay_t<ShouldRetry>&, const std::exception_ptr&>
[[nodiscard]] auto retry(
    retry_policy policy,
    MakeWork&& make_work,
    ShouldRetry&& should_retry = ShouldRetry()
) -> std::invoke_result_t<std::decay_t<MakeWork>&>
{
    using work = std::decay_t<MakeWork>;
    static_assert(
        detail::destroyed_once<MakeWork> && detail::destroyed_once<ShouldRetry>,
        SLUICE_DESTROYED_TWICE
    );
    using result = typename std::invoke_result_t<work&>::value_type;
    return detail::run_retries<result, work, std::decay_t<ShouldRetry>>(
        policy,
        std::forward<MakeWork>(make_work),
        std::forward<ShouldRetry>(should_retry)
    );
}

}  // namespace sluice
