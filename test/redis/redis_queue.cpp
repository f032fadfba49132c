// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S37 S38 S39 S40 S41

#include <sluice/redis/redis_queue.hpp>

#include "support/message_of.hpp"
#include "support/redis/processes.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <vector>

namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;
using numbers = std::vector<int>;

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_FIXTURE_TEST_SUITE(redis_queue, test::two_processes)

BOOST_AUTO_TEST_CASE(elements_pass_between_processes_in_their_order)
{
    const auto in = open(1);
    const auto out = open(2);
    for (int i = 0; i < 3; ++i)
        put(*in, i);
    for (int i = 0; i < 3; ++i)
        BOOST_TEST(take(*out) == i);
    const auto now = status(*out);
    BOOST_TEST(now.size == 0u);
    BOOST_TEST(now.capacity == 10u);
    BOOST_TEST(now.enqueued == 3u);
    BOOST_TEST(now.acknowledged == 3u);
    BOOST_TEST(!now.age.has_value());
}

BOOST_AUTO_TEST_CASE(size_counts_what_waits_and_what_consumers_have)
{
    const auto in = open(1);
    const auto out = open(2);
    BOOST_TEST(size(*in) == 0u);
    put_many(*in, {1, 2, 3});
    BOOST_TEST(size(*out) == 3u);
    auto leased = lease(*out);
    BOOST_TEST(size(*in) == 3u);
    acknowledge(leased);
    BOOST_TEST(size(*in) == 2u);
}

BOOST_AUTO_TEST_CASE(consumer_waits_for_an_element_of_another_process)
{
    const auto in = open(1);
    const auto out = open(2);
    const auto consumer = spawn(taking(*out));
    settle_with(*out);
    consumer.check_pending();
    put(*in, 7);
    BOOST_TEST(run_until_done(consumer) == 7);
}

BOOST_AUTO_TEST_CASE(producer_waits_for_room_that_another_process_makes)
{
    const auto in = open(1, 2);
    const auto out = open(2, 2);
    put_many(*in, {1, 2});
    const auto producer = spawn(putting(*in, 3));
    auto taken = lease(*out);
    settle_with(*in);
    producer.check_pending();  // what is leased counts
    acknowledge(taken);
    run_until_done(producer);
    BOOST_TEST(status(*out).size == 2u);
    BOOST_TEST(take_up_to(*out, 2) == (numbers{2, 3}));
}

BOOST_AUTO_TEST_CASE(batch_comes_in_as_a_whole_when_there_is_room_for_all)
{
    const auto in = open(1, 3);
    const auto out = open(2, 3);
    put(*in, 0);
    const auto producer = spawn(putting_many(*in, {1, 2, 3}));
    settle_with(*in);
    producer.check_pending();
    BOOST_TEST(status(*out).size == 1u);
    BOOST_TEST(take(*out) == 0);
    run_until_done(producer);
    BOOST_TEST(take_up_to(*out, 3) == (numbers{1, 2, 3}));

    const auto too_many = spawn(putting_many(*in, {1, 2, 3, 4}));
    run_until([&] { return too_many.done(); });
    too_many.check_error(sluice::errc::invalid_argument);
}

BOOST_AUTO_TEST_CASE(close_ends_producers_and_drains_consumers_of_all_processes)
{
    const auto in = open(1, 1);
    const auto out = open(2, 1);
    put(*in, 1);
    const auto producer = spawn(putting(*in, 2));
    settle_with(*in);
    close(*out);
    run_until([&] { return producer.done(); });
    producer.check_error(sluice::errc::queue_closed);
    BOOST_TEST(in->is_closed());

    auto last = lease(*out);
    const auto consumer = spawn(taking(*in));
    settle_with(*in);
    consumer.check_pending();  // it might come back
    acknowledge(last);
    run_until([&] { return consumer.done(); });
    consumer.check_error(sluice::errc::end_of_queue);
    BOOST_TEST(take_next(*out) == false);
}

