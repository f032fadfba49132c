// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S42

#include <sluice/monitor/monitor.hpp>

#include "support/io_fixture.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/metrics/bottleneck.hpp>
#include <sluice/metrics/figures.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/shuffle_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace asio = boost::asio;
namespace metrics = sluice::metrics;
namespace test = sluice::test;
using metrics::activity;
using metrics::run_state;
using namespace std::chrono_literals;

namespace monitor {

struct monitor_fixture : test::io_fixture
{
    ~monitor_fixture()
    {
        queue.close(sluice::close_mode::cancel_pending);
        tasks->request_stop();
        run();
    }

    sluice::fifo_queue<int> queue{ctx, {.capacity = 1, .name = "numbers"}};
    std::optional<sluice::coordinator> tasks{std::in_place, ctx};
    sluice::monitor watch{ctx, {.name = "test"}};
};

// A queue that is elsewhere.
class given_source final : public metrics::queue_source
{
public:
    metrics::queue_snapshot look() override
    {
        ++looks;
        return {.name = "elsewhere", .remote = metrics::remote_figures{.pending = 3}};
    }

    bool is_over() const noexcept override { return over; }

    int looks = 0;
    bool over = false;
};

asio::awaitable<void> wait_for_time()
{
    asio::steady_timer timer(co_await asio::this_coro::executor, 1h);
    co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace monitor

BOOST_FIXTURE_TEST_SUITE(monitor, monitor_fixture)

BOOST_AUTO_TEST_CASE(a_monitor_of_nothing_sees_nothing)
{
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.name == "test");
    BOOST_TEST(seen.queues.empty());
    BOOST_TEST(seen.runners.empty());
    BOOST_TEST(seen.tasks.empty());
    BOOST_TEST((seen.state == run_state::running));
}

// Queues --------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(queues_are_seen_in_the_order_in_which_they_were_added)
{
    sluice::shuffle_queue<int> shuffled{
        ctx,
        {.capacity = 8, .min_after_dequeue = 2, .name = "shuffled"}
    };
    sluice::priority_queue<int> sorted{ctx, {.capacity = 4, .name = "sorted"}};
    BOOST_REQUIRE(queue.try_enqueue(1));
    watch.add(shuffled);
    watch.add(queue);
    watch.add(sorted);
    watch.add(queue);  // again, which changes nothing

    const metrics::snapshot seen = watch.snapshot();
    BOOST_REQUIRE(seen.queues.size() == 3);
    BOOST_TEST(seen.queues[0].name == "shuffled");
    BOOST_TEST(seen.queues[0].type == "shuffle");
    BOOST_TEST(seen.queues[1].type == "fifo");
    BOOST_TEST(seen.queues[1].stats.size == 1);
    BOOST_TEST(seen.queues[1].stats.enqueued == 1);
    BOOST_TEST(seen.queues[2].type == "priority");
    BOOST_TEST(seen.queues[2].stats.capacity == 4);
}

BOOST_AUTO_TEST_CASE(a_destroyed_queue_is_left_out)
{
    {
        sluice::fifo_queue<int> short_lived{ctx, {.capacity = 1, .name = "short-lived"}};
        watch.add(short_lived);
        BOOST_TEST(watch.snapshot().queues.size() == 1);
    }
    BOOST_TEST(watch.snapshot().queues.empty());
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_elsewhere_is_looked_at_by_snapshots_only)
{
    const auto source = std::make_shared<given_source>();
    watch.add(source);
    watch.add(queue);
    watch.add(source);  // again, which changes nothing
    BOOST_TEST(source->looks == 0);
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(source->looks == 1);
    BOOST_REQUIRE(seen.queues.size() == 2);
    BOOST_TEST(seen.queues[0].name == "elsewhere");
    BOOST_TEST(seen.queues[0].remote.value().pending == 3);
    BOOST_TEST(!seen.queues[1].remote.has_value());

    source->over = true;
    BOOST_TEST(watch.snapshot().queues.size() == 1);
    BOOST_TEST(source.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_over_is_let_go_of_by_the_next_addition)
{
    const auto source = std::make_shared<given_source>();
    watch.add(source);
    source->over = true;
    watch.add(queue);
    BOOST_TEST(source.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_moved_queue_stays_the_same)
{
    watch.add(queue);
    sluice::fifo_queue<int> moved = std::move(queue);
    BOOST_REQUIRE(moved.try_enqueue(1));
    BOOST_TEST(watch.snapshot().queues.at(0).stats.size == 1);
    queue = std::move(moved);
}

BOOST_AUTO_TEST_CASE(names_are_unique_and_stay_as_they_are)
{
    std::optional<sluice::fifo_queue<int>> first(
        std::in_place,
        ctx,
        sluice::queue_options{.capacity = 1, .name = "a"}
    );
    sluice::fifo_queue<int> second{ctx, {.capacity = 1, .name = "a"}};
    sluice::fifo_queue<int> third{ctx, {.capacity = 1, .name = "a#2"}};
    sluice::queue_runner one{second, test::fails, {.name = "r"}};
    sluice::queue_runner other{third, test::fails, {.name = "r"}};
    watch.add(*first);
    watch.add(second);
    watch.add(third);
    watch.add(one);
    watch.add(other);
    watch.add(*tasks, "c");
    sluice::coordinator more{ctx};
    watch.add(more, "c");
    const auto names = [](const auto& parts) {
        std::string all;
        for (const auto& part : parts)
            all += part.name + " ";
        return all;
    };
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(names(seen.queues) == "a a#2 a#2#2 ");
    BOOST_TEST(names(seen.runners) == "r r#2 ");
    BOOST_TEST(names(seen.coordinators) == "c c#2 ");
    BOOST_TEST(seen.runners[0].to.at(0) == "a#2");  // not that of the first one
    BOOST_TEST(seen.runners[1].to.at(0) == "a#2#2");
    first.reset();
    BOOST_TEST(names(watch.snapshot().queues) == "a#2 a#2#2 ");
    sluice::fifo_queue<int> next{ctx, {.capacity = 1, .name = "a"}};
    watch.add(next);
    BOOST_TEST(names(watch.snapshot().queues) == "a#2 a#2#2 a ");
}

// Tasks ---------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(tasks_are_seen_with_the_queue_they_wait_on)
{
    sluice::fifo_queue<int> full{ctx, {.capacity = 1, .name = "full"}};
    BOOST_REQUIRE(full.try_enqueue(1));
    watch.add(queue);
    watch.add(full);
    watch.add(*tasks, "main");
    tasks->spawn("consumer", [&]() -> asio::awaitable<void> {
        (void)co_await queue.dequeue();
    });
    tasks->spawn("producer", [&]() -> asio::awaitable<void> {
        co_await full.enqueue(2);
    });
    tasks->spawn("sleeper", wait_for_time());
    tasks->spawn("joiner", [&]() -> asio::awaitable<void> {
        co_await tasks->wait_for_stop();
    });
    run();

    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.coordinators.at(0).name == "main");
    BOOST_TEST(seen.coordinators.at(0).tasks == 4);
    BOOST_REQUIRE(seen.tasks.size() == 4);
    BOOST_TEST((seen.tasks[0].doing == activity::waiting_to_dequeue));
    BOOST_TEST(seen.tasks[0].queue == "numbers");
    BOOST_TEST(seen.tasks[0].waiting_on == "dequeue on queue 'numbers'");
    BOOST_TEST((seen.tasks[1].doing == activity::waiting_to_enqueue));
    BOOST_TEST(seen.tasks[1].queue == "full");
    BOOST_TEST((seen.tasks[2].doing == activity::busy));
    BOOST_TEST(seen.tasks[2].waiting_on.empty());
    BOOST_TEST((seen.tasks[3].doing == activity::idle));
    BOOST_TEST(seen.tasks[3].queue.empty());

    BOOST_TEST((seen.queues[0].longest_wait_to_dequeue == seen.tasks[0].since));
    BOOST_TEST((seen.queues[0].longest_wait_to_enqueue == 0ns));
    BOOST_TEST((seen.queues[1].longest_wait_to_enqueue == seen.tasks[1].since));
    BOOST_TEST((seen.tasks[1].since > 0ns));
    BOOST_TEST((watch.snapshot().tasks.at(1).since > seen.tasks[1].since));
    full.close(sluice::close_mode::cancel_pending);
}

// Nothing has run yet, so no thread was free for them.
BOOST_AUTO_TEST_CASE(a_task_that_could_go_on_is_ready_and_does_not_wait)
{
    watch.add(queue);
    watch.add(*tasks, "main");
    tasks->spawn("consumer", [&]() -> asio::awaitable<void> {
        (void)co_await queue.dequeue();
        (void)co_await queue.dequeue();
    });
    const auto doing = [&] { return watch.snapshot().tasks.at(0).doing; };
    BOOST_TEST((doing() == activity::ready));  // its start was posted
    run();
    BOOST_TEST((doing() == activity::waiting_to_dequeue));
    BOOST_REQUIRE(queue.try_enqueue(1));
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST((seen.tasks.at(0).doing == activity::ready));
    BOOST_TEST(seen.tasks.at(0).waiting_on.empty());
    BOOST_TEST((seen.queues.at(0).longest_wait_to_dequeue == 0ns));
    BOOST_TEST(tasks->tasks().at(0).is_ready);
    BOOST_TEST(to_string(tasks->tasks().at(0))
                   .starts_with("'consumer' ready, with no free thread"));
    run();
    BOOST_TEST((doing() == activity::waiting_to_dequeue));
}

BOOST_AUTO_TEST_CASE(a_task_that_yields_for_fairness_is_ready)
{
    watch.add(*tasks);
    bool goes_on = true;
    tasks->spawn("endless", [&]() -> asio::awaitable<void> {
        while (goes_on)
            co_await asio::post(asio::use_awaitable);
    });
    for (int step = 0; step < 5; ++step)
        ctx.run_one();
    BOOST_TEST((watch.snapshot().tasks.at(0).doing == activity::ready));
    goes_on = false;
    run();
}

BOOST_AUTO_TEST_CASE(ready_workers_of_a_runner_count_apart)
{
    sluice::fifo_queue<int> input{ctx, {.capacity = 1, .name = "input"}};
    sluice::queue_runner runner{
        queue,
        [&]() -> asio::awaitable<void> { (void)co_await input.dequeue(); },
        2,
        {.name = "take"}
    };
    watch.add(queue);
    watch.add(runner);
    watch.add(*tasks);
    runner.start(*tasks);
    const metrics::runner_snapshot ready = watch.snapshot().runners.at(0);
    BOOST_TEST(ready.waiting_for_thread == 2U);
    BOOST_TEST((ready.ready > 0ns));
    BOOST_TEST((ready.busy == 0ns));
    run();
    const metrics::runner_snapshot waiting = watch.snapshot().runners.at(0);
    BOOST_TEST(waiting.waiting_for_thread == 0U);
    BOOST_TEST((waiting.ready == ready.ready));
}

BOOST_AUTO_TEST_CASE(a_task_in_a_select_waits_to_dequeue)
{
    watch.add(queue);
    watch.add(*tasks);
    tasks->spawn("both", [&]() -> asio::awaitable<void> {
        (void)co_await sluice::select(queue.dequeue(), tasks->wait_for_stop());
    });
    run();
    const metrics::task_snapshot seen = watch.snapshot().tasks.at(0);
    BOOST_TEST((seen.doing == activity::waiting_to_dequeue));
    BOOST_TEST(seen.queue.empty());
}

BOOST_AUTO_TEST_CASE(a_child_watched_as_its_parent_is_has_its_tasks_once)
{
    sluice::coordinator child{*tasks};
    watch.add(*tasks);
    watch.add(child);
    child.spawn("inner", wait_for_time());
    run();
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.tasks.size() == 1);
    BOOST_TEST(seen.coordinators.at(0).tasks == 1);
    BOOST_TEST(seen.coordinators.at(1).tasks == 1);
    BOOST_TEST(seen.coordinators.at(1).name == "coordinator 2");
    child.request_stop();
    run();
}

BOOST_AUTO_TEST_CASE(waits_are_counted_from_the_first_look_on)
{
    watch.add(queue);
    watch.add(*tasks);
    tasks->spawn("consumer", [&]() -> asio::awaitable<void> {
        for (;;)
            (void)co_await queue.dequeue();
    });
    run();
    BOOST_REQUIRE(queue.try_enqueue(1));  // ends a wait before the first look
    run();
    const auto count_of = [](const metrics::wait_histogram& waits) {
        return std::accumulate(
            waits.counts.begin(),
            waits.counts.end(),
            std::uint64_t{0}
        );
    };
    BOOST_TEST(count_of(watch.snapshot().queues.at(0).dequeue_waits) == 0U);
    for (int n = 0; n < 3; ++n) {
        BOOST_REQUIRE(queue.try_enqueue(n));
        run();
    }
    const metrics::queue_snapshot seen = watch.snapshot().queues.at(0);
    BOOST_TEST(count_of(seen.dequeue_waits) == 3U);
    BOOST_TEST((seen.dequeue_waits.sum > 0ns));
    BOOST_TEST(count_of(seen.enqueue_waits) == 0U);
}

// Runners -------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(workers_are_recognised_and_their_time_is_added_up)
{
    sluice::fifo_queue<int> input{ctx, {.capacity = 1, .name = "input"}};
    sluice::queue_runner runner{
        queue,
        [&]() -> asio::awaitable<void> {
            co_await queue.enqueue(co_await input.dequeue());
        },
        2,
        {.name = "copy"}
    };
    watch.add(input);
    watch.add(queue);
    watch.add(runner);
    watch.add(*tasks);
    BOOST_TEST((watch.snapshot().state == run_state::ready));
    runner.start(*tasks);
    run();
    const metrics::runner_snapshot waiting = watch.snapshot().runners.at(0);
    BOOST_TEST(waiting.name == "copy");
    BOOST_TEST(waiting.to == std::vector<std::string>{"numbers"});
    BOOST_TEST(waiting.from == "input");
    BOOST_TEST(waiting.workers == 2);
    BOOST_TEST(waiting.running == 2);
    BOOST_TEST(waiting.waiting_to_dequeue == 2);
    BOOST_TEST((waiting.blocked_on_dequeue > 0ns));
    BOOST_TEST((waiting.blocked_on_enqueue == 0ns));
    BOOST_TEST((waiting.busy == 0ns));

    for (int n = 0; n < 3; ++n) {  // one in the queue, one with each worker
        BOOST_REQUIRE(input.try_enqueue(n));
        run();
    }
    const metrics::snapshot blocked = watch.snapshot();
    BOOST_TEST((blocked.state == run_state::running));
    BOOST_TEST(blocked.runners.at(0).waiting_to_enqueue == 2);
    BOOST_TEST((blocked.runners.at(0).blocked_on_enqueue > 0ns));
    BOOST_TEST((blocked.runners.at(0).blocked_on_dequeue == waiting.blocked_on_dequeue));

    tasks->request_stop();
    run();
    const metrics::snapshot ended = watch.snapshot();
    BOOST_TEST((ended.state == run_state::stopped));
    BOOST_TEST(ended.runners.at(0).running == 0);
    BOOST_TEST((ended.runners.at(0).idle > blocked.runners.at(0).idle));
    BOOST_TEST(
        (time_of_workers(ended.runners.at(0)) == time_of_workers(blocked.runners.at(0)))
    );
}

BOOST_AUTO_TEST_CASE(runners_of_one_name_share_the_tasks_of_that_name)
{
    const auto enqueue = [&]() -> asio::awaitable<void> { co_await queue.enqueue(1); };
    sluice::queue_runner first{queue, enqueue};
    sluice::queue_runner second{queue, enqueue};
    watch.add(queue);
    watch.add(first);
    watch.add(second);
    watch.add(*tasks);
    first.start(*tasks);
    second.start(*tasks);
    run();
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.runners.at(0).waiting_to_enqueue == 1);
    BOOST_TEST(seen.runners.at(1).waiting_to_enqueue == 1);
}

