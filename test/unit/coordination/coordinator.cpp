// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/coordination/coordinator.hpp>

#include "support/errors_of.hpp"
#include "support/io_fixture.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/error.hpp>

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using test::record;

namespace coordinator {

const auto all_types = {
    asio::cancellation_type::terminal,
    asio::cancellation_type::partial,
    asio::cancellation_type::total,
};

struct coordinator_fixture : test::io_fixture
{
    // A task runs, so that a join has to wait.
    void spawn_task() { coord->spawn("task", test::until_stopped()); }

    std::optional<sluice::coordinator> coord{ctx};
};

}  // namespace coordinator

BOOST_FIXTURE_TEST_SUITE(coordinator, coordinator_fixture)

// construction, and what does not wait

BOOST_AUTO_TEST_CASE(child_with_an_executor_of_its_own_runs_its_tasks_there)
{
    asio::io_context other;
    sluice::coordinator child{*coord, other};
    sluice::coordinator by_executor{
        *coord,
        ctx.get_executor(),
        {.stop_grace_period = 2s}
    };
    bool has_run = false;
    child.spawn("task", [&]() -> asio::awaitable<void> {
        has_run = true;
        co_await test::until_stopped();
    });
    run();
    BOOST_TEST(!has_run);
    test::run_dry(other);
    BOOST_TEST(has_run);
    const auto join = coord->async_join(record);

    coord->request_stop();
    run();
    join.check_pending();  // the parent waits for the child
    other.restart();
    test::run_dry(other);
    run();

    join.check_success();
    BOOST_TEST((child.get_executor() == other.get_executor()));
    BOOST_TEST((by_executor.get_executor() == ctx.get_executor()));
}

BOOST_AUTO_TEST_CASE(spawn_takes_awaitables_and_callables)
{
    int calls = 0;
    const auto count = [&]() -> asio::awaitable<void> {
        ++calls;
        co_return;
    };
    auto owned = std::make_unique<int>(7);

    coord->spawn("awaitable", count());
    coord->spawn("callable", count);
    coord->spawn("move only", [&, owned = std::move(owned)]() -> asio::awaitable<void> {
        calls += *owned;
        co_return;
    });
    BOOST_TEST(calls == 0);  // never inside spawn()
    BOOST_TEST(coord->tasks().size() == 3u);
    run();

    BOOST_TEST(calls == 9);
    BOOST_TEST(coord->tasks().empty());
}

BOOST_AUTO_TEST_CASE(callable_is_kept_until_its_task_has_ended)
{
    auto captured = std::make_shared<int>();
    const std::weak_ptr<int> life = captured;
    coord->spawn("callable", [captured = std::move(captured)] {
        return test::until_stopped();
    });
    run();
    BOOST_TEST(!life.expired());

    coord->request_stop();
    run();

    BOOST_TEST(life.expired());
}

// destruction

BOOST_AUTO_TEST_CASE(destructor_names_the_tasks_that_run_in_a_debug_build)
{
    spawn_task();
    run();

    const std::string text = test::errors_of([&] { coord.reset(); });

#ifdef NDEBUG
    BOOST_TEST(text == "");
#else
    BOOST_TEST(
        text.starts_with("sluice: a coordinator is destroyed before its task 'task' ")
    );
#endif
    run();
}

// wait_for_stop

BOOST_AUTO_TEST_CASE(wait_for_stop_cancelled_by_each_type)
{
    for (const auto type : all_types) {
        const auto op = coord->async_wait_for_stop(record.cancellable());
        const auto other = coord->async_wait_for_stop(record.cancellable());

        op.cancel(type);
        run();

        op.check_error(asio::error::operation_aborted);
        other.check_pending();
        other.cancel(type);
        run();
    }
}

BOOST_AUTO_TEST_SUITE_END()
