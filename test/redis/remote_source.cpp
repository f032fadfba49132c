// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/remote_source.hpp>

#include "support/redis/processes.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace metrics = sluice::metrics;
namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;

namespace remote_source {

struct watching : test::two_processes
{
    // As the display of a program does, until the server has been heard.
    metrics::queue_snapshot look_until_read(redis::remote_source& source)
    {
        run_until([&] { return source.look().remote->read_ago.has_value(); });
        return source.look();
    }

    // How many functions have been called on the server so far.
    static int calls()
    {
        const auto& server = test::redis_server_fixture::shared_server();
        const std::string text = server.run("INFO commandstats");
        const std::string mark = "cmdstat_fcall:calls=";
        const auto at = text.find(mark);
        return at == std::string::npos ? 0 : std::stoi(text.substr(at + mark.size()));
    }
};

}  // namespace remote_source

using remote_source::watching;

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_FIXTURE_TEST_SUITE(remote_source, watching)

BOOST_AUTO_TEST_CASE(look_gives_what_the_server_said_last)
{
    const auto q = open(1, {.name = {}, .capacity = 10, .max_deliveries = 1});
    const auto source = q->source(0s);
    const auto first = source->look();
    BOOST_TEST(first.name == name);
    BOOST_TEST(first.type == "fifo");
    BOOST_TEST(first.stats.capacity == 10u);
    BOOST_TEST(!first.remote.value().read_ago.has_value());

    put_many(*q, {1, 2, 3, 4});
    (void)lease(*q);  // delivered once and not acknowledged: given up
    BOOST_TEST(take(*q) == 2);
    auto taken = lease(*q);
    settle_with(*q);
    source->note(status(*q));
    const auto now = source->look();
    BOOST_TEST(now.stats.size == 2u);
    BOOST_TEST(now.stats.enqueued == 4u);
    BOOST_TEST(now.stats.dequeued == 1u);
    BOOST_TEST(!now.stats.closed);
    const metrics::remote_figures& remote = now.remote.value();
    BOOST_TEST(remote.pending == 1u);
    BOOST_TEST(remote.oldest_age.has_value());
    BOOST_TEST(remote.redelivered == 1u);
    BOOST_TEST(remote.dead == 1u);
    BOOST_TEST(remote.dead_letters == 1u);
    BOOST_TEST(remote.read_ago.has_value());
    BOOST_TEST(remote.problem == "");
    acknowledge(taken);
}

BOOST_AUTO_TEST_CASE(look_has_the_server_asked_in_the_background)
{
    const auto q = open(1);
    put(*q, 1);
    const auto source = q->source(0s);
    BOOST_TEST(look_until_read(*source).stats.size == 1u);
    const auto other = open(2);
    put(*other, 2);
    run_until([&] { return source->look().stats.size == 2; });
}

BOOST_AUTO_TEST_CASE(server_is_not_asked_without_a_look_or_if_the_answer_is_new)
{
    const auto q = open(1);
    const auto other = open(2);
    const auto source = q->source(1h);
    settle_with(*q);
    settle_with(*other);
    const int before = calls();
    settle_with(*q);
    BOOST_TEST(calls() == before + 1);
    look_until_read(*source);
    for (int i = 0; i < 5; ++i)
        (void)source->look();
    settle_with(*q);
    BOOST_TEST(calls() == before + 3);
}

BOOST_AUTO_TEST_CASE(figures_stay_and_say_why_they_are_old_without_an_answer)
{
    const auto q = open(1);
    put(*q, 1);
    const auto source = q->source(0s);
    look_until_read(*source);
    a.reset();
    run_until([&] { return !source->look().remote->problem.empty(); });
    const auto now = source->look();
    BOOST_TEST(now.stats.size == 1u);
    BOOST_TEST(now.remote->read_ago.has_value());
    BOOST_TEST(now.remote->problem.find("connection_closed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(look_says_at_once_why_there_is_no_connection)
{
    redis::connection nowhere{ctx, "unix:/nowhere/at/all", test::quick_connection};
    redis::queue<int> q{nowhere, {.name = "q", .capacity = 1}};
    const auto source = q.source();
    run_until([&] { return !source->look().remote->problem.empty(); });
    const metrics::remote_figures remote = source->look().remote.value();
    BOOST_TEST(remote.problem.find("unix:/nowhere/at/all: ") != std::string::npos);
    BOOST_TEST(!remote.read_ago.has_value());
}

BOOST_AUTO_TEST_CASE(monitor_has_it_until_the_queue_is_destroyed)
{
    sluice::monitor watch{ctx, {.name = "test"}};
    auto q = open(1);
    put(*q, 1);
    watch.add(*q);
    watch.add(*q);  // again, which changes nothing
    BOOST_REQUIRE(watch.snapshot().queues.size() == 1u);
    run_until([&] { return watch.snapshot().queues[0].stats.size == 1; });
    q.reset();
    BOOST_TEST(watch.snapshot().queues.empty());
}

BOOST_AUTO_TEST_CASE(monitor_sees_which_tasks_of_this_process_wait)
{
    sluice::monitor watch{ctx, {.name = "test"}};
    sluice::coordinator tasks{ctx};
    const auto q = open(1);
    watch.add(*q);
    watch.add(tasks);
    tasks.spawn("consumer", [&]() -> test::asio::awaitable<void> {
        (void)co_await q->dequeue();
    });
    settle_with(*q);
    const auto seen = watch.snapshot();
    BOOST_TEST(seen.queues.at(0).stats.waiting_consumers == 1u);
    BOOST_TEST(seen.queues.at(0).stats.waiting_producers == 0u);
    const metrics::task_snapshot& task = seen.tasks.at(0);
    BOOST_TEST((task.doing == metrics::activity::waiting_to_dequeue));
    BOOST_TEST(task.queue == name);
    BOOST_TEST(task.waiting_on == "dequeue on redis queue '" + name + "'");
    put(*q, 1);
    run_until([&] { return tasks.tasks().empty(); });
}

BOOST_AUTO_TEST_SUITE_END()