BOOST_AUTO_TEST_CASE(of_a_runner_without_a_coordinator_the_workers_are_counted)
{
    sluice::queue_runner alone{queue, [&]() -> asio::awaitable<void> {
                                   co_await queue.enqueue(1);
                               }};
    watch.add(alone);
    alone.start(ctx);
    run();
    const metrics::runner_snapshot seen = watch.snapshot().runners.at(0);
    BOOST_TEST(seen.running == 1);
    BOOST_TEST((time_of_workers(seen) == 0ns));
    queue.close(sluice::close_mode::cancel_pending);
    run();
    BOOST_TEST(watch.snapshot().runners.at(0).running == 0);
}

BOOST_AUTO_TEST_CASE(a_producer_is_a_queue_and_a_runner)
{
    sluice::producer<int> numbers{
        ctx,
        queue,
        [](int n) { return n + 1; },
        {.capacity = 4, .name = "counter"}
    };
    watch.add(numbers);
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.queues.at(0).name == "counter");
    BOOST_TEST(seen.runners.at(0).to == std::vector<std::string>{"counter"});
}

BOOST_AUTO_TEST_CASE(a_destroyed_runner_is_seen_until_its_workers_have_ended)
{
    auto runner = std::make_optional<sluice::queue_runner>(
        queue,
        [&]() -> asio::awaitable<void> { co_await queue.enqueue(1); }
    );
    watch.add(*runner);
    runner->start(ctx);
    run();
    runner.reset();
    BOOST_TEST(watch.snapshot().runners.size() == 1);
    queue.close(sluice::close_mode::cancel_pending);
    run();
    BOOST_TEST(watch.snapshot().runners.empty());
}

