// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/task_info.hpp>

#include "support/io_fixture.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/detail/waiting/coarse_clock.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace asio = boost::asio;
namespace test = sluice::test;
using asio::experimental::awaitable_operators::operator||;

namespace task_info {

struct task_fixture : test::io_fixture
{
    ~task_fixture()
    {
        coord.request_stop();
        run();
    }

    [[nodiscard]] sluice::task_info only_task() const
    {
        const auto tasks = coord.tasks();
        BOOST_REQUIRE(tasks.size() == 1u);
        return tasks.front();
    }

    sluice::fifo_queue<int> lines{ctx, {.capacity = 1, .name = "lines"}};
    sluice::fifo_queue<int> words{ctx, {.capacity = 1, .name = "words"}};
    sluice::coordinator coord{ctx};
};

}  // namespace task_info

BOOST_FIXTURE_TEST_SUITE(task_info, task_fixture)

BOOST_AUTO_TEST_CASE(task_in_words_says_what_it_waits_on_and_for_how_long)
{
    const auto since = std::chrono::steady_clock::now() - std::chrono::hours(1);

    const std::string waits = to_string(
        sluice::task_info{"reader", "dequeue on queue 'lines'", since}
    );
    const std::string runs = to_string(sluice::task_info{"parser", "", since});

    BOOST_TEST(waits.starts_with("'reader' waiting on dequeue on queue 'lines' for 36"));
    BOOST_TEST(runs.starts_with("'parser' awaiting something other than a queue for 36"));
    BOOST_TEST(runs.ends_with(" ms"));
    sluice::task_info busy{"busy", "", since};
    busy.is_running = true;
    BOOST_TEST(to_string(busy).starts_with("'busy' running for 36"));
    const std::string is_ready = to_string(sluice::task_info{"writer", "", since, true});
    BOOST_TEST(is_ready.starts_with("'writer' ready, with no free thread, for 36"));
}

BOOST_AUTO_TEST_CASE(operations_side_by_side_are_all_named)
{
    coord.spawn("merger", [&]() -> asio::awaitable<void> {
        co_await (
            lines.async_dequeue(asio::use_awaitable) ||
            words.async_dequeue(asio::use_awaitable)
        );
    });
    run();

    const std::string waiting_on = only_task().waiting_on;

    BOOST_TEST(waiting_on.find("dequeue on queue 'lines'") != std::string::npos);
    BOOST_TEST(waiting_on.find("dequeue on queue 'words'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(foreign_await_has_no_description)
{
    coord.spawn("sleeper", [&]() -> asio::awaitable<void> {
        asio::steady_timer never{ctx, asio::steady_timer::time_point::max()};
        co_await never.async_wait(asio::use_awaitable);
    });
    run();

    BOOST_TEST(only_task().waiting_on == "");
}

// The coroutine runs on a strand of its own: nothing of it passes the executor of the task.
BOOST_AUTO_TEST_CASE(task_that_awaits_a_coroutine_elsewhere_says_where_it_was_spawned)
{
    const auto strand = asio::make_strand(ctx.get_executor());
    const auto work = [&]() -> asio::awaitable<void> { co_await lines.dequeue(); };
    const int line = __LINE__ + 1;
    coord.spawn("hops", [&]() -> asio::awaitable<void> {
        co_await asio::co_spawn(strand, work, asio::use_awaitable);
    });
    run();

    const sluice::task_info task = only_task();

    BOOST_TEST(task.waiting_on == "");
    BOOST_TEST(!task.is_running);
    BOOST_TEST(static_cast<int>(task.spawned_at.line()) == line);
    BOOST_TEST(to_string(task).ends_with(
        std::string(" ms, spawned at ") + __FILE__ + ':' + std::to_string(line)
    ));
}

BOOST_AUTO_TEST_CASE(task_is_running_while_a_thread_runs_it)
{
    std::string seen;
    coord.spawn("looks", [&]() -> asio::awaitable<void> {
        seen = to_string(only_task());
        co_return;
    });
    run();

    BOOST_TEST(seen.starts_with("'looks' running for "));
}

BOOST_AUTO_TEST_CASE(since_moves_on_when_something_else_is_awaited)
{
    asio::steady_timer first{ctx, asio::steady_timer::time_point::max()};
    asio::steady_timer second{ctx, asio::steady_timer::time_point::max()};
    coord.spawn("waits", [&]() -> asio::awaitable<void> {
        co_await first.async_wait(asio::as_tuple(asio::use_awaitable));
        co_await second.async_wait(asio::as_tuple(asio::use_awaitable));
    });
    run();
    const auto at_the_first = only_task().since;
    while (sluice::detail::coarse_now() <= at_the_first)
        std::this_thread::yield();  // until the next tick of the clock

    first.cancel();
    run();

    BOOST_TEST((only_task().since > at_the_first));
    second.cancel();
    run();
}

BOOST_AUTO_TEST_SUITE_END()
