// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S31

#include <sluice/task/sync_wait.hpp>

#include "support/check_error.hpp"
#include "support/message_of.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/errc.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace sync_wait {

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;

constexpr auto soon = 1ms;  // must pass, and has nothing to race with
constexpr auto late = 1h;   // must not pass

// No thread runs this context: what completes an operation wakes the thread.
struct fixture
{
    // What the thread that waits in `work` ends with, if `then` happens while it waits.
    std::exception_ptr error_of(
        const std::function<void()>& work,
        const std::function<void()>& then
    ) const
    {
        const auto core = numbers.get();
        std::exception_ptr error;
        {
            const std::jthread waits([&] {
                try {
                    work();
                } catch (...) {
                    error = std::current_exception();
                }
            });
            while (core->stats().waiting_consumers == 0)
                std::this_thread::yield();
            then();
        }
        return error;
    }

    std::optional<asio::io_context> ctx{std::in_place};
    using queue = sluice::fifo_queue<int>;
    std::unique_ptr<queue> numbers = std::make_unique<queue>(
        *ctx,
        sluice::queue_options{.capacity = 2, .name = "numbers"}
    );
};

const auto deadlock = make_error_code(boost::system::errc::resource_deadlock_would_occur);

// What waiting for an operation of a queue on this thread gives.
sluice::error_code code_here(sluice::fifo_queue<int>& numbers)
{
    try {
        sluice::sync_wait(numbers.next());
        return {};
    } catch (const sluice::system_error& error) {
        return error.code();
    }
}

}  // namespace sync_wait

BOOST_FIXTURE_TEST_SUITE(sync_wait, sync_wait::fixture)

BOOST_AUTO_TEST_CASE(ready_operation_gives_what_co_await_gives)
{
    const int three = 3;
    sluice::sync_wait(numbers->enqueue(three));
    std::vector<int> more{4};
    BOOST_TEST(sluice::sync_wait(numbers->enqueue_many(more)) == 1U);
    BOOST_TEST(sluice::sync_wait(numbers->dequeue()) == 3);
    BOOST_TEST(sluice::sync_wait(numbers->next()).value() == 4);
    sluice::sync_wait(numbers->emplace(5));
    auto stored = numbers->dequeue_many(1);
    BOOST_TEST(sluice::sync_wait(std::move(stored)) == std::vector<int>{5});
    const auto [error, number] = sluice::sync_wait(numbers->dequeue().within(0s).as_tuple(
    ));
    BOOST_TEST(error == errc::timed_out);
    BOOST_TEST(!number);
    sluice::sync_wait(numbers->reserve()).fill(6);
    BOOST_TEST(
        std::get<0>(
            sluice::sync_wait(sluice::select(numbers->dequeue(), numbers->reserve()))
        ) == 6
    );
}

BOOST_AUTO_TEST_CASE(every_element_passes_between_threads_while_no_thread_runs_the_context
)
{
    constexpr int count = 5000;
    std::jthread producer([&] {
        for (int i = 1; i <= count; ++i)
            sluice::sync_wait(numbers->enqueue(i));
        numbers->close();
    });
    long sum = 0;
    while (const auto number = sluice::sync_wait(numbers->next()))
        sum += *number;
    BOOST_TEST(sum == count * (count + 1L) / 2);
}

BOOST_AUTO_TEST_CASE(failure_names_the_queue_and_a_cause_is_thrown_as_it_is)
{
    const auto take = [&] { sluice::sync_wait(numbers->dequeue_many(2)); };
    const auto end = error_of(take, [&] { numbers->close(); });
    test::check_error(end, errc::end_of_queue);
    BOOST_TEST(test::message_of(end).find("dequeue_many(2) on queue 'numbers'") == 0U);

    numbers = std::make_unique<queue>(*ctx, sluice::queue_options{.capacity = 2});
    const auto cause = std::make_exception_ptr(std::runtime_error("the disk is full"));
    BOOST_CHECK_THROW(
        std::rethrow_exception(error_of(take, [&] { numbers->close(cause); })),
        std::runtime_error
    );
}