// Errors and the end --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_first_error_stays_when_its_coordinator_is_gone)
{
    watch.add(*tasks);
    tasks->spawn("bad", test::fails());
    run();
    tasks.emplace(ctx);  // before the first look
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.first_error == "broken");
    BOOST_TEST(seen.coordinators.empty());
}

BOOST_AUTO_TEST_CASE(state_at_the_end_says_whether_it_was_stopped_or_has_failed)
{
    watch.add(*tasks);
    const auto spawn_one = [&] {
        tasks->spawn("one", []() -> asio::awaitable<void> { co_return; });
        BOOST_TEST((watch.snapshot().state == run_state::running));
        run();
    };
    spawn_one();
    BOOST_TEST((watch.snapshot().state == run_state::done));
    spawn_one();  // again
    tasks->request_stop();
    BOOST_TEST((watch.snapshot().state == run_state::stopped));
    tasks.emplace(ctx);
    BOOST_TEST((watch.snapshot().state == run_state::stopped));  // that stays
    watch.add(*tasks);
    spawn_one();
    BOOST_TEST((watch.snapshot().state == run_state::done));
    tasks->spawn("bad", test::fails());
    (void)watch.snapshot();
    run();
    BOOST_TEST((watch.snapshot().state == run_state::failed));
}

BOOST_AUTO_TEST_CASE(failures_of_a_runner_without_a_coordinator_are_errors_too)
{
    sluice::queue_runner alone{queue, test::fails};
    watch.add(alone);
    alone.start(ctx);
    run();
    BOOST_TEST(watch.snapshot().first_error == "broken");
}