BOOST_AUTO_TEST_CASE(element_that_is_returned_has_its_old_place_again)
{
    const auto q = open(1);
    put_many(*q, {1, 2, 3});
    {
        const auto dropped = lease(*q);
        BOOST_TEST(dropped.value() == 1);
    }
    auto again = lease(*q);
    BOOST_TEST(again.value() == 1);
    BOOST_TEST(again.attempt() == 2u);
    acknowledge(again);
    BOOST_TEST(take_up_to(*q, 2) == (numbers{2, 3}));
    BOOST_TEST(status(*q).redelivered == 1u);
    // and the server has nothing left to look for
    const auto& server = test::redis_server_fixture::shared_server();
    const std::string keys = "sluice:{" + name + "}:";
    BOOST_TEST(server.run("KEYS '" + keys + "*'") == keys + "meta");
    BOOST_TEST(server.run("HEXISTS '" + keys + "meta' came_back") == "0");
}

BOOST_AUTO_TEST_CASE(element_has_the_same_identifier_each_time_and_no_other_has_it)
{
    const auto q = open(1);
    put_many(*q, {1, 2});
    std::string first;
    {
        const auto dropped = lease(*q);
        first = dropped.id();
    }
    auto again = lease(*q);
    auto other = lease(*q);
    BOOST_TEST(again.id() == first);
    BOOST_TEST(other.id() > first);
    BOOST_TEST(first.find('-') == 16u);
    BOOST_TEST(first.size() == 30u);
    acknowledge(again);
    acknowledge(other);

    // The queue is made anew, and its numbers go on.
    test::redis_server_fixture::shared_server().run("DEL 'sluice:{" + name + "}:meta'");
    put(*q, 3);
    auto later = lease(*q);
    BOOST_TEST(later.id().substr(0, 16) > other.id().substr(0, 16));
    acknowledge(later);
}

// Of all clocks only that of the server counts. That it jumps is that all times which it has stored
// are so much earlier or later.
void jump(const std::string& name, const std::string& ms)
{
    const std::string script =
        "for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do "
        "redis.call('ZINCRBY', KEYS[1], -ARGV[1], id) end "
        "redis.call('HINCRBY', KEYS[2], 'next_end', -ARGV[1])";
    const std::string prefix = "'sluice:{" + name + "}:";
    test::redis_server_fixture::shared_server().run(
        "EVAL \"" + script + "\" 2 " + prefix + "leased' " + prefix + "meta' " + ms
    );
}

BOOST_AUTO_TEST_CASE(clock_of_the_server_that_jumps_ends_leases_sooner_or_later)
{
    const auto q = open(1);
    put_many(*q, {1, 2});
    auto slow = lease(*q);
    jump(name, "3600000");  // forward: the lease has ended
    auto again = lease(*q);
    BOOST_TEST(again.value() == 1);
    BOOST_TEST(again.attempt() == 2u);
    const auto late = spawn(acknowledging(slow));
    run_until([&] { return late.done(); });
    late.check_error(redis::errc::lease_expired);
    acknowledge(again);
    auto other = lease(*q);
    acknowledge(other);
    BOOST_TEST(status(*q).acknowledged == 2u);
}

// Back by an hour: the lease would last for that.
BOOST_AUTO_TEST_CASE(clock_of_the_server_that_is_set_back_holds_no_lease_back)
{
    const auto q = open(1, {.name = {}, .capacity = 10, .lease = 20ms});
    put_many(*q, {1, 2});
    auto first = lease(*q);
    jump(name, "-3600000");
    auto other = lease(*q);
    BOOST_TEST(other.value() == 2);
    auto again = lease(*q);
    BOOST_TEST(again.attempt() == 2u);
    acknowledge(again);
}

BOOST_AUTO_TEST_CASE(lease_that_ends_gives_the_element_to_another_consumer)
{
    const auto slow = open(1, {.name = {}, .capacity = 10, .lease = 1ms});
    const auto other = open(2);
    put(*slow, 5);
    auto lost = lease(*slow);
    auto taken = lease(*other);  // waits for the end of the lease
    BOOST_TEST(taken.value() == 5);
    BOOST_TEST(taken.attempt() == 2u);
    const auto late = spawn(acknowledging(lost));
    run_until([&] { return late.done(); });
    late.check_error(redis::errc::lease_expired);
    acknowledge(taken);
    BOOST_TEST(status(*other).size == 0u);
}

