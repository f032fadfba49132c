// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S21

#include <sluice/runner/looper.hpp>

#include "support/io_fixture.hpp"
#include "support/manual_clock.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using test::manual_clock;
using test::record;

namespace looper {

using manual_looper = sluice::basic_looper<manual_clock>;
using times = std::vector<std::chrono::nanoseconds>;

struct looper_fixture : test::manual_clock_fixture, test::io_fixture
{
    ~looper_fixture()
    {
        coord.request_stop();
        run();
    }

    // A body that notes when it is called.
    auto noting()
    {
        return [this]() -> asio::awaitable<void> {
            calls.push_back(manual_clock::now().time_since_epoch());
            co_return;
        };
    }

    void advance(std::chrono::nanoseconds time)
    {
        manual_clock::advance(ctx, time);
        run();
    }

    times calls;
    sluice::coordinator coord{ctx};
};

}  // namespace looper

BOOST_FIXTURE_TEST_SUITE(looper, looper_fixture)

// when the body is called

BOOST_AUTO_TEST_CASE(first_call_is_at_once_but_not_in_the_constructor)
{
    const manual_looper loop{coord, 10s, noting()};
    BOOST_TEST(calls.empty());

    run();

    BOOST_TEST((calls == times{0s}));
}

BOOST_AUTO_TEST_CASE(calls_follow_at_the_interval_and_not_before)
{
    const manual_looper loop{coord, 10s, noting()};
    run();

    advance(9s);
    BOOST_TEST(calls.size() == 1u);
    advance(1s);
    BOOST_TEST(calls.size() == 2u);
    advance(10s);

    BOOST_TEST((calls == times{0s, 10s, 20s}));
}

BOOST_AUTO_TEST_CASE(due_times_do_not_drift)
{
    const manual_looper loop{coord, 10s, noting()};
    run();

    advance(13s);  // late by 3 s: the next is due at 20 s, not at 23 s
    advance(6s);
    BOOST_TEST(calls.size() == 2u);
    advance(1s);

    BOOST_TEST((calls == times{0s, 13s, 20s}));
}

BOOST_AUTO_TEST_CASE(missed_calls_follow_at_once_and_none_is_skipped)
{
    const manual_looper loop{coord, 10s, noting()};
    run();

    advance(35s);

    BOOST_TEST((calls == times{0s, 35s, 35s, 35s}));
    advance(5s);
    BOOST_TEST(calls.size() == 5u);
}

BOOST_AUTO_TEST_CASE(body_is_never_called_twice_at_a_time)
{
    sluice::fifo_queue<int> queue{ctx, {.capacity = sluice::unbounded}};
    int inside = 0;
    int most = 0;
    const manual_looper loop{coord, 1s, [&]() -> asio::awaitable<void> {
                                 most = std::max(most, ++inside);
                                 co_await queue.dequeue();
                                 --inside;
                                 calls.push_back(0s);
                             }};
    run();

    advance(10s);
    BOOST_TEST(inside == 1);
    for (int i = 0; i != 5; ++i)
        BOOST_TEST(queue.try_enqueue(int{i}));
    run();

    BOOST_TEST(most == 1);
    BOOST_TEST(calls.size() == 5u);
}

BOOST_AUTO_TEST_CASE(interval_of_zero_or_less_calls_back_to_back)
{
    for (const manual_clock::duration interval :
         {manual_clock::duration(0s),
          manual_clock::duration(-1s),
          manual_clock::duration::min()}) {
        sluice::coordinator scope{ctx};
        int left = 1000;
        int others = 0;
        const manual_looper loop{scope, interval, [&]() -> asio::awaitable<void> {
                                     if (--left == 0)
                                         scope.request_stop();
                                     co_return;
                                 }};
        asio::post(ctx, [&] { others += left > 0 ? 1 : 0; });

        run();

        BOOST_TEST(left == 0);
        BOOST_TEST(others == 1);  // P5: it was not kept waiting until the end
        BOOST_TEST(scope.tasks().empty());
    }
}

// how it ends

BOOST_AUTO_TEST_CASE(stop_interrupts_the_wait)
{
    const manual_looper loop{coord, 10s, noting()};
    run();
    BOOST_TEST(coord.tasks().size() == 1u);

    coord.request_stop();
    run();

    BOOST_TEST(coord.tasks().empty());
    BOOST_TEST(calls.size() == 1u);
    BOOST_TEST(coord.exceptions().empty());
}

// what it is

BOOST_AUTO_TEST_CASE(s21_it_is_a_supervised_task_with_a_name)
{
    const manual_looper unnamed{coord, 1s, noting()};
    const sluice::looper named{coord, 1h, noting(), "heartbeat"};

    const auto tasks = coord.tasks();
    BOOST_REQUIRE(tasks.size() == 2u);
    BOOST_TEST(tasks[0].name == "looper");
    BOOST_TEST(tasks[1].name == "heartbeat");
    const auto join = coord.async_join(record);
    run();
    join.check_pending();
    coord.request_stop();
    run();
    join.check_success();
}

BOOST_AUTO_TEST_CASE(looper_may_be_destroyed_while_it_runs)
{
    auto captured = std::make_shared<int>();
    const std::weak_ptr<int> life = captured;
    {
        const manual_looper loop{
            coord,
            10s,
            [this, captured = std::move(captured)]() -> asio::awaitable<void> {
                calls.push_back(manual_clock::now().time_since_epoch());
                co_return;
            }
        };
    }
    run();
    advance(10s);
    BOOST_TEST(calls.size() == 2u);
    BOOST_TEST(!life.expired());

    coord.request_stop();
    run();

    BOOST_TEST(life.expired());  // the body goes with its task
}

BOOST_AUTO_TEST_SUITE_END()
