// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S50 S51

#include <sluice/coordination/with_tasks.hpp>

#include "support/io_fixture.hpp"
#include "support/tasks.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using namespace std::chrono_literals;
using asio::awaitable;
using sluice::errc;

namespace with_tasks_cases {

// Counts the coroutines that have a part of it: what they refer to must outlive them all.
class shared_local
{
public:
    class part
    {
    public:
        explicit part(shared_local& owner) : owner_(&owner) { ++owner.parts_; }
        part(part&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
        part& operator=(part&&) = delete;
        ~part()
        {
            if (owner_ != nullptr)
                --owner_->parts_;
        }

    private:
        shared_local* owner_;
    };

    ~shared_local() { BOOST_TEST(parts_ == 0); }

private:
    int parts_ = 0;
};

awaitable<void> hold(shared_local::part /*until it ends*/)
{
    co_await test::until_stopped();
}

struct fixture : test::io_fixture
{
    // In spite of a stop, until the gate is opened.
    awaitable<void> ignore_the_stop()
    {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        (void)co_await gate.next();
    }

    sluice::fifo_queue<int> numbers{ctx, {.capacity = 4, .name = "numbers"}};
    sluice::fifo_queue<int> gate{ctx, {.capacity = 4, .name = "gate"}};
    bool ended = false;
};

// A scope in a coroutine with something that its tasks refer to.
struct scope_scenario
{
    explicit scope_scenario(asio::io_context& context) : queue(context, {.capacity = 1})
    {
    }

    awaitable<void> run()
    {
        shared_local local;
        co_await sluice::with_tasks(
            queue.get_executor(),
            [&](sluice::coordinator& tasks) -> awaitable<void> {
                for (int i = 0; i < 3; ++i)
                    tasks.spawn("holder", hold(shared_local::part(local)));
                const shared_local::part mine(local);
                tasks.spawn("consumer", [&]() -> awaitable<void> {
                    const shared_local::part other(local);
                    while (co_await queue.next()) {}
                });
                for (int i = 0; i < 3; ++i)
                    co_await queue.enqueue(i);
                tasks.request_stop();
            }
        );
    }

    sluice::fifo_queue<int> queue;
};

}  // namespace with_tasks_cases

using namespace with_tasks_cases;

BOOST_FIXTURE_TEST_SUITE(with_tasks, fixture)

// the ordinary end

BOOST_AUTO_TEST_CASE(scope_gives_the_result_of_its_body_when_the_tasks_have_ended)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<int> {
        tasks.spawn("consumer", [&]() -> awaitable<void> {
            while (co_await numbers.next()) {}
            ended = true;
        });
        co_return 7;
    }));
    run();
    scope.check_pending();  // no stop: the task has its input first
    BOOST_TEST(!ended);

    numbers.close();
    run();

    BOOST_TEST(ended);
    BOOST_TEST(scope.result() == 7);
}

BOOST_AUTO_TEST_CASE(scope_takes_an_executor_a_strand_and_options)
{
    const auto strand = asio::make_strand(ctx);
    const auto count = [](sluice::coordinator& tasks) { return tasks.tasks().size(); };

    BOOST_TEST(run_until_done(sluice::with_tasks(ctx.get_executor(), count)) == 1u);
    BOOST_TEST(run_until_done(sluice::with_tasks(strand, count)) == 1u);
    BOOST_TEST(
        run_until_done(sluice::with_tasks(ctx, {.stop_grace_period = 1s}, count)) == 1u
    );
}

BOOST_AUTO_TEST_CASE(body_is_listed_and_join_does_not_wait_for_it)
{
    std::string names;
    bool joined = false;
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<void> {
        tasks.spawn("consumer", [&]() -> awaitable<void> {
            (void)co_await numbers.next();
        });
        for (const auto& task : tasks.tasks())
            names += task.name + ' ';
        co_await tasks.join();
        joined = true;
    }));
    run();
    BOOST_TEST(names == "body consumer ");
    BOOST_TEST(!joined);

    numbers.close();
    run();

    BOOST_TEST(joined);
    scope.result();
}

