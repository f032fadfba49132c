// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/task/retry.hpp>

#include "support/io_fixture.hpp"
#include <sluice/error.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace retry {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using sluice::retry_policy;
using sluice::system_error;

// No case depends on how long something takes: delays are none, or an hour that is cut off.
constexpr retry_policy at_once{.attempts = 3, .first_delay = 0ns};
constexpr retry_policy late{.attempts = 3, .first_delay = 1h, .max_delay = 1h};

std::vector<std::chrono::nanoseconds> delays_of(
    const retry_policy& policy,
    std::size_t count
)
{
    sluice::detail::retry_delays delays(policy);
    std::vector<std::chrono::nanoseconds> all;
    while (all.size() < count)
        all.push_back(delays.next());
    return all;
}

struct fixture : test::io_fixture
{
    // Fails until the attempt of that number, which gives its number.
    asio::awaitable<std::size_t> succeed_at(std::size_t number)
    {
        if (++attempts < number)
            throw std::runtime_error("attempt " + std::to_string(attempts));
        co_return attempts;
    }

    asio::awaitable<void> fail_with(sluice::error_code code)
    {
        ++attempts;
        throw system_error(code);
        co_return;
    }

    auto start(const retry_policy& policy, std::size_t number)
    {
        return spawn([this, policy, number] {
            return sluice::retry(policy, [this, number] { return succeed_at(number); });
        });
    }

    std::size_t attempts = 0;
};

}  // namespace retry

BOOST_FIXTURE_TEST_SUITE(retry, fixture)

BOOST_AUTO_TEST_CASE(first_success_is_the_result)
{
    BOOST_TEST(run_until_done(start(late, 1)) == 1U);
    BOOST_TEST(run_until_done(start(at_once, 3)) == 3U);
}

BOOST_AUTO_TEST_CASE(last_error_passes)
{
    const auto work = start(at_once, 9);
    BOOST_CHECK_EXCEPTION(
        run_until_done(work),
        std::runtime_error,
        [](const auto& error) { return error.what() == std::string("attempt 3"); }
    );
    BOOST_TEST(attempts == 3U);
}

BOOST_AUTO_TEST_CASE(cancellations_and_ordinary_ends_are_no_failures)
{
    const std::vector<sluice::error_code> codes{
        asio::error::operation_aborted,
        errc::stop_requested,
        errc::queue_closed,
        errc::end_of_queue
    };
    for (const auto& code : codes) {
        BOOST_TEST_CONTEXT(code.message())
        {
            attempts = 0;
            const auto work = spawn([&] {
                return sluice::retry(at_once, [&] { return fail_with(code); });
            });
            run();
            work.check_error(code);
            BOOST_TEST(attempts == 1U);
        }
    }
}

BOOST_AUTO_TEST_CASE(time_limit_that_passed_is_a_failure)
{
    const auto work = spawn([&] {
        return sluice::retry(at_once, [&] { return fail_with(errc::timed_out); });
    });
    run_until([&] { return work.done(); });
    work.check_error(errc::timed_out);
    BOOST_TEST(attempts == 3U);
}

BOOST_AUTO_TEST_CASE(caller_may_choose_what_is_done_again)
{
    std::size_t asked = 0;
    const auto work = spawn([&] {
        return sluice::retry(
            at_once,
            [&] { return succeed_at(9); },
            [&](const std::exception_ptr& error) {
                BOOST_TEST((error != nullptr));
                return ++asked < 2;
            }
        );
    });
    BOOST_CHECK_THROW(run_until_done(work), std::runtime_error);
    BOOST_TEST(attempts == 2U);
}

BOOST_AUTO_TEST_CASE(cancellation_ends_a_delay_at_once)
{
    const auto work = start(late, 9);
    run();
    work.check_pending();
    work.cancel();
    run();
    work.check_error(asio::error::operation_aborted);
    BOOST_TEST(attempts == 1U);
}

// The work answers the cancellation with an error of its own, and its caller does not throw.
BOOST_AUTO_TEST_CASE(no_attempt_begins_after_a_cancellation)
{
    const auto work = spawn([&]() -> asio::awaitable<void> {
        co_await asio::this_coro::throw_if_cancelled(false);
        co_await sluice::retry(at_once, [&]() -> asio::awaitable<void> {
            ++attempts;
            co_await settle();
            throw std::runtime_error("interrupted");
        });
    });
    ctx.poll_one();
    work.cancel();
    run_until([&] { return work.done(); });
    BOOST_CHECK_THROW(work.result(), std::runtime_error);
    BOOST_TEST(attempts == 1U);
}

BOOST_AUTO_TEST_CASE(delays_grow_up_to_the_longest)
{
    const auto delays =
        delays_of({.first_delay = 1s, .factor = 3.0, .max_delay = 10s}, 5);
    BOOST_TEST((delays == std::vector<std::chrono::nanoseconds>{1s, 3s, 9s, 10s, 10s}));
}

BOOST_AUTO_TEST_CASE(delays_beyond_the_clock_stay_positive)
{
    constexpr auto longest = std::chrono::nanoseconds::max();
    const retry_policy policy{
        .first_delay = longest,
        .factor = 1e300,
        .max_delay = longest
    };
    for (const auto& each : delays_of(policy, 3))
        BOOST_TEST((each > std::chrono::hours(24 * 365 * 200)));
}

BOOST_AUTO_TEST_CASE(jitter_shortens_by_its_part_at_most)
{
    for (const auto& each :
         delays_of({.first_delay = 1s, .factor = 1.0, .jitter = 0.25}, 1000))
        BOOST_TEST((each > 749ms && each <= 1s));
}

BOOST_AUTO_TEST_CASE(policies_outside_their_ranges_are_refused)
{
    constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
    const std::vector<retry_policy> wrong{
        {.attempts = 0},
        {.first_delay = -1ns},
        {.max_delay = -1ns},
        {.factor = 0.9},
        {.factor = no_number},
        {.factor = std::numeric_limits<double>::infinity()},
        {.jitter = -0.1},
        {.jitter = 1.1},
        {.jitter = no_number}
    };
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        BOOST_TEST_CONTEXT(i)
        {
            const auto work = start(wrong[i], 1);
            run();
            work.check_error(errc::invalid_argument);
            BOOST_TEST(attempts == 0U);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