BOOST_AUTO_TEST_CASE(a_task_that_goes_on_after_a_stop_is_still_running)
{
    watch.add(*tasks);
    asio::steady_timer timer(ctx, 1h);
    tasks->spawn("stubborn", [&]() -> asio::awaitable<void> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await timer.async_wait(asio::use_awaitable);
    });
    run();
    BOOST_TEST(!watch.snapshot().tasks.at(0).is_straggler);
    tasks->request_stop();
    run();
    const metrics::snapshot seen = watch.snapshot();
    BOOST_TEST(seen.tasks.at(0).is_straggler);
    BOOST_TEST(seen.coordinators.at(0).stop_requested);
    BOOST_TEST((seen.state == run_state::stopping));
    timer.cancel();
    run();
    BOOST_TEST((watch.snapshot().state == run_state::stopped));
}

BOOST_AUTO_TEST_CASE(what_limits_a_program_without_runners_is_seen_at_its_queues)
{
    BOOST_REQUIRE(queue.try_enqueue(1));
    watch.add(queue);
    watch.add(*tasks);
    tasks->spawn("producer", [&]() -> asio::awaitable<void> {
        co_await queue.enqueue(2);
    });
    run();
    BOOST_TEST(
        describe_bottleneck(watch.snapshot()) ==
        "The queue \"numbers\" is full, and 1 operation waits to enqueue: what dequeues "
        "from it limits the flow."
    );
}

