// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/task_handle.hpp>

#include "support/allocation_counter.hpp"
#include "support/check_error.hpp"
#include "support/foreign_task.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using sluice::errc;
using sluice::task_state;
using test::record;

namespace task_handle {

// Neither default-constructible nor assignable.
struct ticket
{
    explicit ticket(int value) : number(value) {}
    ticket(ticket&&) noexcept = default;
    ticket& operator=(ticket&&) = delete;

    int number;
};

struct handle_fixture : test::io_fixture
{
    ~handle_fixture()
    {
        lines.close();
        if (coord)
            coord->request_stop();
        run();
    }

    // Waits until the test closes `lines`, or a cancellation comes.
    asio::awaitable<int> read()
    {
        while (co_await lines.next())
            ++read_so_far;
        co_return read_so_far;
    }

    auto spawn_reader()
    {
        return coord->spawn("reader", [this] { return read(); });
    }

    int read_so_far = 0;
    sluice::fifo_queue<int> lines{ctx, {.capacity = sluice::unbounded, .name = "lines"}};
    std::optional<sluice::coordinator> coord{ctx};
};

asio::awaitable<ticket> draw(int number)
{
    co_return ticket(number);
}

test::foreign_task<int> foreign_result(sluice::task_handle<int> task)
{
    co_return co_await task.result();
}

}  // namespace task_handle

BOOST_FIXTURE_TEST_SUITE(task_handle, handle_fixture)

BOOST_AUTO_TEST_CASE(handle_of_any_task_is_one_without_a_result)
{
    static_assert(std::is_same_v<decltype(spawn_reader()), sluice::task_handle<int>>);
    static_assert(std::is_copy_constructible_v<sluice::task_handle<ticket>>);
    static_assert(!std::is_default_constructible_v<sluice::task_handle<>>);
    std::vector<sluice::task_handle<>> tasks;

    tasks.push_back(spawn_reader());
    tasks.push_back(coord->spawn("nothing", []() -> asio::awaitable<void> { co_return; })
    );
    lines.close();
    run();

    for (const auto& task : tasks)
        BOOST_TEST((task.state() == task_state::completed));
    BOOST_TEST(tasks.front().name() == "reader");
}

BOOST_AUTO_TEST_CASE(handle_that_is_awaited_late_keeps_no_coordinator)
{
    asio::io_context other;
    auto token = std::make_shared<int>();
    const std::weak_ptr<int> is_alive = token;
    coord.emplace(ctx, sluice::coordinator_options{.on_overdue = [token](const auto&) {
                  }});
    token.reset();
    {
        const auto task = coord->spawn("task", [] { return draw(7); });
        run();
        coord.reset();
        task.join()(asio::bind_executor(other.get_executor(), record));
        test::run_dry(other);
    }
    BOOST_TEST(is_alive.expired());
}

// state

BOOST_AUTO_TEST_CASE(state_tells_how_the_coordinator_counts_the_end)
{
    const auto returned = spawn_reader();
    const auto at_the_end_of_input =
        coord->spawn("reader", [&]() -> asio::awaitable<void> {
            for (;;)
                co_await lines.dequeue();
        });
    BOOST_TEST((returned.state() == task_state::running));
    run();
    BOOST_TEST((returned.state() == task_state::running));
    lines.close();
    run();

    BOOST_TEST((returned.state() == task_state::completed));
    BOOST_TEST((at_the_end_of_input.state() == task_state::completed));
    BOOST_TEST(!coord->should_stop());

    const auto failing = coord->spawn("failing", test::fails());
    run();

    BOOST_TEST((failing.state() == task_state::failed));
    BOOST_TEST(coord->should_stop());
}

BOOST_AUTO_TEST_CASE(state_after_a_stop_is_cancelled_unless_the_task_returns)
{
    const auto reader = coord->spawn("reader", [&]() -> asio::awaitable<void> {
        co_await lines.dequeue();
    });
    const auto quiet = coord->spawn("quiet", [&]() -> asio::awaitable<void> {
        co_await lines.dequeue().as_tuple();
    });
    run();
    const auto not_begun = spawn_reader();

    coord->request_stop();
    run();

    BOOST_TEST((reader.state() == task_state::cancelled));
    BOOST_TEST((quiet.state() == task_state::completed));
    BOOST_TEST((not_begun.state() == task_state::cancelled));
}

// join

BOOST_AUTO_TEST_CASE(join_is_a_branch_of_a_select)
{
    sluice::fifo_queue<int> other{ctx, {.capacity = 1}};
    const auto task = spawn_reader();
    const auto both = spawn([&]() -> asio::awaitable<std::size_t> {
        const auto first = co_await sluice::select(task.join(), other.dequeue());
        const auto second = co_await sluice::select(task.join(), other.dequeue());
        co_return first.index() * 10 + second.index();
    });
    run();

    BOOST_TEST(other.try_enqueue(1));
    run();
    lines.close();
    run();

    BOOST_TEST(both.result() == 10u);
}

// result