// So an acknowledgement that is repeated after a loss knows that it was not done.
BOOST_AUTO_TEST_CASE(server_says_of_an_element_that_has_gone_whether_it_is_left)
{
    const auto one = open(1, {.name = {}, .capacity = 10, .lease = 5ms});
    const auto other = open(2);
    put(*one, 1);
    auto late = lease(*one);
    auto taken = lease(*other);
    BOOST_TEST(taken.attempt() == 2u);
    const auto acknowledged = [&] {
        return test::redis_server_fixture::shared_server().run(
            "FCALL sluice_1_settle 1 'sluice:{" + name + "}' 5 a " +
            late.id().substr(0, late.id().find('-')) + " 1"
        );
    };
    BOOST_TEST(acknowledged() == "2");
    acknowledge(taken);
    BOOST_TEST(acknowledged() == "0");
}

BOOST_AUTO_TEST_CASE(lease_that_is_extended_does_not_end)
{
    const auto q = open(1, {.name = {}, .capacity = 10, .lease = 1h});
    put(*q, 5);
    auto taken = lease(*q);
    run_until_done([](redis::delivery<int>& one) -> test::asio::awaitable<void> {
        co_await one.extend();
    }(taken));
    BOOST_TEST(taken.is_held());
    acknowledge(taken);
    BOOST_TEST(status(*q).acknowledged == 1u);
}

BOOST_AUTO_TEST_CASE(element_that_was_delivered_too_often_is_a_dead_letter)
{
    const auto q = open(1, {.name = {}, .capacity = 1, .max_deliveries = 2});
    put(*q, 13);
    for (int i = 0; i < 2; ++i)
        (void)lease(*q);
    put(*q, 14);  // there is room again
    const auto now = status(*q);
    BOOST_TEST(now.dead == 1u);
    BOOST_TEST(now.dead_letters == 1u);

    auto dead = q->dead_letters();
    for (int i = 0; i < 7; ++i)
        (void)lease(dead);  // nothing is given up twice
    BOOST_TEST(take(dead) == 13);
    BOOST_TEST(status(*q).dead_letters == 0u);
}

BOOST_AUTO_TEST_CASE(cancelled_operations_change_nothing)
{
    const auto in = open(1, 1);
    const auto out = open(2, 1);
    const auto consumer = spawn(taking(*out));
    settle_with(*out);
    consumer.cancel();
    run_until([&] { return consumer.done(); });
    consumer.check_error(test::asio::error::operation_aborted);

    put(*in, 1);
    const auto producer = spawn(putting(*in, 2));
    settle_with(*in);
    producer.cancel();
    run_until([&] { return producer.done(); });
    producer.check_error(test::asio::error::operation_aborted);
    BOOST_TEST(take(*out) == 1);
    BOOST_TEST(status(*out).size == 0u);
}

// The element is on its way when the consumer goes away.
BOOST_AUTO_TEST_CASE(element_for_a_cancelled_consumer_returns_as_undelivered)
{
    const auto q = open(1);
    put(*q, 1);
    auto& server = test::redis_server_fixture::shared_server();
    server.pause();
    const auto consumer = spawn(taking(*q));
    run();  // its command is on its way
    consumer.cancel();
    run();
    server.go_on();
    consumer.check_error(test::asio::error::operation_aborted);
    auto taken = lease(*q);
    BOOST_TEST(taken.attempt() == 1u);
    acknowledge(taken);
}

BOOST_AUTO_TEST_CASE(limits_of_time_end_a_wait_and_zero_asks_once)
{
    const auto q = open(1, 1);
    BOOST_TEST(!take_within(*q, 0ms).has_value());
    put(*q, 1);
    BOOST_TEST(!put_within(*q, 2, 0ms));
    BOOST_TEST(!put_within(*q, 2, 5ms));
    BOOST_TEST(take_within(*q, 0ms).value() == 1);
    BOOST_TEST(put_within(*q, 2, 0ms));
    BOOST_TEST(take_within(*q, 1h).value() == 2);
    BOOST_TEST(!take_within(*q, 5ms).has_value());
}