BOOST_AUTO_TEST_CASE(limit_passes_while_no_thread_runs_the_context)
{
    BOOST_CHECK_THROW(
        sluice::sync_wait(numbers->dequeue().within(soon)),
        sluice::system_error
    );
    const auto when = std::chrono::system_clock::now() + soon;
    const auto [error, number] = sluice::sync_wait(
        numbers->dequeue().until(when).as_tuple()
    );
    BOOST_TEST(error == errc::timed_out);
    BOOST_TEST(numbers->stats().waiting_consumers == 0U);
    const auto never = error_of(
        [&] { sluice::sync_wait(numbers->dequeue().within(std::chrono::hours::max())); },
        [&] { numbers->cancel(); }
    );
    test::check_error(never, asio::error::operation_aborted);
}

// P12

BOOST_AUTO_TEST_CASE(thread_wakes_when_the_queue_is_destroyed)
{
    test::check_error(
        error_of(
            [q = numbers.get()] { sluice::sync_wait(q->dequeue()); },
            [&] { numbers.reset(); }
        ),
        errc::end_of_queue
    );
}

BOOST_AUTO_TEST_CASE(thread_wakes_when_the_context_is_destroyed)
{
    test::check_error(
        error_of([&] { sluice::sync_wait(numbers->dequeue()); }, [&] { ctx.reset(); }),
        asio::error::operation_aborted
    );
    BOOST_TEST(numbers->try_enqueue(1));  // nothing waits any more
    BOOST_TEST(numbers->size() == 1U);

    ctx.emplace();
    numbers = std::make_unique<queue>(*ctx, sluice::queue_options{.capacity = 2});
    queue others{*ctx, {.capacity = 2}};
    const auto both = [&] {
        sluice::sync_wait(
            sluice::select(others.dequeue(), numbers->dequeue()).within(late)
        );
    };
    test::check_error(
        error_of(both, [&] { ctx.reset(); }),
        asio::error::operation_aborted
    );
}

// Where it would block the threads that end the wait

BOOST_AUTO_TEST_CASE(
    thread_that_runs_the_context_is_refused_although_the_operation_is_ready
)
{
    BOOST_TEST(numbers->try_enqueue(1));
    std::vector<sluice::error_code> codes;
    const auto note = [&] { codes.push_back(code_here(*numbers)); };
    asio::post(*ctx, note);
    asio::post(asio::make_strand(*ctx), note);
    asio::post(asio::make_strand(asio::any_io_executor(ctx->get_executor())), note);
    sluice::coordinator coord{*ctx};
    coord.spawn("task", [&]() -> asio::awaitable<void> {
        note();
        co_return;
    });
    ctx->run();
    BOOST_TEST(codes.size() == 4U);
    for (const auto& code : codes)
        BOOST_TEST(code == deadlock);
    BOOST_TEST(numbers->size() == 1U);
    BOOST_TEST(!code_here(*numbers));  // not inside of run() any more
}

BOOST_AUTO_TEST_CASE(thread_of_another_context_may_wait)
{
    BOOST_TEST(numbers->try_enqueue(1));
    asio::thread_pool pool{1};
    queue of_pool{pool, {.capacity = 1}};
    sluice::error_code own;
    sluice::error_code other = deadlock;
    asio::post(pool, [&] {
        own = code_here(of_pool);
        other = code_here(*numbers);
    });
    pool.join();
    BOOST_TEST(own == deadlock);
    BOOST_TEST(!other);
}

// Two threads whose limits pass about when the elements come: each element is taken once.
BOOST_AUTO_TEST_CASE(deadline_races_with_the_element)
{
    constexpr int count = 3000;
    std::vector<long> sums(2);
    {
        std::vector<std::jthread> consumers;
        for (long& sum : sums)
            consumers.emplace_back([&] {
                for (;;) {
                    const auto [error, number] = sluice::sync_wait(
                        numbers->next().within(std::chrono::microseconds(20)).as_tuple()
                    );
                    if (number)
                        sum += *number;
                    else if (!error)
                        return;  // the end
                }
            });
        for (int i = 1; i <= count; ++i)
            sluice::sync_wait(numbers->enqueue(i));
        numbers->close();
    }
    BOOST_TEST(std::accumulate(sums.begin(), sums.end(), 0L) == count * (count + 1L) / 2);
}

BOOST_AUTO_TEST_SUITE_END()
