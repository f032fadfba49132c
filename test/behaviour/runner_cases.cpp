// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The queue runner: the cases of TensorFlow's queue_runner_test, and D10, D12 and D13. Left
// out: one runner in several sessions, because a runner has one queue and runs once at a time.

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/runner/queue_runner.hpp>
#include <sluice/runner/queue_runner_collection.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;
using test::record;

namespace runner_cases {

asio::awaitable<void> fail()
{
    throw std::runtime_error("broken");
    co_return;
}

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

    // Adds 1 to a counter, three times; then it is the end of its input.
    auto count_to_three()
    {
        return [this]() -> asio::awaitable<void> {
            if (counter == 3)
                throw sluice::system_error(errc::end_of_queue);
            ++counter;
            co_return;
        };
    }

    auto forward()
    {
        return [this]() -> asio::awaitable<void> {
            co_await queue.enqueue(co_await source.dequeue());
        };
    }

    auto fill()
    {
        return [this]() -> asio::awaitable<void> {
            const int next = counter++;
            co_await queue.enqueue(next);
        };
    }

    // What join() reports, if it is complete when all has run dry.
    std::string joined_with()
    {
        const auto join = coord.async_join(record);
        run();
        return join.done() ? text_of(join.exception()) : "the join waits";
    }

    int counter = 0;
    sluice::fifo_queue<int> source{ctx, {.capacity = 3, .name = "source"}};
    sluice::fifo_queue<int> queue{ctx, {.capacity = 30, .name = "queue"}};
    sluice::coordinator coord{ctx};
};

}  // namespace runner_cases

BOOST_FIXTURE_TEST_SUITE(runner_cases, runner_fixture)

// TensorFlow's cases

BOOST_AUTO_TEST_CASE(exceptions_are_captured_without_a_coordinator)
{
    sluice::queue_runner runner{queue, {fail, fail}};
    BOOST_TEST(runner.start(ctx));
    run();

    BOOST_TEST(runner.exceptions_raised().size() == 2u);
    for (const auto& exception : runner.exceptions_raised())
        BOOST_TEST(text_of(exception) == "broken");
}