BOOST_AUTO_TEST_CASE(attempts_never_wait_and_say_why_they_failed)
{
    using sluice::errc;
    const auto in = open(1, 2);
    const auto out = open(2, 2);
    run_until_done([](queue& to, queue& from) -> test::asio::awaitable<void> {
        BOOST_TEST(!(co_await from.try_dequeue()).has_value());
        auto [empty, none] = co_await from.try_dequeue().as_tuple();
        BOOST_TEST(empty == errc::queue_empty);
        BOOST_TEST(!none.has_value());

        const numbers two{1, 2};
        const int three = 3;
        BOOST_TEST(co_await to.try_enqueue_many(two));
        BOOST_TEST(!co_await to.try_enqueue(three));
        auto [full, is_in] = co_await to.try_enqueue(three).as_tuple();
        BOOST_TEST(full == errc::queue_full);
        BOOST_TEST(!is_in);

        auto batch = co_await from.try_dequeue_many(1);
        BOOST_TEST(test::values_of(batch) == numbers{1});
        co_await from.acknowledge(batch);
        BOOST_TEST(!co_await to.try_enqueue_many(two));  // all or none
        BOOST_TEST(co_await to.try_enqueue(three));
        co_await to.close();
        auto [closed, was_in] = co_await to.try_enqueue(three).as_tuple();
        BOOST_TEST(closed == errc::queue_closed);
        BOOST_TEST(!was_in);
        BOOST_TEST(!co_await to.try_enqueue(three));

        auto rest = co_await from.try_dequeue_many(10);
        BOOST_TEST(test::values_of(rest) == (numbers{2, 3}));
        auto [may_come_back, no_batch] = co_await from.try_dequeue_many(10).as_tuple();
        BOOST_TEST(may_come_back == errc::queue_empty);
        BOOST_TEST(no_batch.empty());
        co_await from.acknowledge(rest);
        auto [ended, nothing] = co_await from.try_dequeue().as_tuple();
        BOOST_TEST(ended == errc::end_of_queue);
        BOOST_TEST(!nothing.has_value());
        BOOST_TEST((co_await from.try_dequeue_many(10)).empty());
    }(*in, *out));
}

BOOST_AUTO_TEST_CASE(attempt_behind_others_that_wait_is_busy)
{
    const auto q = open(1, 1);
    const auto consumer = spawn(taking(*q));
    settle_with(*q);
    run_until_done([](queue& from) -> test::asio::awaitable<void> {
        const auto [error, taken] = co_await from.try_dequeue().as_tuple();
        BOOST_TEST(error == sluice::errc::queue_busy);
    }(*q));
    consumer.check_pending();
    put(*q, 1);
    BOOST_TEST(run_until_done(consumer) == 1);

    put(*q, 2);
    const auto producer = spawn(putting(*q, 3));
    settle_with(*q);
    run_until_done([](queue& to) -> test::asio::awaitable<void> {
        const int four = 4;
        const auto [error, is_in] = co_await to.try_enqueue(four).as_tuple();
        BOOST_TEST(error == sluice::errc::queue_busy);
    }(*q));
    BOOST_TEST(take(*q) == 2);
    run_until_done(producer);
    BOOST_TEST(take(*q) == 3);
}

BOOST_AUTO_TEST_CASE(batches_wait_for_their_number)
{
    const auto in = open(1);
    const auto out = open(2);
    const auto four = spawn(taking_many(*out, 4));
    put_many(*in, {1, 2, 3});
    settle_with(*out);
    four.check_pending();
    BOOST_TEST(status(*out).leased == 0u);  // it holds none meanwhile
    put(*in, 4);
    BOOST_TEST(run_until_done(four) == (numbers{1, 2, 3, 4}));

    put_many(*in, {5, 6, 7});
    BOOST_TEST(take_some(*out, 2) == (numbers{5, 6}));
    const auto rest = spawn(taking_many(*out, 2));
    settle_with(*out);
    close(*in);
    run_until([&] { return rest.done(); });
    rest.check_error(sluice::errc::end_of_queue);
    BOOST_TEST(take_up_to(*out, 4) == numbers{7});
}

