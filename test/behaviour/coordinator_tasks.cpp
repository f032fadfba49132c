// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: D13 S17 S18

// What a stop does to tasks, whatever they wait for, and who is named when it does not
// help.

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/run_threads.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using asio::experimental::awaitable_operators::operator&&;
using asio::experimental::awaitable_operators::operator||;
using namespace std::chrono_literals;
using asio::ip::tcp;
using sluice::errc;
using test::record;

namespace coordinator_tasks {

asio::awaitable<void> nothing_of()
{
    co_return;
}

// Meanwhile no file, socket or event can be opened.
class no_descriptors
{
public:
    no_descriptors()
    {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none{0, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &none);
    }

    no_descriptors(const no_descriptors&) = delete;
    no_descriptors& operator=(const no_descriptors&) = delete;
    ~no_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

struct tasks_fixture : test::io_fixture
{
    ~tasks_fixture()
    {
        coord.request_stop();
        lonely.close();
        run();
    }

    // Runs an operation as a task that has to wait, stops, and gives what it ended with.
    std::exception_ptr stopped_while(std::function<asio::awaitable<void>()> wait)
    {
        std::exception_ptr ended_with;
        coord.spawn("task", [&]() -> asio::awaitable<void> {
            try {
                co_await wait();
            } catch (...) {
                ended_with = std::current_exception();
                throw;
            }
        });
        const auto join = coord.async_join(record);
        run();
        join.check_pending();

        coord.request_stop();
        run();

        join.check_success();
        return ended_with;
    }

    // A task that is not interested in the stop, and ends when the test closes `lonely`.
    void spawn_stubborn(sluice::coordinator& scope, const std::string& name)
    {
        scope.spawn(name, [this]() -> asio::awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation(
            ));
            co_await lonely.dequeue_many(3);
        });
    }

    std::vector<sluice::error_code> codes;  // what a task has seen
    sluice::fifo_queue<int> lonely{
        ctx,
        {.capacity = sluice::unbounded, .name = "lonely"}
    };
    sluice::fifo_queue<int> full{ctx, {.capacity = 0, .name = "full"}};
    sluice::coordinator coord{ctx};
};

}  // namespace coordinator_tasks

BOOST_FIXTURE_TEST_SUITE(coordinator_tasks, tasks_fixture)

// a stop cancels whatever a task waits for

BOOST_AUTO_TEST_CASE(d13_stop_cancels_operations_of_queues_on_both_sides)
{
    std::array<int, 2> rows{1, 2};
    const std::vector<std::function<asio::awaitable<void>()>> waits{
        [&]() -> asio::awaitable<void> { co_await lonely.dequeue(); },
        [&]() -> asio::awaitable<void> { co_await lonely.next(); },
        [&]() -> asio::awaitable<void> { co_await lonely.dequeue_many(3); },
        [&]() -> asio::awaitable<void> { co_await lonely.dequeue_up_to(3); },
        [&]() -> asio::awaitable<void> { co_await lonely.dequeue_some(3); },
        [&]() -> asio::awaitable<void> {
            co_await lonely.async_dequeue(asio::use_awaitable);
        },
        [&]() -> asio::awaitable<void> { co_await full.enqueue(1); },
        [&]() -> asio::awaitable<void> { co_await full.enqueue_many(rows); },
        [&]() -> asio::awaitable<void> {
            co_await full.async_enqueue(1, asio::use_awaitable);
        },
    };

    for (std::size_t i = 0; i != waits.size(); ++i) {
        BOOST_TEST_CONTEXT("operation " << i)
        {
            test::check_error(stopped_while(waits[i]), asio::error::operation_aborted);
            coord.clear_stop();
        }
    }
    BOOST_TEST(!lonely.is_closed());
}

// after the stop (level-triggered)

BOOST_AUTO_TEST_CASE(s17_operations_started_after_the_stop_are_aborted)
{
    std::vector<std::exception_ptr> ended_with;
    coord.spawn("task", [&]() -> asio::awaitable<void> {
        try {
            co_await lonely.dequeue();
        } catch (const sluice::system_error&) {
        }
        try {
            co_await lonely.dequeue();
        } catch (...) {
            ended_with.push_back(std::current_exception());
        }
        try {
            co_await full.enqueue(1);
        } catch (...) {
            ended_with.push_back(std::current_exception());
        }
    });
    run();

    coord.request_stop();
    run();

    BOOST_REQUIRE(ended_with.size() == 2u);
    for (const auto& exception : ended_with)
        test::check_error(exception, asio::error::operation_aborted);
    BOOST_TEST(coord.tasks().empty());
}

