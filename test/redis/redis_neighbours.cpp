// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Queues on a server together with what the library has for any queue.

#include "support/redis/processes.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/redis/redis_queue.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

namespace test = sluice::test;
namespace redis = sluice::redis;
namespace asio = boost::asio;

namespace redis_neighbours {

using remote = redis::queue<int>;

asio::awaitable<std::pair<std::size_t, int>> first_of(
    remote& one,
    sluice::fifo_queue<int>& other
)
{
    auto taken = co_await sluice::select(one.dequeue(), other.dequeue());
    if (taken.index() == 1)
        co_return std::pair{std::size_t{1}, std::get<1>(taken)};
    co_await std::get<0>(taken).acknowledge();
    co_return std::pair{std::size_t{0}, std::get<0>(taken).value()};
}

// Gives the numbers up to `count`, then ends.
auto counting_up_to(remote& to, int count)
{
    return [&to, count, next = 0]() mutable -> asio::awaitable<bool> {
        if (next == count)
            co_return false;
        co_await to.enqueue(next);
        ++next;
        co_return true;
    };
}

}  // namespace redis_neighbours

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_FIXTURE_TEST_SUITE(redis_neighbours, test::two_processes)

BOOST_AUTO_TEST_CASE(select_takes_from_a_local_or_a_remote_queue)
{
    const auto in = open(1);
    const auto out = open(2);
    sluice::fifo_queue<int> local(ctx, {.capacity = 1});
    const auto first = spawn(first_of(*out, local));
    settle_with(*out);
    first.check_pending();
    put(*in, 7);
    BOOST_TEST((run_until_done(first) == std::pair{std::size_t{0}, 7}));

    const auto second = spawn(first_of(*out, local));
    settle_with(*out);
    BOOST_TEST(local.try_enqueue(8));
    BOOST_TEST((run_until_done(second) == std::pair{std::size_t{1}, 8}));
    put(*in, 9);
    auto untouched = lease(*out);
    BOOST_TEST(untouched.attempt() == 1u);
    acknowledge(untouched);
}

// The local queue wins while the remote element is on its way.
BOOST_AUTO_TEST_CASE(element_for_a_branch_that_lost_returns_as_undelivered)
{
    const auto q = open(1);
    sluice::fifo_queue<int> local(ctx, {.capacity = 1});
    put(*q, 1);
    auto& server = test::redis_server_fixture::shared_server();
    server.pause();
    const auto selecting = spawn(first_of(*q, local));
    run();
    BOOST_TEST(local.try_enqueue(8));
    run();
    server.go_on();
    BOOST_TEST((run_until_done(selecting) == std::pair{std::size_t{1}, 8}));
    auto untouched = lease(*q);
    BOOST_TEST(untouched.attempt() == 1u);
    acknowledge(untouched);
}

BOOST_AUTO_TEST_CASE(runner_that_has_ended_closes_the_queue_for_all)
{
    const auto in = open(1, 2);
    const auto out = open(2, 2);
    sluice::queue_runner runner(*in, counting_up_to(*in, 10));
    BOOST_TEST(runner.start(ctx.get_executor()));
    for (int i = 0; i < 10; ++i)
        BOOST_TEST(take(*out) == i);
    BOOST_TEST(!take_next(*out));
    BOOST_TEST(runner.exceptions_raised().empty());
}

BOOST_AUTO_TEST_CASE(runner_that_fails_leaves_the_queue_open_for_others)
{
    const auto in = open(1);
    const auto out = open(2);
    sluice::coordinator scope(ctx);
    sluice::queue_runner runner(*in, [&]() -> asio::awaitable<void> {
        co_await in->enqueue(1);
        throw std::runtime_error("broken");
    });
    BOOST_TEST(runner.start(scope));
    const auto joining = spawn([&]() -> asio::awaitable<void> { co_await scope.join(); });
    run_until([&] { return joining.done(); });
    BOOST_TEST(joining.error() != nullptr);
    BOOST_TEST(in->is_closed());  // for this process
    BOOST_TEST(take(*out) == 1);
    BOOST_TEST(!status(*out).is_closed);
    put(*out, 2);
}

BOOST_AUTO_TEST_CASE(coordinator_ends_what_waits_in_this_process_only)
{
    const auto in = open(1, 1);
    const auto out = open(2, 1);
    sluice::coordinator scope(ctx);
    scope.close_on_stop(*in);
    put(*out, 1);
    const auto producer = spawn(putting(*in, 2));
    const auto elsewhere = spawn(putting(*out, 3));
    settle_with(*in);
    settle_with(*out);
    scope.request_stop();
    run_until([&] { return producer.done(); });
    producer.check_error(sluice::errc::queue_closed);
    elsewhere.check_pending();
    BOOST_TEST(take(*out) == 1);
    run_until_done(elsewhere);
    BOOST_TEST(take(*out) == 3);
}

BOOST_AUTO_TEST_CASE(flush_waits_for_what_was_said_in_passing)
{
    const auto q = open(1);
    const auto other = open(2);
    put(*q, 1);
    {
        const auto dropped = lease(*q);
    }
    run_until_done([&]() -> asio::awaitable<void> { co_await q->flush(); });
    BOOST_TEST(status(*other).redelivered == 1u);
    BOOST_TEST(take(*other) == 1);
}

BOOST_AUTO_TEST_CASE(acknowledgement_without_a_wait_is_sent_and_flushed)
{
    const auto q = open(1);
    const auto other = open(2);
    put_many(*q, {1, 2});
    for (int expected : {1, 2}) {
        auto taken = lease(*q);
        BOOST_TEST(taken.value() == expected);
        taken.acknowledge()(asio::detached);
    }
    run_until_done([&]() -> asio::awaitable<void> { co_await q->flush(); });
    BOOST_TEST(status(*other).acknowledged == 2u);
}

BOOST_AUTO_TEST_CASE(delivery_outlives_its_queue)
{
    auto q = open(1);
    const auto other = open(2);
    put(*q, 1);
    std::optional<redis::delivery<int>> taken(lease(*q));
    q.reset();
    acknowledge(*taken);
    BOOST_TEST(status(*other).acknowledged == 1u);
}

// For the thread sanitizer: any thread uses queue and connection.
BOOST_AUTO_TEST_CASE(threads_share_a_queue_without_a_strand)
{
    constexpr int count = 200;
    constexpr int workers = 4;
    std::atomic<int> sum = 0;
    sluice::io_context_pool pool(3);
    {
        redis::connection connection(
            pool,
            test::redis_server_fixture::shared_server().url(),
            test::quick_connection
        );
        remote q(connection, {.name = name, .capacity = 16});
        sluice::coordinator scope(pool);
        std::atomic<int> producing = workers;
        for (int i = 0; i < workers; ++i) {
            scope.spawn("producer", [&]() -> asio::awaitable<void> {
                for (int n = 1; n <= count; ++n)
                    co_await q.enqueue(n);
                if (--producing == 0)
                    co_await q.close();
            });
            scope.spawn("consumer", [&]() -> asio::awaitable<void> {
                while (auto taken = co_await q.next()) {
                    sum += taken->value();
                    if (taken->value() % 3 != 0 || taken->attempt() > 1)
                        co_await taken->acknowledge();
                    else
                        sum -= taken->value();  // dropped: it comes again
                }
            });
        }
        pool.run([&]() -> asio::awaitable<void> { co_await scope.join(); });
    }
    BOOST_TEST(sum == workers * count * (count + 1) / 2);
}

BOOST_AUTO_TEST_SUITE_END()
