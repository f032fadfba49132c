// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Rules: S46

// Producers with a name: an element is enqueued once, although its producer was killed.

#include "support/message_of.hpp"
#include "support/redis/bad_network.hpp"
#include "support/redis/processes.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;
using numbers = std::vector<int>;

namespace named_producers {

struct producers : test::two_processes
{
    std::unique_ptr<queue> open_as(
        std::string_view producer,
        int process,
        std::size_t capacity = 10
    )
    {
        return open(process, {.name = {}, .capacity = capacity, .producer = producer});
    }

    std::uint64_t position(queue& q)
    {
        return run_until_done([](queue& asked) -> test::asio::awaitable<std::uint64_t> {
            co_return co_await asked.position();
        }(q));
    }

    template <class Task>
    void check_fenced(const Task& task)
    {
        run_until([&] { return task.done(); });
        task.check_error(redis::errc::producer_fenced);
    }

    [[nodiscard]] std::string keys() const { return "sluice:{" + name + "}"; }

    // The process that has a name, as the server knows it.
    [[nodiscard]] std::string owner_of(const std::string& producer) const
    {
        const auto record = server().run(
            "HGET '" + keys() + ":meta' n:" + producer
        );  // 2 3 p:...
        return record.substr(record.rfind(' ') + 1);
    }

    // A command that a process has left behind.
    std::string call(const std::string& function, const std::string& arguments) const
    {
        return server().run(
            "FCALL sluice_1_" + function + " 1 '" + keys() + "' " + arguments
        );
    }

    static test::redis_server& server()
    {
        return test::redis_server_fixture::shared_server();
    }
};

// The first process is behind a bad network.
struct far_producers : producers
{
    far_producers()
    {
        network.emplace(ctx, server().port());
        a.emplace(ctx, network->url(), test::quick_connection);
    }

    ~far_producers()
    {
        a.reset();
        network.reset();
    }

    std::optional<test::bad_network> network;
};

// A server that is about to lose something.
struct forgetful_server
{
    test::redis_server own;
};

struct producers_of_a_forgetful_server : forgetful_server, producers
{
    producers_of_a_forgetful_server()
    {
        a.emplace(ctx, own.url(), test::quick_connection);
        b.emplace(ctx, own.url(), test::quick_connection);
    }

    void forget_what_was_not_saved()
    {
        own.kill();
        own.start();
    }
};

}  // namespace named_producers

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_FIXTURE_TEST_SUITE(named_producers, ::named_producers::producers)

BOOST_AUTO_TEST_CASE(position_counts_what_a_producer_has_enqueued_in_all_its_lives)
{
    {
        const auto first_life = open_as("import", 1);
        BOOST_TEST(position(*first_life) == 0u);
        put(*first_life, 1);
        put_many(*first_life, {2, 3, 4});
        BOOST_TEST(position(*first_life) == 4u);
    }
    const auto nameless = open(1);
    put(*nameless, 5);
    const auto other = open_as("other", 1);
    put(*other, 6);
    const auto second_life = open_as("import", 2);
    BOOST_TEST(position(*second_life) == 4u);
    put(*second_life, 7);
    BOOST_TEST(position(*second_life) == 5u);
    BOOST_TEST(position(*other) == 1u);
    BOOST_TEST(take_up_to(*nameless, 7) == (numbers{1, 2, 3, 4, 5, 6, 7}));
    BOOST_TEST(position(*second_life) == 5u);
}

BOOST_AUTO_TEST_CASE(batch_that_is_refused_does_not_count)
{
    const auto q = open_as("import", 1, 3);
    put_many(*q, {1, 2});
    run_until_done([](queue& to) -> test::asio::awaitable<void> {
        const numbers two{3, 4};
        BOOST_TEST(!co_await to.try_enqueue_many(two));
    }(*q));
    BOOST_TEST(position(*q) == 2u);

    // The first is on its way alone. The others share a command, which is done in part.
    BOOST_TEST(take(*q) == 1);
    BOOST_TEST(take(*q) == 2);
    const auto alone = spawn(putting(*q, 3));
    const auto fits = spawn(putting(*q, 4));
    const auto waits = spawn(putting_many(*q, {5, 6}));
    run_until_done(fits);
    settle_with(*q);
    waits.check_pending();
    BOOST_TEST(position(*q) == 2u + 2u);
    BOOST_TEST(take(*q) == 3);
    run_until_done(waits);
    alone.check_done();
    BOOST_TEST(position(*q) == 6u);
}

