// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/deadline_service.hpp>

#include "support/allocation_counter.hpp"
#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

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

struct deadline_fixture : sluice::test::io_fixture
{
    void arm(recording_deadline& entry, clock_type::time_point when)
    {
        service.arm(entry, when, [this] { return ctx.get_executor(); });
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

BOOST_AUTO_TEST_CASE(deadline_in_the_past_expires_but_not_inside_the_call)
{
    arm(a, now - 1h);
    BOOST_TEST(expired.empty());
    run_until([&] { return !expired.empty(); });
    BOOST_TEST(expired == "a");
}

BOOST_AUTO_TEST_CASE(disarmed_entry_does_not_expire_and_the_context_is_not_kept_busy)
{
    arm(a, now + 1h);
    arm(b, now + 2h);
    service.disarm(a);
    service.disarm(b);
    service.disarm(b);  // harmless
    // returns, because nothing is left to wait for
    ctx.run();
    BOOST_TEST(expired.empty());
}

BOOST_AUTO_TEST_CASE(disarming_the_earliest_leaves_the_others)
{
    arm(a, now + 1ms);
    arm(b, now + 2ms);
    service.disarm(a);
    run_until([&] { return !expired.empty(); });
    BOOST_TEST(expired == "b");
}

BOOST_AUTO_TEST_CASE(expired_entry_can_be_armed_again)
{
    arm(a, now);
    run_until([&] { return !expired.empty(); });
    arm(a, now);
    run_until([&] { return expired.size() == 2; });
    BOOST_TEST(expired == "aa");
}

BOOST_AUTO_TEST_CASE(equal_deadlines_all_expire)
{
    arm(a, now + 1ms);
    arm(b, now + 1ms);
    arm(c, now + 1ms);
    run_until([&] { return expired.size() == 3; });
    BOOST_TEST(expired.find('b') != std::string::npos);
}

BOOST_AUTO_TEST_CASE(executor_of_the_first_entry_may_be_a_strand)
{
    service.arm(a, now, [this] { return asio::make_strand(ctx); });
    run_until([&] { return !expired.empty(); });
    arm(b, now);
    run_until([&] { return expired.size() == 2; });
    BOOST_TEST(expired == "ab");
}

BOOST_AUTO_TEST_CASE(context_that_dies_expires_nothing)
{
    auto dying = std::make_unique<asio::io_context>();
    auto& its_service = asio::use_service<detail::deadline_service>(*dying);
    its_service.arm(a, now, [&] { return dying->get_executor(); });
    dying.reset();
    BOOST_TEST(expired.empty());
    BOOST_TEST(!a.is_linked());
}

BOOST_AUTO_TEST_SUITE_END()