// More than one command serves, and more than Lua hands on at once.
BOOST_AUTO_TEST_CASE(large_batch_comes_whole)
{
    const auto in = open(1, 3000);
    const auto out = open(2, 3000);
    numbers sent(3000);
    std::iota(sent.begin(), sent.end(), 0);
    put_many(*in, sent);
    BOOST_TEST(run_until_done(spawn(taking_many(*out, 2500))).size() == 2500u);
    BOOST_TEST(take_up_to(*out, 500).back() == 2999);
    BOOST_TEST(status(*out).size == 0u);
}

// The server keeps an account of the room that it looks at again when it is used up.
BOOST_AUTO_TEST_CASE(capacity_is_exact_however_elements_leave)
{
    const auto q = open(1, {.name = {}, .capacity = 3, .max_deliveries = 2});
    for (int round = 0; round < 3; ++round) {
        put_many(*q, {1, 2, 3});
        BOOST_TEST(!put_within(*q, 4, 0ms));
        {
            const auto dropped = lease(*q);
            BOOST_TEST(!put_within(*q, 4, 0ms));
        }
        (void)lease(*q);  // the second time: now it is a dead letter
        put(*q, 4);
        BOOST_TEST(!put_within(*q, 5, 0ms));
        BOOST_TEST(take_up_to(*q, 3) == (numbers{2, 3, 4}));
    }
    const auto now = status(*q);
    BOOST_TEST(now.enqueued == 12u);
    BOOST_TEST(now.acknowledged == 9u);
    BOOST_TEST(now.dead == 3u);
    BOOST_TEST(now.redelivered == 6u);
}

BOOST_AUTO_TEST_CASE(
    acknowledgement_from_before_a_deletion_settles_no_element_of_the_new_queue
)
{
    const auto before = open(1);
    const auto after = open(2);
    put(*before, 1);
    auto old = lease(*before);
    const std::string keys = "'sluice:{" + name + "}:";
    test::redis_server_fixture::shared_server().run(
        "UNLINK " + keys + "meta' " + keys + "data' " + keys + "leased'"
    );
    put(*after, 2);
    auto taken = lease(*after);
    const auto late = spawn(acknowledging(old));
    run_until([&] { return late.done(); });
    late.check_error(redis::errc::lease_expired);
    BOOST_TEST(status(*after).size == 1u);
    acknowledge(taken);
}

BOOST_AUTO_TEST_CASE(elements_beside_one_that_cannot_be_read_are_returned_unseen)
{
    const auto q = open(1);
    redis::queue<std::string> texts(*b, {.name = name, .capacity = 10});
    put(*q, 1);
    run_until_done([](redis::queue<std::string>& to) -> test::asio::awaitable<void> {
        const std::string text = "no number";
        co_await to.enqueue(text);
    }(texts));
    put(*q, 2);
    const auto unread = spawn(taking_many(*q, 3));
    run_until([&] { return unread.done(); });
    BOOST_TEST(unread.error() != nullptr);

    const auto attempts = run_until_done(
        [](redis::queue<std::string>& from) -> test::asio::awaitable<numbers> {
            const auto batch = co_await from.dequeue_many(3);
            numbers found;
            for (const auto& each : batch)
                found.push_back(static_cast<int>(each.attempt()));
            co_return found;
        }(texts)
    );
    BOOST_TEST(attempts == (numbers{1, 2, 1}));
}