BOOST_AUTO_TEST_CASE(producer_whose_name_is_taken_enqueues_no_more_and_still_dequeues)
{
    const auto first = open_as("import", 1);
    put(*first, 1);
    const auto second = open_as("import", 2);
    BOOST_TEST(position(*second) == 1u);
    const auto late = spawn(putting(*first, 2));
    check_fenced(late);
    const auto text = test::message_of([&] { std::rethrow_exception(late.error()); });
    BOOST_TEST(text.find("enqueues as import") != std::string::npos);
    check_fenced(spawn(putting_many(*first, {2, 3})));
    check_fenced(spawn([&]() -> test::asio::awaitable<void> {
        const int two = 2;
        co_await first->try_enqueue(two);
    }));
    check_fenced(spawn([&]() -> test::asio::awaitable<void> {
        (void)co_await first->position();
    }));
    BOOST_TEST(status(*first).enqueued == 1u);
    BOOST_TEST(take(*first) == 1);

    put(*second, 2);
    BOOST_TEST(position(*second) == 2u);
    BOOST_TEST(take(*first) == 2);
}

// A process that is killed leaves commands in its socket, which the server may read later.
BOOST_AUTO_TEST_CASE(commands_of_a_dead_producer_that_come_late_change_nothing)
{
    const auto first = open_as("import", 1);
    put(*first, 1);
    const auto dead = owner_of("import");
    const auto enqueue_as = "import " + dead + " 2 1 9 0";  // its second call: 9
    BOOST_TEST(call("enqueue_as", enqueue_as) == "1\n0\n2");
    BOOST_TEST(call("enqueue_as", enqueue_as) == "1\n0\n2");  // repeated
    const auto second = open_as("import", 2);
    BOOST_TEST(position(*second) == 2u);
    const auto owner = owner_of("import");
    BOOST_TEST(owner != dead);
    BOOST_TEST(call("enqueue_as", "import " + dead + " 3 1 9 0").starts_with("FENCED"));
    // To take a name, too, is a command that may come late: behind that of another process.
    const auto opens = [&](const std::string& process, const std::string& replaced) {
        return call("open_as", "fifo 10 5 0 import " + process + " '" + replaced + "'");
    };
    const std::string is = "fifo\n10\n5\n0\n";
    for (const std::string replaced : {"", "p:1", dead.c_str()})
        BOOST_TEST(opens("p:2", replaced).starts_with(is + owner + "\n0\n"));
    BOOST_TEST(opens(owner, owner).starts_with(is + owner + "\n0\n"));
    put(*second, 3);
    BOOST_TEST(position(*second) == 3u);
    BOOST_TEST(take_up_to(*second, 3) == (numbers{1, 9, 3}));
}

// A process leaves commands behind in a connection that was lost, too: what it has given up since.
BOOST_FIXTURE_TEST_CASE(
    enqueue_that_was_given_up_does_not_come_in_behind_the_position,
    far_producers
)
{
    const auto far = open_as("import", 1);
    put(*far, 1);
    const auto given_up = "import " + owner_of("import") +
                          " 2 1 9 0";  // its second call: 9
    network->cut();
    BOOST_TEST(position(*far) == 1u);
    BOOST_TEST(call("enqueue_as", given_up).starts_with("FENCED"));
    BOOST_TEST(position(*far) == 1u);
    put(*far, 2);
    BOOST_TEST(take_up_to(*far, 2) == (numbers{1, 2}));
}

// The queue is not closed for the process that has the name now.
BOOST_AUTO_TEST_CASE(producer_whose_name_is_taken_closes_nothing)
{
    const auto first = open_as("import", 1, 1);
    put(*first, 1);
    const auto waits = spawn(putting(*first, 2));
    const auto closing = spawn([&]() -> test::asio::awaitable<void> {
        co_await first->close();
    });
    const auto second = open_as("import", 2, 1);
    BOOST_TEST(position(*second) == 1u);
    BOOST_TEST(take(*second) == 1);  // makes room
    check_fenced(waits);
    check_fenced(closing);
    put(*second, 2);
    BOOST_TEST(!status(*second).is_closed);
}

BOOST_AUTO_TEST_CASE(names_work_on_a_queue_that_was_made_with_numbers_written_otherwise)
{
    call("open", "fifo 010 5 0");
    const auto q = open_as("import", 1);
    put(*q, 1);
    BOOST_TEST(position(*q) == 1u);
}

