// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S30

#include <sluice/queue/fill_after.hpp>

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>

namespace fill_after {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using test::record;
using element = std::unique_ptr<int>;

struct fixture : test::io_fixture
{
    // A delayed element, of which nothing has begun yet.
    template <class Duration>
    asio::awaitable<void> later(Duration delay)
    {
        return sluice::fill_after(q.try_reserve(), delay, std::make_unique<int>(7));
    }

    void check_is_in()
    {
        BOOST_TEST_REQUIRE(q.size() == 1U);
        BOOST_TEST(*q.try_dequeue().value() == 7);
        BOOST_TEST(q.stats().places == 0U);
    }

    sluice::fifo_queue<element> q{ctx, {.capacity = 1}};
};

struct fragile_less
{
    bool operator()(int a, int b) const
    {
        if ((a == 13 || b == 13) && (*failures)-- > 0)
            throw std::runtime_error("compared");
        return a < b;
    }

    std::shared_ptr<int> failures = std::make_shared<int>(1);
};

}  // namespace fill_after

BOOST_FIXTURE_TEST_SUITE(fill_after, fill_after::fixture)

BOOST_AUTO_TEST_CASE(element_goes_in_when_the_delay_is_over)
{
    run_until_done(spawn(later(1ms)));
    check_is_in();
    run_until_done(spawn(later(-1ms)));
    check_is_in();
}

BOOST_AUTO_TEST_CASE(meanwhile_it_has_a_place_and_the_queue_does_not_end)
{
    const auto waits = spawn(later(1h));
    auto taken = q.async_dequeue(record);
    auto end = q.async_dequeue(record);
    run();
    BOOST_TEST(!q.try_enqueue(nullptr));
    q.close();
    run();
    taken.check_pending();
    end.check_pending();
    waits.cancel();
    run();
    BOOST_TEST(*taken.check_success().value().value() == 7);
    end.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(cancellation_puts_it_in_at_once_and_is_no_failure)
{
    const auto waits = spawn(later(std::chrono::hours::max()));
    run();
    waits.check_pending();
    waits.cancel();
    run();
    BOOST_TEST(waits.done());
    BOOST_TEST(!waits.error());
    check_is_in();
}

BOOST_AUTO_TEST_CASE(stop_puts_it_in_whether_the_task_waits_has_not_begun_or_is_refused)
{
    for (const bool has_begun : {true, false}) {
        sluice::coordinator coord{ctx};
        coord.spawn("retry", later(1h));
        if (has_begun)
            run();
        coord.request_stop();
        run_until_done([&] { return coord.join(); });
        check_is_in();
        BOOST_CHECK_THROW(coord.spawn("retry", later(1h)), sluice::system_error);
        check_is_in();
        run();
    }
}

BOOST_AUTO_TEST_CASE(coroutine_that_dies_puts_it_in)
{
    {
        asio::io_context dies;
        asio::co_spawn(dies, later(1h), asio::detached);
        dies.poll();
        BOOST_TEST(q.size() == 0U);
    }
    check_is_in();
    {
        const auto never_awaited = later(1h);
        BOOST_TEST(q.size() == 0U);
    }
    check_is_in();
}

BOOST_AUTO_TEST_CASE(permit_without_a_place_is_refused)
{
    q.close();
    BOOST_CHECK_EXCEPTION(
        (void)sluice::fill_after(q.try_reserve(), 1ms, nullptr),
        sluice::system_error,
        [](const auto& failure) { return failure.code() == errc::invalid_argument; }
    );
}

BOOST_AUTO_TEST_CASE(comparison_that_throws_returns_the_place)  // P10
{
    sluice::priority_queue<int, fill_after::fragile_less> sorted{ctx, {.capacity = 2}};
    BOOST_TEST(sorted.try_enqueue(1));
    const auto late = spawn(sluice::fill_after(sorted.try_reserve(), 1ms, 13));
    BOOST_CHECK_THROW(run_until_done(late), std::runtime_error);
    BOOST_TEST(sorted.stats().places == 0U);
    BOOST_TEST(sorted.size() == 1U);  // what has failed is not tried again
}

BOOST_AUTO_TEST_SUITE_END()
