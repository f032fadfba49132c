// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/deadline_service.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <utility>

namespace asio = boost::asio;
namespace detail = sluice::detail;
namespace test = sluice::test;
using clock_type = std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace deadline_service {

struct recording_deadline final : detail::deadline_entry
{
    explicit recording_deadline(std::string& expired, char label)
        : expired_(expired), label_(label)
    {
    }

    void expire() noexcept override { expired_ += label_; }

private:
    std::string& expired_;
    char label_;
};

struct called_deadline final : detail::deadline_entry
{
    explicit called_deadline(std::function<void()> on_expiry) : call(std::move(on_expiry))
    {
    }

    void expire() noexcept override { call(); }

private:
    std::function<void()> call;
};

struct deadline_fixture : sluice::test::io_fixture
{
    void arm(recording_deadline& entry, clock_type::time_point when)
    {
        service.arm(entry, when);
    }

    detail::deadline_service& service = asio::use_service<detail::deadline_service>(ctx);
    std::string expired;
    recording_deadline a{expired, 'a'};
    recording_deadline b{expired, 'b'};
    recording_deadline c{expired, 'c'};
    const clock_type::time_point now = clock_type::now();
};

}  // namespace deadline_service

BOOST_FIXTURE_TEST_SUITE(deadline_service, deadline_fixture)

BOOST_AUTO_TEST_CASE(entries_expire_in_the_order_of_their_deadlines)
{
    arm(b, now + 2ms);
    arm(c, now + 3ms);
    arm(a, now + 1ms);  // earlier than what the timer is set for
    run_until([&] { return expired.size() == 3; });
    BOOST_TEST(expired == "abc");
}

BOOST_AUTO_TEST_CASE(arming_that_finds_no_memory_changes_nothing)
{
    arm(b, now + 1ms);
    const auto failures = test::for_each_failure([&](test::allocation_budget& budget) {
        const test::failing_new region(budget);
        arm(a, now);  // earlier than what the timer is set for
        service.disarm(a);
    });
    BOOST_TEST(failures > 0U);
    BOOST_TEST(!a.is_linked());
    run_until([&] { return !expired.empty(); });
    BOOST_TEST(expired == "b");
}

BOOST_AUTO_TEST_CASE(entries_may_be_armed_and_disarmed_while_another_expires)
{
    // What an operation does whose executor runs or drops it at once.
    called_deadline reentrant([&] {
        arm(a, now + 1ms);
        arm(b, now + 1h);
        service.disarm(b);
        service.disarm(reentrant);
    });
    service.arm(reentrant, now);
    run_until([&] { return !expired.empty(); });
    BOOST_TEST(expired == "a");
}

BOOST_AUTO_TEST_CASE(expiry_that_takes_long_keeps_no_other_thread_waiting)
{
    std::latch armed(1);
    called_deadline slow([&] { armed.wait(); });
    service.arm(slow, now);
    std::jthread other([this] { ctx.run(); });
    // Neither waits for `slow`, which waits for this thread.
    arm(a, now + 1h);
    service.disarm(a);
    armed.count_down();
    service.disarm(slow);
    other.join();
    BOOST_TEST(expired.empty());
}

BOOST_AUTO_TEST_CASE(disarming_waits_for_an_expiry_on_another_thread)
{
    std::latch began(1);
    bool has_ended = false;
    called_deadline slow([&] {
        began.count_down();
        std::this_thread::yield();
        has_ended = true;
    });
    service.arm(slow, now);
    std::jthread other([this] { ctx.run(); });
    began.wait();
    service.disarm(slow);
    BOOST_TEST(has_ended);
    other.join();
}

BOOST_AUTO_TEST_CASE(later_deadlines_pass_while_an_expiry_takes_long)
{
    std::latch passed(1);
    called_deadline later([&] { passed.count_down(); });
    called_deadline slow([&] {
        service.arm(later, clock_type::now() + 1ms);
        passed.wait();
    });
    service.arm(slow, now);
    std::jthread other([this] { ctx.run(); });
    ctx.run();
    BOOST_TEST(!later.is_linked());
}

BOOST_AUTO_TEST_SUITE_END()
