// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: T11 S24

#include <sluice/runner/queue_runner.hpp>

#include "support/check_error.hpp"
#include "support/io_fixture.hpp"
#include "support/message_of.hpp"
#include "support/recording_handler.hpp"
#include "support/tasks.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/feeder.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/require.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace test = sluice::test;
using sluice::errc;
using test::record;
using namespace std::chrono_literals;
using op_type = sluice::queue_runner::operation;

namespace queue_runner {

struct runner_fixture : test::io_fixture
{
    ~runner_fixture()
    {
        queue.close(sluice::close_mode::cancel_pending);
        coord.request_stop();
        run();
    }

    // Fills the queue for ever.
    auto fill()
    {
        return [this]() -> asio::awaitable<void> { co_await queue.enqueue(1); };
    }

    sluice::fifo_queue<int> queue{ctx, {.capacity = 2, .name = "numbers"}};
    sluice::coordinator coord{ctx};
};

// Something happens before it schedules the next function.
struct interrupted_executor
{
    asio::execution_context& query(asio::execution::context_t) const noexcept
    {
        return inner.context();
    }

    interrupted_executor require(asio::execution::blocking_t::never_t) const
    {
        return *this;
    }

    template <class Function>
    void execute(Function&& function) const
    {
        if (const auto happens = std::exchange(*next, nullptr))
            happens();
        asio::require(inner, asio::execution::blocking.never)
            .execute(std::forward<Function>(function));
    }

    friend bool operator==(const interrupted_executor&, const interrupted_executor&) =
        default;