BOOST_AUTO_TEST_CASE(s17_task_that_is_not_thrown_out_is_aborted_at_its_next_wait)
{
    coord.spawn("task", [&]() -> asio::awaitable<void> {
        co_await asio::this_coro::throw_if_cancelled(false);
        for (int i = 0; i != 2; ++i) {
            const auto [ec, item] = co_await lonely.dequeue().as_tuple();
            codes.push_back(ec);
        }
    });
    run();

    coord.request_stop();
    run();

    BOOST_REQUIRE(codes.size() == 2u);
    BOOST_TEST(codes[0] == asio::error::operation_aborted);
    BOOST_TEST(codes[1] == asio::error::operation_aborted);
    BOOST_TEST(coord.tasks().empty());
}

// each task on its own strand

BOOST_AUTO_TEST_CASE(stop_is_emitted_on_the_strand_of_the_task)
{
    for (int round = 0; round != 100; ++round) {
        sluice::io_context_pool pool{2};
        sluice::coordinator scope{pool};
        sluice::fifo_queue<int> never{pool, {.capacity = sluice::unbounded}};
        std::atomic<int> started{0};
        for (int i = 0; i != 4; ++i)
            scope.spawn("racing", [&]() -> asio::awaitable<void> {
                ++started;
                co_await (
                    never.async_dequeue(asio::use_awaitable) ||
                    never.async_dequeue(asio::use_awaitable)
                );
            });

        test::run_threads(4, [&] { scope.request_stop(); });
        pool.run(scope.async_join(asio::use_awaitable));

        BOOST_TEST(scope.tasks().empty());
        BOOST_TEST(scope.exceptions().empty());
    }
}

// On such an executor Asio posts the cancellation once more, to a task that may have ended.
BOOST_AUTO_TEST_CASE(
    stop_finds_a_task_that_is_about_to_end_on_an_executor_that_never_blocks
)
{
    for (std::size_t handlers = 0; handlers < 12; ++handlers) {
        asio::io_context context;
        sluice::coordinator scope(asio::any_io_executor(
            asio::require(context.get_executor(), asio::execution::blocking.never)
        ));
        scope.spawn("ends", []() -> asio::awaitable<void> {
            co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        });
        for (std::size_t i = 0; i < handlers; ++i)
            context.poll_one();
        scope.request_stop();
        context.restart();
        context.run();
        BOOST_TEST(scope.tasks().empty());
    }
}

// what spawn() takes and gives

BOOST_AUTO_TEST_CASE(spawn_gives_an_exception_to_a_token_and_stops_all_the_same)
{
    auto failing = coord.spawn("failing", test::fails(), asio::use_future);
    run();

    BOOST_CHECK_THROW(failing.get(), std::runtime_error);
    BOOST_CHECK_THROW(coord.rethrow_requested_exception(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(slot_of_a_token_cancels_its_task_alone)
{
    for (const auto type :
         {asio::cancellation_type::terminal, asio::cancellation_type::all}) {
        const auto one = coord.spawn(
            "one",
            [&]() -> asio::awaitable<void> { co_await lonely.dequeue(); },
            record.cancellable()
        );
        run();
        BOOST_TEST(coord.tasks().size() == 1u);

        one.cancel(type);
        one.check_pending();  // until the task has ended
        run();

        one.check_error(asio::error::operation_aborted);
        BOOST_TEST(!coord.should_stop());
    }
    BOOST_TEST(coord.exceptions().empty());
}

BOOST_AUTO_TEST_CASE(slot_of_a_token_is_let_go_before_the_handler_is_called)
{
    asio::cancellation_signal signal;
    bool is_called = false;
    coord.spawn(
        "task",
        nothing_of(),
        asio::bind_cancellation_slot(
            signal.slot(),
            [&](const std::exception_ptr&) {
                is_called = true;
                BOOST_TEST(!signal.slot().has_handler());
            }
        )
    );
    BOOST_TEST(signal.slot().has_handler());
    run();

    BOOST_TEST(is_called);
}

BOOST_AUTO_TEST_CASE(spawn_refuses_an_awaitable_of_an_executor_that_it_has_not)
{
    using pool_executor = asio::thread_pool::executor_type;
    const auto body = []() -> asio::awaitable<void, pool_executor> { co_return; };

    BOOST_CHECK_EXCEPTION(coord.spawn("task", body), sluice::system_error, [](auto& e) {
        return e.code() == errc::invalid_argument;
    });
    auto told = coord.spawn("task", body(), asio::use_future);
    run();

    BOOST_CHECK_THROW(told.get(), sluice::system_error);
    BOOST_TEST(coord.tasks().empty());
}

// P9: tasks that still run

BOOST_AUTO_TEST_CASE(stop_and_grace_period_need_no_descriptors)
{
    asio::io_context context;  // in which nothing has used a timer
    sluice::coordinator scope{context, {.stop_grace_period = 0s}};
    spawn_stubborn(scope, "patient");
    context.poll();
    const auto join = scope.async_join(record);

    {
        const no_descriptors limit;
        scope.request_stop();
        while (!join.done())
            context.run_one();
    }

    join.check_error(errc::tasks_still_running);
    lonely.close();
    context.run();
}

BOOST_AUTO_TEST_SUITE_END()