BOOST_AUTO_TEST_CASE(task_that_is_spawned_after_the_end_is_refused)
{
    sluice::coordinator* escaped = nullptr;
    std::optional<sluice::coordinator> child;
    int refused = 0;
    const auto spawn_on = [&](sluice::coordinator& on) {
        try {
            on.spawn("late", test::until_stopped());
        } catch (const sluice::system_error& error) {
            refused += error.code() == errc::stop_requested ? 1 : 0;
        }
    };
    const auto scope = spawn(sluice::with_tasks(ctx, [&](sluice::coordinator& tasks) {
        escaped = &tasks;
        child.emplace(tasks);
        child->spawn("the last", test::until_stopped());
    }));
    while (child == std::nullopt)
        ctx.run_one();
    // The last task ends, and the coroutine that awaits the scope has not yet gone on.
    run_until([&] { return child->tasks().size() == 1; });
    child->request_stop();
    while (!child->tasks().empty())
        ctx.run_one();

    spawn_on(*escaped);
    spawn_on(*child);

    BOOST_TEST(refused == 2);
    run();
    scope.result();
    child.reset();
}

// errors

BOOST_AUTO_TEST_CASE(exception_of_the_body_stops_the_tasks_and_is_thrown)
{
    const auto scope = spawn([&]() -> awaitable<void> {
        shared_local local;
        co_await sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<void> {
            tasks.spawn("one", hold(shared_local::part(local)));
            co_await numbers.dequeue();
            throw std::runtime_error("the body");
        });
    });
    run();
    scope.check_pending();

    BOOST_TEST(numbers.try_enqueue(1));
    run();

    BOOST_CHECK_EXCEPTION(scope.result(), std::runtime_error, [](const auto& error) {
        return std::string(error.what()) == "the body";
    });
}

BOOST_AUTO_TEST_CASE(failure_of_a_task_cancels_the_body_and_is_thrown)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<int> {
        tasks.spawn("healthy", test::until_stopped());
        tasks.spawn("broken", test::fails());
        co_return co_await numbers.dequeue();
    }));

    run();

    BOOST_CHECK_THROW((void)scope.result(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(clean_exception_of_the_body_is_a_stop_and_is_thrown_all_the_same)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<void> {
        tasks.spawn("other", test::until_stopped());
        (void)co_await numbers.dequeue();
    }));
    run();
    scope.check_pending();

    numbers.close();
    run();

    scope.check_error(errc::end_of_queue);
}

// a stop

BOOST_AUTO_TEST_CASE(stop_ends_the_body_and_the_tasks_without_an_error)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<void> {
        tasks.spawn("other", test::until_stopped());
        tasks.spawn("stopper", [&]() -> awaitable<void> {
            tasks.request_stop();
            co_return;
        });
        co_await test::until_stopped();
    }));

    run();

    scope.result();
}

BOOST_AUTO_TEST_CASE(stop_of_a_body_that_owes_a_result_is_an_error)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<int> {
        tasks.request_stop();
        co_return co_await numbers.dequeue();
    }));

    run();

    scope.check_error(errc::stop_requested);
}

// a cancellation from outside

BOOST_AUTO_TEST_CASE(cancelled_by_each_type_while_the_body_runs)
{
    for (const auto type :
         {asio::cancellation_type::terminal,
          asio::cancellation_type::partial,
          asio::cancellation_type::total}) {
        const auto scope = spawn([&]() -> awaitable<void> {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_total_cancellation()
            );
            shared_local local;
            co_await sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<void> {
                tasks.spawn("other", hold(shared_local::part(local)));
                co_await hold(shared_local::part(local));
            });
        });
        run();

        scope.cancel(type);
        run();

        scope.check_error(asio::error::operation_aborted);
    }
}

BOOST_AUTO_TEST_CASE(cancelled_while_it_joins_gives_no_result)
{
    const auto scope = spawn([&]() -> awaitable<int> {
        shared_local local;
        co_return co_await sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<int> {
            tasks.spawn("other", hold(shared_local::part(local)));
            co_return 7;
        });
    });
    run();
    scope.check_pending();

    scope.cancel();
    run();

    scope.check_error(asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(cancelled_before_the_start_calls_no_body)
{
    bool called = false;
    const auto scope = spawn([&]() -> awaitable<void> {
        co_await asio::this_coro::throw_if_cancelled(false);
        (void)co_await numbers.next().as_tuple();
        co_await asio::this_coro::throw_if_cancelled(true);
        co_await sluice::with_tasks(ctx, [&](auto&) { called = true; });
    });
    run();

    scope.cancel();
    run();

    scope.check_error(asio::error::operation_aborted);
    BOOST_TEST(!called);
}

BOOST_AUTO_TEST_CASE(error_takes_precedence_over_the_cancellation)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& tasks) -> awaitable<void> {
        tasks.spawn("committer", [&]() -> awaitable<void> {
            co_await ignore_the_stop();
            throw std::runtime_error("cannot commit");
        });
        co_await test::until_stopped();
    }));
    run();

    scope.cancel();
    gate.close();
    run();

    BOOST_CHECK_THROW(scope.result(), std::runtime_error);
}