// Threads -------------------------------------------------------------------------------------

// Queues, tasks and coordinators come and go while others look.
BOOST_AUTO_TEST_CASE(any_thread_may_look_while_the_program_runs)
{
    constexpr int rounds = 20;
    constexpr int elements = 200;
    sluice::io_context_pool pool{2};
    sluice::monitor own{pool};
    std::atomic<bool> done{false};
    std::thread looker([&] {
        while (!done)
            (void)own.snapshot();
    });
    for (int round = 0; round < rounds; ++round) {
        sluice::fifo_queue<int> numbers{pool, {.capacity = 2}};
        sluice::coordinator group{pool};
        sluice::queue_runner runner{
            numbers,
            [&, n = 0]() mutable -> asio::awaitable<bool> {
                ++n;
                co_await numbers.enqueue(n);
                co_return n < elements;
            }
        };
        own.add(numbers);
        own.add(runner);
        own.add(group);
        int taken = 0;
        runner.start(group);
        group.spawn("consumer", [&]() -> asio::awaitable<void> {
            while (co_await numbers.next())
                ++taken;
        });
        pool.run([&]() -> asio::awaitable<void> { co_await group.join(); });
        BOOST_TEST(taken == elements);
    }
    done = true;
    looker.join();
    const metrics::snapshot seen = own.snapshot();
    BOOST_TEST(seen.queues.empty());
    BOOST_TEST(seen.runners.empty());
    BOOST_TEST(seen.coordinators.empty());
    BOOST_TEST(seen.first_error == "");
}

BOOST_AUTO_TEST_SUITE_END()