BOOST_AUTO_TEST_CASE(queue_that_is_opened_with_other_options_takes_no_name)
{
    const auto first = open_as("import", 1);
    put(*first, 1);
    const auto second = open_as("import", 2, 11);
    const auto refused = spawn(putting(*second, 2));
    run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::queue_mismatch);
    put(*first, 2);
    BOOST_TEST(position(*first) == 2u);
}

BOOST_AUTO_TEST_CASE(position_without_a_name_is_an_error)
{
    const auto q = open(1);
    const auto asking = spawn([&]() -> test::asio::awaitable<void> {
        (void)co_await q->position();
    });
    run_until([&] { return asking.done(); });
    asking.check_error(sluice::errc::invalid_argument);
    const auto text = test::message_of([&] { std::rethrow_exception(asking.error()); });
    BOOST_TEST(text.find("queue_options::producer") != std::string::npos);
    run_until_done([](queue& asked) -> test::asio::awaitable<void> {
        const auto [error, none] = co_await asked.position().as_tuple();
        BOOST_TEST(error == sluice::errc::invalid_argument);
        BOOST_TEST(none == 0u);
    }(*q));
}

BOOST_AUTO_TEST_CASE(position_waits_for_the_server_or_until_its_limit)
{
    const auto q = open_as("import", 1);
    put(*q, 1);
    server().pause();
    const auto limited = spawn([&]() -> test::asio::awaitable<void> {
        (void)co_await q->position().within(1ms);
    });
    const auto waiting = spawn([&]() -> test::asio::awaitable<std::uint64_t> {
        co_return co_await q->position();
    });
    run_until([&] { return limited.done(); });
    limited.check_error(sluice::errc::timed_out);
    waiting.check_pending();
    server().go_on();
    BOOST_TEST(run_until_done(waiting) == 1u);
}

BOOST_AUTO_TEST_CASE(name_is_kept_however_long_its_producer_is_silent)
{
    {
        const auto first_life = open_as("import", 1);
        put_many(*first_life, {1, 2});
    }
    const auto record = "HGET '" + keys() + ":meta' n:import";
    const auto before = server().run(record);
    server().run("HSET '" + keys() + ":meta' p:old '5 1000'");
    const auto nameless = open(2);
    BOOST_TEST(take(*nameless) == 1);
    BOOST_TEST(server().run("HEXISTS '" + keys() + ":meta' p:old") == "0");
    BOOST_TEST(server().run(record) == before);
    const auto second_life = open_as("import", 1);
    BOOST_TEST(position(*second_life) == 2u);
}

// A process that went on would have left out what was deleted, and the next one would repeat.
BOOST_AUTO_TEST_CASE(queue_that_is_deleted_fences_its_producers_and_counts_from_zero)
{
    const auto remove = "DEL '" + keys() + ":meta' '" + keys() + ":data'";
    const auto q = open_as("import", 1);
    put_many(*q, {1, 2});
    server().run(remove);
    check_fenced(spawn(putting(*q, 3)));
    settle_with(*q);  // made anew, without the name
    const auto again = open_as("import", 1);
    put(*again, 1);
    BOOST_TEST(position(*again) == 1u);

    server().run(remove);
    const auto nameless = open(2);
    settle_with(*nameless);  // made anew by another process
    const auto asking = spawn([&]() -> test::asio::awaitable<void> {
        (void)co_await again->position();
    });
    check_fenced(asking);
    const auto text = test::message_of([&] { std::rethrow_exception(asking.error()); });
    BOOST_TEST(text.find("has lost enqueued elements") != std::string::npos);
    const auto third = open_as("import", 1);
    BOOST_TEST(position(*third) == 0u);
}

BOOST_FIXTURE_TEST_CASE(enqueue_that_is_repeated_counts_once, far_producers)
{
    const auto far = open_as("import", 1);
    const auto near = open(2);
    settle_with(*far);
    network->swallow_answers(true);
    const auto producer = spawn(putting_many(*far, {1, 2}));
    while (status(*near).size == 0)
        run();
    producer.check_pending();
    network->swallow_answers(false);
    network->cut();
    run_until_done(producer);
    BOOST_TEST(position(*far) == 2u);
    put(*far, 3);  // it has its name still
    BOOST_TEST(position(*far) == 3u);
    BOOST_TEST(status(*near).enqueued == 3u);
}

