// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D10 D12 S22

// The queue runner: the cases of TensorFlow's queue_runner_test, and D10 and D12. Left
// out: one runner in several sessions, because a runner has one queue and runs once at a time.

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::record;

namespace runner_cases {

std::string text_of(const std::exception_ptr& exception)
{
    return exception ? sluice::test::message_of(exception) : "none";
}

struct runner_fixture : test::io_fixture
{
    ~runner_fixture()
    {
        coord.request_stop();
        source.close(sluice::close_mode::cancel_pending);
        queue.close(sluice::close_mode::cancel_pending);
        run();
    }

    auto forward()
    {
        return [this]() -> asio::awaitable<void> {
            co_await queue.enqueue(co_await source.dequeue());
        };
    }

    // What join() reports, if it is complete when all has run dry.
    std::string joined_with()
    {
        const auto join = coord.async_join(record);
        run();
        return join.done() ? text_of(join.exception()) : "the join waits";
    }

    sluice::fifo_queue<int> source{ctx, {.capacity = 3, .name = "source"}};
    sluice::fifo_queue<int> queue{ctx, {.capacity = 30, .name = "queue"}};
    sluice::coordinator coord{ctx};
};

}  // namespace runner_cases

BOOST_FIXTURE_TEST_SUITE(runner_cases, runner_fixture)

// how queues are closed

BOOST_AUTO_TEST_CASE(d10_queue_is_closed_with_the_first_failure_as_its_cause)
{
    // The failing worker ends first; a later one ends quietly and closes the queue.
    sluice::queue_runner runner{queue, {test::fails, forward()}};
    BOOST_TEST(source.try_enqueue(1));
    BOOST_TEST(runner.start(ctx));
    run();
    BOOST_TEST(!queue.is_closed());
    source.close();
    const auto consumer = spawn([this]() -> asio::awaitable<void> {
        for (;;)
            BOOST_TEST(co_await queue.dequeue() == 1);
    });
    run();

    BOOST_TEST(text_of(consumer.error()) == "broken");  // after the drain
    BOOST_TEST(runner.exceptions_raised().size() == 1u);
}

BOOST_AUTO_TEST_CASE(d12_queue_closed_by_hand_is_a_clean_end)
{
    sluice::fifo_queue<int> small{ctx, {.capacity = 1}};
    sluice::queue_runner runner{
        small,
        [&]() -> asio::awaitable<void> { co_await small.enqueue(1); },
        3
    };
    BOOST_TEST(runner.start(coord));
    run();

    small.close(sluice::close_mode::cancel_pending);

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(!coord.should_stop());
    BOOST_TEST(coord.exceptions().empty());
    BOOST_TEST(!runner.is_running());
}

BOOST_AUTO_TEST_CASE(failure_stops_the_scope_before_the_queue_is_closed)
{
    bool open = false;
    // Asked before every stop for an error.
    const auto is_clean_stop = [&](const std::exception_ptr&) {
        open = !queue.is_closed();
        return false;
    };
    sluice::coordinator scope{ctx, {.is_clean_stop = is_clean_stop}};
    sluice::queue_runner runner{queue, test::fails};
    BOOST_TEST(runner.start(scope));
    run();

    BOOST_TEST(open);
    BOOST_TEST(queue.is_closed());
    BOOST_TEST(scope.should_stop());
    BOOST_TEST(scope.exceptions().size() == 1u);
    BOOST_TEST(!runner.is_running());
}

BOOST_AUTO_TEST_CASE(failure_that_is_clean_to_the_scope_closes_the_queue_only)
{
    sluice::coordinator scope{
        ctx,
        {.is_clean_stop = [](const std::exception_ptr& exception
                          ) { return text_of(exception) == "broken"; }}
    };
    sluice::queue_runner runner{queue, test::fails};
    BOOST_TEST(runner.start(scope));
    run();

    BOOST_TEST(queue.is_closed());
    BOOST_TEST(!scope.should_stop());
    BOOST_TEST(!runner.is_running());
}

// bodies

BOOST_AUTO_TEST_CASE(s22_workers_keep_the_operations_of_a_runner_that_is_destroyed)
{
    auto captured = std::make_shared<int>();
    const std::weak_ptr<int> life = captured;
    std::optional<sluice::queue_runner> runner;
    runner.emplace(
        queue,
        [this, captured = std::move(captured)]() -> asio::awaitable<void> {
            *captured += co_await source.dequeue();
            co_await queue.enqueue(int{*captured});
        }
    );
    BOOST_TEST(runner->start(coord));
    run();

    runner.reset();
    for (int i = 1; i <= 3; ++i)
        BOOST_TEST(source.try_enqueue(int{i}));
    source.close();
    run();

    BOOST_TEST(queue.try_dequeue_many(9) == (std::vector<int>{1, 3, 6}));
    BOOST_TEST(queue.is_closed());
    BOOST_TEST(life.expired());
}

BOOST_AUTO_TEST_SUITE_END()