// As functions of revision 7 have left it.
BOOST_AUTO_TEST_CASE(queue_that_older_functions_have_made_goes_on)
{
    const auto old = open(1, 3);
    put_many(*old, {1, 2});
    BOOST_TEST(take(*old) == 1);
    test::redis_server_fixture::shared_server().run(
        "HDEL 'sluice:{" + name + "}:meta' out longest retry_delay max_retry_delay"
    );
    put_many(*old, {3, 4});
    BOOST_TEST(!put_within(*old, 5, 0ms));
    BOOST_TEST(take(*old) == 2);
    const auto anew = open(2, 3);
    put(*anew, 5);
    BOOST_TEST(take_up_to(*anew, 3) == (numbers{3, 4, 5}));
    BOOST_TEST(status(*anew).lost == 0u);
    BOOST_TEST(status(*anew).acknowledged == 5u);
}

// When the server delivers it again, in its own time.
std::chrono::milliseconds delay_of(const std::string& name)
{
    const std::string prefix = "'sluice:{" + name + "}:leased'";
    const auto& server = test::redis_server_fixture::shared_server();
    const std::string script =
        "local now = redis.call('TIME') "
        "return math.floor(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] - "
        "now[1] * 1000 - now[2] / 1000)";
    return std::chrono::milliseconds(
        std::stoi(server.run("EVAL \"" + script + "\" 1 " + prefix))
    );
}

BOOST_AUTO_TEST_CASE(
    delay_doubles_with_each_delivery_up_to_its_limit_and_survives_processes
)
{
    redis::queue_options
        options{.name = {}, .capacity = 10, .retry_delay = 1h, .max_retry_delay = 3h};
    auto q = open(1, options);
    put(*q, 1);
    for (const auto hours : {1, 2, 3, 3}) {
        {
            const auto returned = lease(*q);
            BOOST_TEST(returned.value() == 1);
        }
        settle_with(*q);
        BOOST_TEST(status(*q).leased == 1u);
        BOOST_TEST(!take_within(*q, 0ms).has_value());
        BOOST_TEST(delay_of(name).count() > 3'600'000 * hours - 60'000);
        BOOST_TEST(delay_of(name).count() <= 3'600'000 * hours);
        q = open(2, options);  // another process waits as long
        BOOST_TEST(!take_within(*q, 0ms).has_value());
        jump(name, std::to_string(3'600'000 * hours));
    }
    auto last = lease(*q);
    BOOST_TEST(last.attempt() == 5u);
    acknowledge(last);
    const auto now = status(*q);
    BOOST_TEST(now.redelivered == 4u);
    BOOST_TEST(now.size == 0u);
}

// A wait that ends is no delivery, and one that no consumer has seen is not delayed.
BOOST_AUTO_TEST_CASE(delayed_element_comes_again_when_its_time_has_come)
{
    const auto q =
        open(1, {.name = {}, .capacity = 10, .retry_delay = 1h, .max_retry_delay = 1h});
    put_many(*q, {1, 2});
    {
        const auto returned = lease(*q);
    }
    auto second = lease(*q);
    BOOST_TEST(second.value() == 2);
    second.forget();
    BOOST_TEST(take(*q) == 2);
    jump(name, "3600000");
    auto first = lease(*q);
    BOOST_TEST(first.value() == 1);
    BOOST_TEST(first.attempt() == 2u);
    acknowledge(first);
}

BOOST_AUTO_TEST_CASE(lease_that_ends_is_a_delivery_that_delays_the_next_one)
{
    const auto q = open(
        1,
        {.name = {},
         .capacity = 10,
         .lease = 1ms,
         .max_deliveries = 2,
         .retry_delay = 1h,
         .max_retry_delay = 1h}
    );
    put(*q, 1);
    const auto held = lease(*q);
    run_until([&] {
        return !take_within(*q, 0ms).has_value() && status(*q).redelivered == 1;
    });
    BOOST_TEST(delay_of(name).count() > 3'500'000);
    jump(name, "3600000");
    const auto again = lease(*q);
    BOOST_TEST(again.attempt() == 2u);
    while (status(*q).dead == 0)
        BOOST_TEST(!take_within(*q, 0ms).has_value());
}

BOOST_AUTO_TEST_CASE(delays_are_the_same_for_all_processes_and_in_their_range)
{
    const auto q = open(1, {.name = {}, .capacity = 10, .retry_delay = 1s});
    put(*q, 1);
    const auto other = open(2);
    const auto refused = spawn(taking(*other));
    run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::queue_mismatch);
    BOOST_CHECK_THROW(
        open(1, {.name = {}, .capacity = 10, .retry_delay = 1h, .max_retry_delay = 1s}),
        sluice::system_error
    );
    BOOST_CHECK_THROW(
        open(1, {.name = {}, .capacity = 10, .retry_delay = -1ms}),
        sluice::system_error
    );
}