// The process is cut off, and so another one is started in its place.
BOOST_FIXTURE_TEST_CASE(
    producer_that_comes_back_does_not_take_its_name_back,
    far_producers
)
{
    const auto far = open_as("import", 1);
    put(*far, 1);
    network->swallow_answers(true);
    const auto near = open_as("import", 2);
    BOOST_TEST(position(*near) == 1u);
    const auto late = spawn(putting(*far, 2));
    network->swallow_answers(false);
    network->cut();
    check_fenced(late);
    put(*near, 2);
    BOOST_TEST(position(*near) == 2u);
    BOOST_TEST(take_up_to(*far, 2) == (numbers{1, 2}));
}

// Then the next process goes on at the first element that was lost.
BOOST_FIXTURE_TEST_CASE(
    server_that_loses_elements_loses_their_count_with_them,
    producers_of_a_forgetful_server
)
{
    const auto q = open_as("import", 1);
    put_many(*q, {1, 2});
    own.run("SAVE");
    put(*q, 3);
    forget_what_was_not_saved();
    check_fenced(spawn([&]() -> test::asio::awaitable<void> { co_await q->close(); }));
    check_fenced(spawn(putting(*q, 4)));
    const auto again = open_as("import", 1);
    BOOST_TEST(position(*again) == 2u);
    put(*again, 3);
    BOOST_TEST(take_up_to(*q, 3) == (numbers{1, 2, 3}));
}

// It had nothing that was lost, and yet the process before it may think that it has the name.
BOOST_FIXTURE_TEST_CASE(
    producer_is_fenced_if_the_server_lost_that_it_has_the_name,
    producers_of_a_forgetful_server
)
{
    const auto first = open_as("import", 1);
    put(*first, 1);
    own.run("SAVE");
    const auto second = open_as("import", 2);
    BOOST_TEST(position(*second) == 1u);
    forget_what_was_not_saved();
    check_fenced(spawn(putting(*second, 2)));
    const auto third = open_as("import", 2);
    BOOST_TEST(position(*third) == 1u);
}

// Also of a queue whose options the server answers behind the name.
BOOST_AUTO_TEST_CASE(producer_whose_queue_is_lost_is_fenced_with_a_delay_too)
{
    for (const auto retry_delay : {0ms, 100ms})
        for (const std::string part : {"meta", "data"}) {
            const std::string own_name = name + part +
                                         std::to_string(retry_delay.count());
            BOOST_TEST_CONTEXT(own_name)
            {
                const std::string key = "'sluice:{" + own_name + "}:";
                queue q(
                    *a,
                    {.name = own_name,
                     .capacity = 10,
                     .retry_delay = retry_delay,
                     .producer = "import"}
                );
                put_many(q, {1, 2, 3});
                server().run("DEL " + key + "meta' " + key + part + "'");
                check_fenced(spawn(putting(q, 4)));
                check_fenced(spawn(putting(q, 5)));
                BOOST_TEST(status(q).size == (part == "meta" ? 3u : 0u));
                if (part == "meta")  // the elements are there
                    BOOST_TEST(q.source()->look().remote->lost == 0u);
            }
        }
}

BOOST_AUTO_TEST_CASE(acknowledgement_and_enqueue_under_a_name_go_together)
{
    const auto q = open_as("import", 1);
    put(*q, 1);
    run_until_done([](queue& both) -> test::asio::awaitable<void> {
        auto taken = co_await both.dequeue();
        taken.acknowledge()(test::asio::detached);
        co_await both.enqueue(2);
        co_await both.flush();
    }(*q));
    BOOST_TEST(position(*q) == 2u);
    BOOST_TEST(status(*q).acknowledged == 1u);

    const auto heir = open_as("import", 2);
    put(*heir, 3);
    const auto late = spawn([](queue& both) -> test::asio::awaitable<void> {
        auto taken = co_await both.dequeue();
        taken.acknowledge()(test::asio::detached);
        co_await both.enqueue(4);
    }(*q));
    check_fenced(late);
    BOOST_TEST(test::message_of(late.error()).find("as import") != std::string::npos);
    run_until_done([](queue& both) -> test::asio::awaitable<void> {
        co_await both.flush();
    }(*q));
    BOOST_TEST(status(*heir).acknowledged == 2u);
    BOOST_TEST(status(*heir).enqueued == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