BOOST_AUTO_TEST_CASE(real_dequeue_enqueue_passes_the_end_on)
{
    sluice::queue_runner runner{queue, forward()};
    BOOST_TEST(source.try_enqueue(10));
    BOOST_TEST(source.try_enqueue(10));
    source.close();
    BOOST_TEST(runner.start(ctx));
    run();

    BOOST_TEST(!runner.is_running());
    BOOST_TEST(runner.exceptions_raised().empty());
    const auto batch = queue.async_dequeue_many(2, record);
    const auto after = queue.async_dequeue(record);
    run();
    batch.check_value(std::vector<int>{10, 10});
    after.check_error(errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(runner_respects_a_stop_before_its_start)
{
    sluice::queue_runner runner{queue, count_to_three()};
    coord.request_stop();

    BOOST_CHECK_THROW(runner.start(coord), sluice::system_error);

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(counter == 0);
}

BOOST_AUTO_TEST_CASE(runner_respects_a_stop_before_its_first_operation)
{
    sluice::queue_runner runner{queue, count_to_three(), 2};
    BOOST_TEST(runner.start(coord));
    coord.request_stop();

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(counter == 0);
    BOOST_TEST(queue.is_closed());
    BOOST_TEST(!runner.is_running());
}

BOOST_AUTO_TEST_CASE(failing_operation_is_the_error_of_the_coordinator)
{
    sluice::queue_runner runner{queue, fail};
    BOOST_TEST(runner.start(coord));

    BOOST_TEST(joined_with() == "broken");
    BOOST_TEST(coord.should_stop());
    BOOST_TEST(runner.exceptions_raised().empty());
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(stop_cancels_the_pending_enqueue)
{
    sluice::fifo_queue<int> small{ctx, {.capacity = 2}};
    sluice::queue_runner runner{small, [&]() -> asio::awaitable<void> {
                                    co_await small.enqueue(10);
                                }};
    BOOST_TEST(runner.start(coord));
    run();
    BOOST_TEST(small.try_dequeue().has_value());
    run();
    BOOST_TEST(small.size() == 2u);

    coord.request_stop();

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(small.size() == 2u);  // what was in stays in
    BOOST_TEST(small.try_dequeue_many(3).size() == 2u);
}

BOOST_AUTO_TEST_CASE(each_run_begins_with_no_exceptions)
{
    const sluice::feeder keeps_it_open{queue};
    sluice::queue_runner runner{queue, {count_to_three(), fail}};
    for (int round = 0; round != 2; ++round) {
        counter = 0;
        BOOST_TEST(runner.start(ctx));
        BOOST_TEST(runner.exceptions_raised().empty());
        run();

        BOOST_TEST(counter == 3);
        BOOST_TEST(runner.exceptions_raised().size() == 1u);
        BOOST_TEST(!runner.is_running());
    }
}

BOOST_AUTO_TEST_CASE(name_of_a_runner_is_that_of_its_queue)
{
    const sluice::queue_runner runner{queue, fail};

    BOOST_TEST(runner.name() == "queue");
}

BOOST_AUTO_TEST_CASE(start_queue_runners_starts_what_was_registered)
{
    const auto runner = std::make_shared<sluice::queue_runner>(queue, count_to_three());
    sluice::add_queue_runner(ctx, runner);

    BOOST_TEST(sluice::start_queue_runners(ctx, coord) == 1u);

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(counter == 3);
    BOOST_TEST(runner->exceptions_raised().empty());
}

// how queues are closed

BOOST_AUTO_TEST_CASE(lone_runner_that_fails_closes_its_queue)
{
    sluice::queue_runner runner{queue, fail};
    const auto consumer = queue.async_dequeue(record);
    BOOST_TEST(runner.start(ctx));
    run();

    consumer.check_error(errc::input_failed);
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(d10_queue_is_closed_with_the_first_failure_as_its_cause)
{
    // The failing worker ends first; a later one ends quietly and closes the queue.
    sluice::queue_runner runner{queue, {fail, forward()}};
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

BOOST_AUTO_TEST_CASE(d10_pending_enqueues_of_others_fail_with_the_queue)
{
    sluice::fifo_queue<int> small{ctx, {.capacity = 0}};
    const auto other = small.async_enqueue(1, record);
    sluice::queue_runner runner{small, fail};
    BOOST_TEST(runner.start(ctx));
    run();

    other.check_error(errc::queue_closed);
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

BOOST_AUTO_TEST_CASE(d13_stop_releases_a_worker_blocked_on_an_upstream_dequeue)
{
    sluice::queue_runner runner{queue, forward(), 2};
    BOOST_TEST(runner.start(coord));
    run();
    BOOST_TEST(coord.tasks().front().waiting_on == "dequeue on queue 'source'");

    coord.request_stop();

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(!source.is_closed());
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(last_worker_closes_and_closing_flows_downstream)
{
    sluice::fifo_queue<int> last{ctx, {.capacity = 1}};
    sluice::queue_runner first{queue, {forward(), forward()}};
    sluice::queue_runner second{last, [&]() -> asio::awaitable<void> {
                                    co_await last.enqueue(co_await queue.dequeue());
                                }};
    BOOST_TEST(first.start(coord));
    BOOST_TEST(second.start(coord));
    const auto consumer = spawn([&]() -> asio::awaitable<int> {
        int sum = 0;
        while (const auto item = co_await last.next())
            sum += *item;
        co_return sum;
    });
    for (int i = 1; i <= 3; ++i)
        BOOST_TEST(source.try_enqueue(int{i}));
    run();
    BOOST_TEST(consumer.check_pending());

    source.close();
    run();

    BOOST_TEST(consumer.result() == 6);
    BOOST_TEST(!coord.should_stop());  // the end of the input is no reason to stop
    BOOST_TEST(joined_with() == "none");
}

BOOST_AUTO_TEST_CASE(close_waits_for_the_last_worker_not_for_the_first)
{
    sluice::queue_runner runner{queue, {count_to_three(), forward()}};
    BOOST_TEST(runner.start(coord));
    run();
    BOOST_TEST(coord.tasks().size() == 1u);
    BOOST_TEST(!queue.is_closed());

    source.close();
    run();

    BOOST_TEST(queue.is_closed());
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
    sluice::queue_runner runner{queue, fail};
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
    sluice::queue_runner runner{queue, fail};
    BOOST_TEST(runner.start(scope));
    run();

    BOOST_TEST(queue.is_closed());
    BOOST_TEST(!scope.should_stop());
    BOOST_TEST(!runner.is_running());
}

// bodies

BOOST_AUTO_TEST_CASE(body_that_loops_by_itself_is_allowed)
{
    sluice::queue_runner runner{queue, [this]() -> asio::awaitable<void> {
                                    for (int i = 0; i != 5; ++i)
                                        co_await queue.enqueue(int{i});
                                    throw sluice::system_error(errc::end_of_queue);
                                }};
    BOOST_TEST(runner.start(coord));

    BOOST_TEST(joined_with() == "none");
    BOOST_TEST(queue.size() == 5u);
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(p5_operation_that_is_always_ready_does_not_starve_the_others)
{
    sluice::fifo_queue<int> large{ctx, {.capacity = sluice::unbounded}};
    sluice::queue_runner busy{large, [&]() -> asio::awaitable<void> {
                                  ++counter;
                                  co_return;
                              }};
    BOOST_TEST(busy.start(coord));
    int others = 0;
    const auto other = spawn([&]() -> asio::awaitable<void> {
        for (; others != 10; ++others)
            co_await asio::post(ctx, asio::use_awaitable);
        coord.request_stop();
    });

    BOOST_TEST(joined_with() == "none");

    BOOST_TEST(other.check_done());
    BOOST_TEST(counter > 0);
}

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

BOOST_AUTO_TEST_CASE(runner_of_a_queue_that_the_stop_closed_is_not_started_again)
{
    sluice::queue_runner runner{queue, fail};
    BOOST_TEST(runner.start(coord));
    BOOST_TEST(joined_with() == "broken");
    coord.clear_stop();

    BOOST_CHECK_EXCEPTION(
        runner.start(coord),
        sluice::system_error,
        [](const sluice::system_error& error) {
            return error.code() == sluice::errc::queue_closed;
        }
    );
    BOOST_TEST(joined_with() == "none");
}

// threads

BOOST_AUTO_TEST_CASE(first_program_of_the_documentation_runs)
{
    sluice::io_context_pool pool{2};
    sluice::fifo_queue<int> examples{pool, {.capacity = 50}};
    sluice::coordinator scope{pool};
    std::atomic<int> made{0};
    sluice::queue_runner runner{
        examples,
        [&]() -> asio::awaitable<void> { co_await examples.enqueue(++made); },
        4
    };
    BOOST_TEST(runner.start(scope));
    std::size_t taken = 0;

    pool.run([&]() -> asio::awaitable<void> {
        for (int step = 0; step != 100 && !scope.should_stop(); ++step)
            taken += (co_await examples.dequeue_many(32)).size();
        scope.request_stop();
        co_await scope.join();
    });

    BOOST_TEST(taken == 3200u);
    BOOST_TEST(examples.is_closed());
    BOOST_TEST(!runner.is_running());
}

BOOST_AUTO_TEST_SUITE_END()