int function_calls()
{
    const auto told = test::redis_server_fixture::shared_server().run("INFO commandstats"
    );
    const auto begin = told.find("cmdstat_fcall:calls=") + 20;
    return std::stoi(told.substr(begin, told.find(',', begin) - begin));
}

BOOST_AUTO_TEST_CASE(acknowledgement_in_passing_takes_no_call_of_its_own)
{
    redis::connection patient(
        ctx,
        test::redis_server_fixture::shared_server().url(),
        {.poll_interval = 1h}  // which calls functions, too
    );
    queue q(patient, {.name = name, .capacity = 3});
    constexpr int elements = 50;
    put(q, 0);
    const int before = function_calls();
    run_until_done([](queue& passing) -> test::asio::awaitable<void> {
        for (int i = 0; i < elements; ++i) {
            auto taken = co_await passing.dequeue();
            taken.acknowledge()(test::asio::detached);
            co_await passing.enqueue(i);
        }
        co_await passing.flush();
    }(q));
    BOOST_TEST(function_calls() - before == 2 * elements);
    BOOST_TEST(status(q).acknowledged == std::size_t{elements});
}

BOOST_AUTO_TEST_CASE(batch_lingers_for_more_and_takes_what_came)
{
    const auto in = open(1);
    const auto out = open(2);
    put(*in, 1);
    const auto lingering = spawn(lingering_for(*out, 3, 1h));
    settle_with(*out);
    lingering.check_pending();
    put_many(*in, {2, 3});
    BOOST_TEST(run_until_done(lingering) == (numbers{1, 2, 3}));

    const auto short_one = spawn(lingering_for(*out, 3, 5ms));
    put(*in, 4);
    BOOST_TEST(run_until_done(short_one) == numbers{4});
}

BOOST_AUTO_TEST_CASE(priority_queue_gives_the_smallest_first)
{
    const redis::queue_options options{
        .name = name,
        .capacity = 10,
        .kind = redis::queue_kind::priority
    };
    queue in(*a, options, [](int value) { return value / 10; });
    queue out(*b, options, [](int value) { return value / 10; });
    put_many(in, {35, -12, 31, 7, -18});
    auto first = lease(out);
    BOOST_TEST(first.value() == -12);
    BOOST_TEST(first.id().size() == 30u);  // without the priority
    run_until_done([](redis::delivery<int>& one) -> test::asio::awaitable<void> {
        co_await one.requeue();
    }(first));
    BOOST_TEST(take_up_to(out, 5) == (numbers{-12, -18, 7, 35, 31}));
}

BOOST_AUTO_TEST_CASE(shuffle_queue_keeps_some_to_choose_from_until_it_is_closed)
{
    const redis::queue_options options{
        .name = {},
        .capacity = 40,
        .kind = redis::queue_kind::shuffle,
        .min_after_dequeue = 10
    };
    const auto in = open(1, options);
    const auto out = open(2, options);
    numbers sent(30);
    std::iota(sent.begin(), sent.end(), 0);
    put_many(*in, sent);
    auto got = take_up_to(*out, 20);
    BOOST_TEST(got.size() == 20u);
    const auto waiting = spawn(taking(*out));
    settle_with(*out);
    waiting.check_pending();
    close(*in);
    got.push_back(run_until_done(waiting));
    const auto rest = take_up_to(*out, 40);
    got.insert(got.end(), rest.begin(), rest.end());
    BOOST_TEST(got != sent);  // one order of 30! is not worth a failure
    std::ranges::sort(got);
    BOOST_TEST(got == sent);
}