// scopes in scopes

BOOST_AUTO_TEST_CASE(failure_in_an_inner_scope_may_be_handled_by_the_outer_body)
{
    const auto scope = spawn(sluice::with_tasks(ctx, [&](auto& outer) -> awaitable<int> {
        outer.spawn("healthy", [&]() -> awaitable<void> {
            (void)co_await gate.next();
            ended = true;
        });
        try {
            co_await sluice::with_tasks(outer, [](auto& inner) {
                inner.spawn("broken", test::fails());
            });
        } catch (const std::runtime_error&) {
            BOOST_TEST(!outer.should_stop());
            gate.close();
        }
        co_return 7;
    }));

    run();

    BOOST_TEST(scope.result() == 7);
    BOOST_TEST(ended);
}

BOOST_AUTO_TEST_CASE(stop_of_the_outer_scope_ends_the_inner_one_first)
{
    for (const bool is_child : {false, true}) {
        std::vector<std::string> ends;
        const auto scope =
            spawn(sluice::with_tasks(ctx, [&](auto& outer) -> awaitable<void> {
                const auto body = [&](sluice::coordinator& inner) -> awaitable<void> {
                    inner.spawn("other", test::until_stopped());
                    outer.request_stop();
                    co_await inner.join();
                };
                try {
                    if (is_child)
                        co_await sluice::with_tasks(outer, body);
                    else
                        co_await sluice::with_tasks(ctx, body);
                } catch (const sluice::system_error& error) {
                    BOOST_TEST(error.code() == asio::error::operation_aborted);
                    ends.emplace_back("inner");
                    throw;
                }
            }));

        run();

        scope.result();
        BOOST_TEST(ends.size() == 1u);
    }
}

BOOST_AUTO_TEST_CASE(parent_lists_stops_and_waits_for_the_scope_but_has_none_of_its_errors
)
{
    sluice::coordinator parent{ctx};
    const auto scope =
        spawn(sluice::with_tasks(parent, [&](auto& tasks) -> awaitable<void> {
            tasks.spawn("committer", [&]() -> awaitable<void> {
                co_await ignore_the_stop();
                throw std::runtime_error("cannot commit");
            });
            co_await test::until_stopped();
        }));
    const auto join = spawn(parent.join());
    run();
    BOOST_TEST(parent.tasks().size() == 2u);

    parent.request_stop();
    run();
    BOOST_TEST(parent.tasks().size() == 1u);
    join.check_pending();
    gate.close();
    run();

    join.result();
    BOOST_TEST(parent.exceptions().empty());
    BOOST_CHECK_THROW(scope.result(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(scope_of_a_parent_that_has_stopped_does_not_begin)
{
    sluice::coordinator parent{ctx};
    parent.request_stop();
    bool called = false;
    const auto scope = spawn(sluice::with_tasks(parent, [&](auto&) { called = true; }));

    run();

    scope.check_error(errc::stop_requested);
    BOOST_TEST(!called);
}

// destruction

BOOST_AUTO_TEST_CASE(abandoned_scope_leaves_nothing_and_goes_after_its_tasks)
{
    for (const bool context_first : {true, false}) {
        bool has_ended = false;
        for (int handlers = 0; !has_ended; ++handlers) {
            auto context = std::make_unique<asio::io_context>();
            auto scenario = std::make_unique<scope_scenario>(*context);
            asio::co_spawn(*context, scenario->run(), [&](const std::exception_ptr&) {
                has_ended = true;
            });
            for (int i = 0; i < handlers; ++i)
                context->poll_one();
            if (context_first)
                context.reset();
            scenario.reset();
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