BOOST_AUTO_TEST_CASE(result_is_moved_out_and_needs_no_default_constructor)
{
    const auto task = coord->spawn("draw", draw(7));
    const auto number = spawn([&]() -> asio::awaitable<int> {
        co_return (co_await task.result()).number;
    });
    run();
    BOOST_TEST(number.result() == 7);

    const auto again = task.result()(record);
    run();

    again.check_error(errc::invalid_argument);
    BOOST_TEST((task.state() == task_state::completed));
}

BOOST_AUTO_TEST_CASE(result_throws_what_the_task_threw_each_time)
{
    const auto task = coord->spawn("failing", test::fails());
    const sluice::task_handle<>& base = task;
    const auto early = task.result()(record);
    run();
    const auto late = base.result()(record);
    run();

    BOOST_TEST(test::message_of(early.exception()) == "broken");
    BOOST_TEST(test::message_of(late.exception()) == "broken");
}

BOOST_AUTO_TEST_CASE(result_that_is_limited_cancelled_or_destroyed_leaves_the_value)
{
    const auto task = spawn_reader();
    const auto limited = task.result().within(0s)(record);
    const auto cancelled = task.result()(record.cancellable());
    auto destroyed = foreign_result(task);
    destroyed.start();
    run();
    cancelled.cancel(asio::cancellation_type::terminal);
    lines.close();
    ctx.poll_one();  // the task ends, and a result is on its way
    destroyed.destroy();
    run();

    limited.check_error(errc::timed_out);
    cancelled.check_error(asio::error::operation_aborted);
    const auto number = spawn([&]() -> asio::awaitable<int> {
        co_return co_await task.result();
    });
    run();
    BOOST_TEST(number.result() == 0);
}

BOOST_AUTO_TEST_CASE(result_that_has_the_executor_of_its_task_is_no_cycle)
{
    auto life = std::make_shared<int>();
    const std::weak_ptr<int> watched = life;
    using made = std::pair<asio::ip::tcp::socket, std::shared_ptr<int>>;
    {
        const auto task =
            coord->spawn("open", [life = std::move(life)]() -> asio::awaitable<made> {
                co_return made{co_await asio::this_coro::executor, life};
            });
        run();
        BOOST_TEST((task.state() == task_state::completed));
    }

    BOOST_TEST(watched.expired());
}

// cancel

BOOST_AUTO_TEST_CASE(cancel_ends_one_task_and_is_no_error)
{
    const auto one = coord->spawn("one", [&]() -> asio::awaitable<void> {
        co_await lines.dequeue();
    });
    const auto other = spawn_reader();
    const auto result = one.result()(record);
    run();

    one.cancel();
    BOOST_TEST((one.state() == task_state::running));  // not within the call
    run();

    BOOST_TEST((one.state() == task_state::cancelled));
    result.check_error(asio::error::operation_aborted);
    BOOST_TEST((other.state() == task_state::running));
    BOOST_TEST(!coord->should_stop());
    BOOST_TEST(coord->exceptions().empty());
}

BOOST_AUTO_TEST_CASE(error_of_a_task_that_was_cancelled_counts)
{
    const auto task = coord->spawn("task", [&]() -> asio::awaitable<void> {
        co_await lines.dequeue().as_tuple();
        throw std::runtime_error("broken");
    });
    run();

    task.cancel();
    run();

    BOOST_TEST((task.state() == task_state::failed));
    BOOST_CHECK_THROW(coord->rethrow_requested_exception(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(cancel_emits_the_type_to_the_task)
{
    using type = asio::cancellation_type;
    const auto task = coord->spawn("task", [&]() -> asio::awaitable<type> {
        co_await asio::this_coro::reset_cancellation_state(
            asio::enable_total_cancellation()
        );
        co_await asio::this_coro::throw_if_cancelled(false);
        co_await lines.dequeue().as_tuple();
        co_return (co_await asio::this_coro::cancellation_state).cancelled();
    });
    run();

    task.cancel(type::none);
    run();
    BOOST_TEST((task.state() == task_state::running));
    task.cancel(type::total);
    const auto seen = spawn([&]() -> asio::awaitable<type> {
        co_return co_await task.result();
    });
    run();

    BOOST_TEST((seen.result() == type::total));
}

BOOST_AUTO_TEST_CASE(cancel_takes_no_memory)
{
    const auto task = spawn_reader();
    run();
    {
        const test::allocation_counter counter;
        task.cancel();
        counter.check_none();
    }
    run();

    BOOST_TEST((task.state() == task_state::cancelled));
}

// lifetimes

BOOST_AUTO_TEST_CASE(handle_outlives_task_coordinator_and_context)
{
    std::optional<asio::io_context> context(std::in_place);
    std::optional<sluice::coordinator> scope(std::in_place, *context);
    const auto ended = scope->spawn("draw", draw(7));
    test::run_dry(*context);
    const auto lost = scope->spawn("draw", draw(8));
    auto stored = ended.join();

    context.reset();
    scope.reset();

    BOOST_TEST((ended.state() == task_state::completed));
    BOOST_TEST((lost.state() == task_state::cancelled));
    lost.cancel();
    const auto drawn = ended.result()(record.on(ctx.get_executor()));
    const auto joined = std::move(stored)(record.on(ctx.get_executor()));
    run();
    drawn.check_success();
    joined.check_success();
}

BOOST_AUTO_TEST_SUITE_END()