    asio::io_context::executor_type inner;
    std::function<void()>* next;
};

template <class Function>
std::exception_ptr thrown_by(Function f)
{
    try {
        f();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

}  // namespace queue_runner

BOOST_FIXTURE_TEST_SUITE(queue_runner, runner_fixture)

// construction

// It is no mere context, on which the workers would run unsupervised.
BOOST_AUTO_TEST_CASE(class_derived_from_coordinator_supervises_the_workers)
{
    struct scope_of_program : sluice::coordinator
    {
        using coordinator::coordinator;
    };
    scope_of_program program(ctx);
    sluice::queue_runner runner{queue, fill()};
    BOOST_TEST(runner.start(program));
    BOOST_TEST(program.tasks().size() == 1U);
    program.request_stop();
    run();
    BOOST_TEST(queue.is_closed());
}

// A class with such a constructor is no pointer, and need not compare with null.
BOOST_AUTO_TEST_CASE(operation_may_be_made_from_a_pointer)
{
    struct worker
    {
        explicit worker(sluice::fifo_queue<int>* of) : fed(of) {}
        asio::awaitable<bool> operator()() { co_return fed == nullptr; }
        sluice::fifo_queue<int>* fed;
    };
    BOOST_TEST(sluice::queue_runner(queue, worker(&queue)).size() == 1U);
}

BOOST_AUTO_TEST_CASE(runner_without_operations_is_refused)
{
    const auto none = thrown_by([&] { sluice::queue_runner(queue, fill(), 0); });
    const auto negative = thrown_by([&] { sluice::queue_runner(queue, fill(), -1); });
    const auto empty_list = thrown_by([&] {
        sluice::queue_runner(queue, std::vector<op_type>());
    });
    const auto empty_function = thrown_by([&] {
        const std::function<asio::awaitable<void>()> empty;
        sluice::queue_runner(queue, {fill(), empty}, {.name = "feeder"});
    });

    for (const auto& refusal : {none, negative, empty_list, empty_function})
        test::check_error(refusal, errc::invalid_argument);
    BOOST_TEST(sluice::test::message_of(none).find("'numbers'") != std::string::npos);
    BOOST_TEST(
        sluice::test::message_of(empty_function).find("'feeder'") != std::string::npos
    );
}

// operations

BOOST_AUTO_TEST_CASE(an_operation_may_be_move_only)
{
    auto lines = std::make_unique<int>(3);
    sluice::queue_runner runner{
        queue,
        [this, lines = std::move(lines)]() -> asio::awaitable<bool> {
            co_await queue.enqueue(int{*lines});
            co_return --*lines > 1;
        }
    };
    BOOST_TEST(runner.start(ctx));
    run();
    BOOST_TEST(queue.try_dequeue_many(9) == (std::vector<int>{3, 2}));
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(each_worker_of_one_operation_has_a_copy)
{
    const auto twice = [this, calls = 0]() mutable -> asio::awaitable<bool> {
        ++calls;
        co_await queue.enqueue(int{calls});
        co_return calls < 2;
    };
    sluice::queue_runner runner{queue, twice, 3};
    auto all = queue.async_dequeue_many(6, record);
    BOOST_TEST(runner.start(ctx));
    run();
    std::ranges::sort(all.check_success().value());
    all.check_value(std::vector<int>{1, 1, 1, 2, 2, 2});
}

BOOST_AUTO_TEST_CASE(a_false_ends_the_worker_and_the_queue_drains)  // T11
{
    int left = 2;
    sluice::queue_runner runner{queue, [&]() -> asio::awaitable<bool> {
                                    co_await queue.enqueue(int{left});
                                    co_return --left > 0;
                                }};
    BOOST_TEST(runner.start(coord));
    run();

    BOOST_TEST(!runner.is_running());
    BOOST_TEST(!coord.should_stop());
    BOOST_TEST(queue.is_closed());
    auto rest = queue.async_dequeue_many(2, record);
    auto end = queue.async_dequeue(record);
    run();
    rest.check_value(std::vector<int>{2, 1});
    end.check_error(errc::end_of_queue);
}

// starting

BOOST_AUTO_TEST_CASE(workers_have_the_names_that_are_given)
{
    sluice::queue_runner runner{
        queue,
        {fill(), fill()},
        {.worker_names = {"left", "right"}}
    };
    BOOST_TEST(runner.start(coord));
    const auto tasks = coord.tasks();
    BOOST_REQUIRE(tasks.size() == 2u);
    BOOST_TEST(tasks[0].name == "left");
    BOOST_TEST(tasks[1].name == "right");
}

BOOST_AUTO_TEST_CASE(start_while_running_is_false_and_does_nothing)
{
    sluice::queue_runner runner{queue, fill()};
    sluice::coordinator other{ctx};
    BOOST_TEST(runner.start(coord));

    BOOST_TEST(!runner.start(coord));
    BOOST_TEST(!runner.start(other));
    BOOST_TEST(!runner.start(ctx));

    BOOST_TEST(coord.tasks().size() == 1u);
    BOOST_TEST(other.tasks().empty());
    other.request_stop();
    BOOST_TEST(!queue.is_closed());  // nor was it registered there
}

BOOST_AUTO_TEST_CASE(start_on_a_stopped_scope_throws)
{
    sluice::queue_runner runner{queue, fill(), 2};
    coord.request_stop();

    const auto refusal = thrown_by([&] { runner.start(coord); });

    test::check_error(refusal, errc::stop_requested);
    BOOST_TEST(sluice::test::message_of(refusal).find("'numbers'") != std::string::npos);
    BOOST_TEST(!runner.is_running());
    BOOST_TEST(!queue.is_closed());
    coord.clear_stop();
    BOOST_TEST(runner.start(coord));
}

BOOST_AUTO_TEST_CASE(stop_while_the_workers_are_made_is_an_ordinary_stop)
{
    std::function<void()> next;
    sluice::coordinator scope{interrupted_executor{ctx.get_executor(), &next}};
    sluice::queue_runner runner(queue, fill(), 2);
    next = [&] { scope.request_stop(); };

    BOOST_TEST(runner.start(scope));

    auto join = scope.async_join(record);
    run();
    join.check_success();
    BOOST_TEST(!runner.is_running());
    BOOST_TEST(queue.is_closed());
    BOOST_TEST(queue.size() == 0u);
}

// The stop of another thread is held up before it closes the queue of the runner. Of the two
// workers one was launched before, and the other is refused.
BOOST_AUTO_TEST_CASE(start_that_a_stop_interrupts_leaves_the_close_to_the_stop)  // S52
{
    std::promise<void> starting;
    std::promise<void> stopping;
    std::promise<void> ended;
    std::function<void()> launch = [&] {
        starting.set_value();
        stopping.get_future().wait();
    };
    std::function<void()> close = [&] {
        stopping.set_value();
        ended.get_future().wait();
    };
    sluice::coordinator scope{interrupted_executor{ctx.get_executor(), &launch}};
    sluice::fifo_queue<int> first{ctx, {.capacity = 1}};
    scope.close_on_stop(first);
    first.async_dequeue(asio::bind_executor(
        interrupted_executor{ctx.get_executor(), &close},
        [](sluice::error_code, const std::optional<int>&) {}
    ));
    std::thread stops([&] {
        starting.get_future().wait();
        scope.request_stop();
    });
    const auto nothing = []() -> asio::awaitable<bool> { co_return false; };
    sluice::queue_runner runner(queue, nothing, 2);

    BOOST_TEST(runner.start(scope));
    run();
    BOOST_TEST(!runner.is_running());
    BOOST_TEST(!queue.is_closed());
    ended.set_value();
    stops.join();

    const auto next = queue.async_dequeue(record);
    run();
    next.check_error(errc::stop_requested);
}

BOOST_AUTO_TEST_CASE(failure_while_the_workers_are_made_is_a_failure_of_the_run)
{
    std::function<void()> next;
    sluice::coordinator scope{interrupted_executor{ctx.get_executor(), &next}};
    sluice::queue_runner runner(queue, fill(), 2);
    next = [] { throw sluice::system_error(asio::error::no_memory); };

    BOOST_CHECK_THROW(runner.start(scope), sluice::system_error);

    scope.request_stop();
    run();
    BOOST_TEST(!runner.is_running());
    BOOST_TEST(runner.exceptions_raised().size() == 1u);
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(runner_that_is_never_started_feeds_until_it_is_destroyed)
{
    std::optional<sluice::queue_runner> idle(std::in_place, queue, fill());
    {
        const sluice::feeder other{queue};
    }
    BOOST_TEST(!queue.is_closed());
    idle.reset();
    BOOST_TEST(queue.is_closed());
}

// ending

BOOST_AUTO_TEST_CASE(first_failure_of_a_runner_waits_for_the_others)
{
    sluice::queue_runner failing(queue, test::fails);
    std::optional<sluice::feeder> other(std::in_place, queue);
    failing.start(ctx);
    run();
    BOOST_TEST(!queue.is_closed());
    BOOST_TEST(queue.try_enqueue(1));
    other.reset();
    auto one = queue.async_next(record);
    auto end = queue.async_dequeue(asio::use_future);
    run();
    one.check_success();
    BOOST_CHECK_THROW(end.get(), std::exception);
}

BOOST_AUTO_TEST_CASE(runner_whose_context_dies_is_not_running)
{
    auto context = std::make_unique<asio::io_context>();
    sluice::queue_runner waiting{queue, fill()};
    sluice::queue_runner has_not_begun{queue, fill()};
    BOOST_TEST(waiting.start(*context));
    test::run_dry(*context);
    BOOST_TEST(has_not_begun.start(*context));

    context.reset();

    BOOST_TEST(!waiting.is_running());
    BOOST_TEST(!has_not_begun.is_running());
    BOOST_TEST(queue.is_closed());
}

BOOST_AUTO_TEST_CASE(exceptions_raised_are_collected_without_a_coordinator_only)
{
    sluice::queue_runner supervised{queue, {test::fails, test::fails, fill()}};
    sluice::fifo_queue<int> other{ctx, {.capacity = 1}};
    sluice::queue_runner alone{other, {test::fails, test::fails}};
    BOOST_TEST(supervised.start(coord));
    BOOST_TEST(alone.start(ctx));
    run();
    BOOST_TEST(!supervised.is_running());
    BOOST_TEST(supervised.exceptions_raised().empty());
    BOOST_TEST(coord.exceptions().size() == 2u);
    BOOST_TEST(!alone.is_running());
    BOOST_TEST(alone.exceptions_raised().size() == 2u);
}

// joining

BOOST_AUTO_TEST_CASE(a_started_runner_can_be_awaited)  // S24
{
    sluice::queue_runner runner{queue, fill()};
    BOOST_TEST(runner.start(ctx));
    bool was_closed = false;
    const auto joined = spawn([&]() -> asio::awaitable<void> {
        co_await runner.join();
        was_closed = queue.is_closed();
    });
    run();
    BOOST_TEST(joined.check_pending());

    queue.close(sluice::close_mode::cancel_pending);
    run();

    BOOST_TEST(joined.check_done());
    BOOST_TEST(was_closed);
    BOOST_TEST(!runner.is_running());
}

// Looked at before the completion is scheduled: what runs later finds it closed anyhow.
BOOST_AUTO_TEST_CASE(join_completes_after_the_runner_has_closed_its_queue)  // S24
{
    sluice::queue_runner runner{queue, []() -> asio::awaitable<bool> {
                                    co_return false;
                                }};
    BOOST_TEST(runner.start(ctx));
    bool was_closed = false;
    std::function<void()> next = [&] { was_closed = queue.is_closed(); };
    const auto joined = runner.async_join(
        record.on(interrupted_executor{ctx.get_executor(), &next})
    );
    BOOST_TEST(!was_closed);

    run();

    joined.check_success();
    BOOST_TEST(was_closed);
}

BOOST_AUTO_TEST_CASE(join_waits_on_when_its_runner_is_destroyed)
{
    std::optional<sluice::queue_runner> runner(std::in_place, queue, fill());
    BOOST_TEST(runner->start(ctx));
    const auto joined = runner->async_join(record);
    run();

    runner.reset();
    run();
    joined.check_pending();
    queue.close(sluice::close_mode::cancel_pending);
    run();

    joined.check_success();
}

BOOST_AUTO_TEST_CASE(operations_of_a_runner_that_has_ended_end_with_it)
{
    auto captured = std::make_shared<int>();
    const std::weak_ptr<int> life = captured;
    std::optional<sluice::queue_runner> runner(
        std::in_place,
        queue,
        [captured = std::move(captured)]() -> asio::awaitable<bool> { co_return false; }
    );
    BOOST_TEST(runner->start(ctx));
    const auto waiting = runner->async_join(record);  // which has a part of the runner
    ctx.run_one();
    BOOST_TEST(!runner->is_running());

    runner.reset();

    BOOST_TEST(life.expired());
    run();
    waiting.check_success();
}

BOOST_AUTO_TEST_CASE(worker_that_is_destroyed_halfway_is_no_end_of_the_input)  // S52
{
    for (const bool is_supervised : {false, true}) {
        sluice::fifo_queue<int> numbers{ctx, {.capacity = 4}};
        auto dies = std::make_unique<asio::io_context>();
        sluice::fifo_queue<int> input{*dies, {.capacity = 1}};
        sluice::coordinator scope{*dies};
        sluice::queue_runner copies(numbers, [&]() -> asio::awaitable<void> {
            co_await numbers.enqueue(co_await input.dequeue());
        });
        BOOST_TEST(input.try_enqueue(1));
        if (is_supervised)
            copies.start(scope);
        else
            copies.start(dies->get_executor());
        dies->poll();
        BOOST_TEST(numbers.try_dequeue().value() == 1);

        dies.reset();

        const auto next = numbers.async_dequeue(record);
        run();
        next.check_error(asio::error::operation_aborted);
    }
}

BOOST_AUTO_TEST_SUITE_END()