BOOST_AUTO_TEST_CASE(other_options_than_those_of_the_server_are_refused)
{
    const auto first = open(1, 10);
    put(*first, 1);
    const auto second = open(2, 11);
    const auto refused = spawn(taking(*second));
    run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::queue_mismatch);
    const auto text = test::message_of([&] { std::rethrow_exception(refused.error()); });
    BOOST_TEST(text.find("capacity 10,") != std::string::npos);
    BOOST_TEST(text.find("capacity 11,") != std::string::npos);
    BOOST_TEST(take(*first) == 1);

    const auto check = [&](redis::queue_options options) {
        BOOST_CHECK_EXCEPTION(
            queue(*a, options),
            sluice::system_error,
            [](const auto& error) {
                return error.code() == sluice::errc::invalid_argument;
            }
        );
    };
    check({.name = "", .capacity = 1});
    check({.name = "a{b}", .capacity = 1});
    check({.name = "a", .capacity = 0});
    check({.name = "a", .capacity = 1, .kind = redis::queue_kind::priority});
    check({.name = "a", .capacity = 1, .lease = 0ms});
    check({.name = "a", .capacity = 1, .lease = std::chrono::milliseconds::max()});
    check({.name = "a", .capacity = 2, .min_after_dequeue = 1});
    check(
        {.name = "a",
         .capacity = 2,
         .kind = redis::queue_kind::shuffle,
         .min_after_dequeue = 2}
    );
}

// What its own opening published made it ask at once, and so for ever.
BOOST_AUTO_TEST_CASE(queue_with_other_options_asks_again_with_the_poll_only)
{
    const auto first = open(1, 10);
    settle_with(*first);
    redis::connection patient(
        ctx,
        test::redis_server_fixture::shared_server().url(),
        {.poll_interval = 1h}
    );
    queue second(patient, {.name = name, .capacity = 11});
    const auto refused = spawn(taking(second));
    run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::queue_mismatch);
    const int before = function_calls();
    for (int i = 0; i < 20; ++i)
        (void)size(*first);
    BOOST_TEST(function_calls() == before);
}

BOOST_AUTO_TEST_CASE(producers_that_are_silent_for_days_are_forgotten)
{
    const auto first = open(1);
    put(*first, 1);
    const auto& server = test::redis_server_fixture::shared_server();
    const std::string meta = "'sluice:{" + name + "}:meta' ";
    server.run("HSET " + meta + "p:old '5 1000' p:new '5 99999999999999'");
    const auto second = open(2);
    BOOST_TEST(take(*second) == 1);
    BOOST_TEST(server.run("HMGET " + meta + "p:old p:new") == "\n5 99999999999999");
}

BOOST_AUTO_TEST_CASE(many_waits_are_cancelled_and_leave_nothing_in_the_server)
{
    const auto q = open(1);
    const auto cancel_so_many = [&](int count) {
        std::vector<decltype(spawn(taking(*q)))> consumers;
        for (int i = 0; i < count; ++i)
            consumers.push_back(spawn(taking(*q)));
        settle_with(*q);
        for (const auto& each : consumers)
            each.cancel();
        run_until([&] { return consumers.back().done(); });
        for (const auto& each : consumers)
            each.check_error(test::asio::error::operation_aborted);
    };
    const auto& server = test::redis_server_fixture::shared_server();
    const std::string keys = "sluice:{" + name + "}:";
    // One leaves the mark by which the next enqueue knows that a consumer waits.
    cancel_so_many(1);
    const auto after_one = server.run("HGETALL '" + keys + "meta'");
    cancel_so_many(10'000);
    BOOST_TEST(server.run("HGETALL '" + keys + "meta'") == after_one);
    BOOST_TEST(server.run("KEYS '" + keys + "*'") == keys + "meta");
    BOOST_TEST(server.run("INFO clients").find("blocked_clients:0") != std::string::npos);
    put(*q, 1);
    BOOST_TEST(server.run("HEXISTS '" + keys + "meta' waits_for_items") == "0");
    BOOST_TEST(take(*q) == 1);
    const auto now = status(*q);
    BOOST_TEST(now.redelivered == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
