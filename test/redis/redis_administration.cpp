// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/redis_administration.hpp>

#include "support/message_of.hpp"
#include "support/redis/processes.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;

namespace redis_administration {

using strings = std::vector<std::string>;

struct fixture : test::two_processes
{
    std::vector<redis::queue_info> queues()
    {
        return run_until_done(
            [&]() -> boost::asio::awaitable<std::vector<redis::queue_info>> {
                co_return co_await server.queues();
            }
        );
    }

    std::optional<redis::queue_info> find(std::string which)
    {
        return run_until_done(
            [&]() -> boost::asio::awaitable<std::optional<redis::queue_info>> {
                co_return co_await server.find(which);
            }
        );
    }

    bool note_end(std::string feeder, std::string who)
    {
        return run_until_done([&]() -> boost::asio::awaitable<bool> {
            std::vector<redis::feeder_count> all;
            all.push_back({.feeder = "a", .copies = 2});
            all.push_back({.feeder = "b\nc"});
            co_return co_await server.note_end(name, feeder, who, all);
        });
    }

    // What a dead letter is made of in these cases: it was delivered once, and returned.
    static void give_up(queue& q, two_processes& by)
    {
        const auto returned = by.lease(q);
    }

    // As if the time of all leases had come.
    void end_leases() const
    {
        const std::string script =
            "for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do "
            "redis.call('ZADD', KEYS[1], 1, id) end "
            "redis.call('HSET', KEYS[2], 'next_end', 1)";
        const std::string prefix = "'sluice:{" + name + "}:";
        test::redis_server_fixture::shared_server().run(
            "EVAL \"" + script + "\" 2 " + prefix + "leased' " + prefix + "meta'"
        );
    }

    std::vector<redis::peeked_element> peek(redis::queue_part part, std::size_t most = 10)
    {
        using found = std::optional<std::vector<redis::peeked_element>>;
        return run_until_done(
                   [&]() -> boost::asio::awaitable<found> {
                       co_return co_await server.peek(name, part, most);
                   }
        ).value();
    }

    static std::vector<std::string> bytes_of(
        const std::vector<redis::peeked_element>& elements
    )
    {
        std::vector<std::string> bytes;
        for (const auto& each : elements)
            bytes.push_back(each.bytes);
        return bytes;
    }

    redis::requeued_letters requeue(std::size_t most = 100)
    {
        using done = std::optional<redis::requeued_letters>;
        return run_until_done(
                   [&]() -> boost::asio::awaitable<done> {
                       co_return co_await server.requeue(name, most);
                   }
        ).value();
    }

    redis::administration server{
        ctx.get_executor(),
        test::redis_server_fixture::shared_server().url()
    };
};

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_FIXTURE_TEST_SUITE(redis_administration, fixture)

BOOST_AUTO_TEST_CASE(queues_are_listed_with_what_they_are)
{
    const auto q = open(1);
    put(*q, 1);
    const auto all = queues();
    const auto found = std::ranges::find(all, name, &redis::queue_info::name);
    BOOST_REQUIRE(found != all.end());
    BOOST_TEST((found->kind == redis::queue_kind::fifo));
    BOOST_TEST(found->max_deliveries == 5u);
    BOOST_TEST(found->status.size == 1u);
    BOOST_TEST(found->status.capacity == 10u);
    BOOST_TEST(!find("there is none").has_value());
}

BOOST_AUTO_TEST_CASE(queue_that_is_deleted_is_gone_with_its_elements)
{
    const auto q = open(1);
    put(*q, 1);
    const auto remove = [&]() -> boost::asio::awaitable<bool> {
        co_return co_await server.remove(name);
    };
    BOOST_TEST(run_until_done(remove));
    BOOST_TEST(!find(name).has_value());
    BOOST_TEST(!run_until_done(remove));
    put(*q, 2);  // makes it anew
    BOOST_TEST(take(*q) == 2);
}

BOOST_AUTO_TEST_CASE(peek_shows_what_leaves_next_and_takes_nothing)
{
    const auto q = open(1);
    put_many(*q, {1, 2, 3, 4});
    const auto held = lease(*q);
    give_up(*q, *this);
    settle_with(*q);
    const auto found = peek(redis::queue_part::waiting, 2);
    BOOST_TEST(bytes_of(found) == (strings{"2", "3"}));
    BOOST_TEST(found[0].deliveries == 1u);
    BOOST_TEST(found[1].deliveries == 0u);
    BOOST_TEST(found[0].reason == "");
    BOOST_TEST(bytes_of(peek(redis::queue_part::waiting)) == (strings{"2", "3", "4"}));
    BOOST_TEST(peek(redis::queue_part::waiting, 0).empty());
    constexpr auto no_limit = std::numeric_limits<std::size_t>::max();
    BOOST_TEST(bytes_of(peek(redis::queue_part::waiting, no_limit)).size() == 3u);
    BOOST_TEST(peek(redis::queue_part::dead_letters).empty());
    BOOST_TEST(take_up_to(*q, 3) == (std::vector<int>{2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(dead_letters_tell_how_often_they_were_delivered_and_why_they_are_dead
)
{
    const auto q = open(1, {.name = name, .capacity = 10, .max_deliveries = 2});
    put_many(*q, {1, 2});
    give_up(*q, *this);
    give_up(*q, *this);  // the same again
    settle_with(*q);
    const auto held = lease(*q);
    end_leases();
    const auto again = lease(*q);
    BOOST_TEST(again.value() == 2);
    end_leases();
    BOOST_TEST(!take_within(*q, 0ms).has_value());
    const auto letters = peek(redis::queue_part::dead_letters);
    BOOST_TEST(bytes_of(letters) == (strings{"1", "2"}));
    BOOST_TEST(letters[0].deliveries == 2u);
    BOOST_TEST(letters[0].reason == "its consumer returned it");
    BOOST_TEST(letters[1].deliveries == 2u);
    BOOST_TEST(letters[1].reason == "its lease ended");
}

BOOST_AUTO_TEST_CASE(requeue_makes_new_elements_of_dead_letters)
{
    const auto q = open(1, {.name = name, .capacity = 3, .max_deliveries = 1});
    settle_with(*q);
    put_many(*q, {1, 2, 3});
    BOOST_TEST(requeue().count == 0u);
    for (int i = 0; i < 3; ++i)
        give_up(*q, *this);
    put(*q, 4);
    settle_with(*q);

    const auto some = requeue(1);
    BOOST_TEST(some.count == 1u);
    BOOST_TEST(some.left == 2u);
    const auto rest = requeue();  // there is room for one
    BOOST_TEST(rest.count == 1u);
    BOOST_TEST(rest.left == 1u);
    const auto now = status(*q);
    BOOST_TEST(now.size == 3u);
    BOOST_TEST(now.dead_letters == 1u);
    BOOST_TEST(now.enqueued == 6u);
    BOOST_TEST(now.lost == 0u);

    BOOST_TEST(bytes_of(peek(redis::queue_part::dead_letters)) == (strings{"3"}));
    auto first = lease(*q);
    BOOST_TEST(first.value() == 4);
    acknowledge(first);
    auto again = lease(*q);
    BOOST_TEST(again.value() == 1);
    BOOST_TEST(again.attempt() == 1u);
    acknowledge(again);
    BOOST_TEST(take(*q) == 2);
}

BOOST_AUTO_TEST_CASE(
    requeue_leaves_letters_that_a_consumer_has_although_their_order_is_lost
)
{
    const auto q = open(1, {.name = name, .capacity = 10, .max_deliveries = 1});
    put_many(*q, {1, 2, 3});
    for (int i = 0; i < 3; ++i)
        give_up(*q, *this);
    settle_with(*q);
    auto dead = q->dead_letters();
    auto first = lease(dead);
    auto second = lease(dead);
    first.forget();
    settle_with(dead);
    test::redis_server_fixture::shared_server().run(
        "DEL 'sluice:{" + name + "}:dead:ready'"
    );
    const auto done = requeue();
    BOOST_TEST(done.count == 2u);
    BOOST_TEST(done.left == 1u);
    BOOST_TEST(take_up_to(*q, 2) == (std::vector<int>{1, 3}));
    acknowledge(second);
    BOOST_TEST(status(dead).size == 0u);
    BOOST_TEST(status(dead).lost == 0u);
}

BOOST_AUTO_TEST_CASE(requeue_moves_what_is_left_after_a_loss)
{
    const auto q = open(1, {.name = name, .capacity = 10, .max_deliveries = 1});
    put_many(*q, {1, 2, 3});
    for (int i = 0; i < 3; ++i)
        give_up(*q, *this);
    settle_with(*q);
    const std::string key = "'sluice:{" + name + "}:dead:data'";
    const auto& redis_server = test::redis_server_fixture::shared_server();
    redis_server.run(
        "EVAL \"local ids = redis.call('HKEYS', KEYS[1]) table.sort(ids) "
        "return redis.call('HDEL', KEYS[1], ids[2])\" 1 " +
        key
    );
    const auto done = requeue();
    BOOST_TEST(done.count == 2u);
    BOOST_TEST(done.left == 0u);
    BOOST_TEST(take_up_to(*q, 2) == (std::vector<int>{1, 3}));
    auto dead = q->dead_letters();
    BOOST_TEST(status(dead).lost == 1u);
    // Nothing is kept of the one that is lost.
    BOOST_TEST(redis_server.run("HLEN 'sluice:{" + name + "}:dead:why'") == "0");
}

// No poll comes that would tell it.
BOOST_AUTO_TEST_CASE(requeue_ends_a_wait_for_more_dead_letters_than_are_left)
{
    redis::connection far(
        ctx,
        test::redis_server_fixture::shared_server().url(),
        {.poll_interval = 1h}
    );
    const auto q = open(1, {.name = name, .capacity = 10, .max_deliveries = 1});
    put_many(*q, {1, 2});
    for (int i = 0; i < 2; ++i)
        give_up(*q, *this);
    settle_with(*q);
    auto dead = q->dead_letters();
    const auto held = lease(dead);
    close(dead);
    const redis::queue<int> elsewhere(
        far,
        {.name = name, .capacity = 10, .max_deliveries = 1}
    );
    auto same = elsewhere.dead_letters();
    const auto waits = spawn(taking_many(same, 2));
    settle_with(same);
    waits.check_pending();
    BOOST_TEST(requeue().count == 1u);
    run_until([&] { return waits.done(); });
    waits.check_error(sluice::errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(requeue_wakes_consumers_and_goes_into_a_closed_queue)
{
    const auto q = open(1, {.name = name, .capacity = 3, .max_deliveries = 1});
    const auto other = open(2, {.name = name, .capacity = 3, .max_deliveries = 1});
    put(*q, 1);
    give_up(*q, *this);
    settle_with(*q);
    const auto waits = spawn(taking(*other));
    settle_with(*other);
    waits.check_pending();
    BOOST_TEST(requeue().count == 1u);
    BOOST_TEST(run_until_done(waits) == 1);

    put(*q, 2);
    give_up(*q, *this);
    close(*q);
    BOOST_TEST(requeue().count == 1u);
    BOOST_TEST(take(*other) == 2);
    BOOST_TEST(take_next(*other) == false);
}

BOOST_AUTO_TEST_CASE(requeued_letter_has_its_priority_again)
{
    redis::queue<int> q(
        *a,
        {.name = name,
         .capacity = 10,
         .kind = redis::queue_kind::priority,
         .max_deliveries = 1},
        [](int value) { return value; }
    );
    put(q, 1);
    give_up(q, *this);
    put_many(q, {0, 2});
    settle_with(q);
    BOOST_TEST(requeue().count == 1u);
    BOOST_TEST(take_up_to(q, 3) == (std::vector<int>{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(letters_of_consumers_and_of_no_queue_stay_where_they_are)
{
    const auto q = open(1, {.name = name, .capacity = 3, .max_deliveries = 1});
    put(*q, 1);
    give_up(*q, *this);
    settle_with(*q);
    auto dead = q->dead_letters();
    auto held = lease(dead);
    const auto done = requeue();
    BOOST_TEST(done.count == 0u);
    BOOST_TEST(done.left == 1u);
    acknowledge(held);
    BOOST_TEST(requeue().left == 0u);
    const auto& keys = test::redis_server_fixture::shared_server();
    BOOST_TEST(keys.run("EXISTS 'sluice:{" + name + "}:dead:why'") == "0");
    using done_type = std::optional<redis::requeued_letters>;
    BOOST_TEST(!run_until_done([&]() -> boost::asio::awaitable<done_type> {
                    co_return co_await server.requeue("there is none", 1);
                }).has_value());
}

BOOST_AUTO_TEST_CASE(queue_is_closed_for_all_processes)
{
    const auto q = open(1);
    put(*q, 1);
    const auto closing = [&](std::string which) {
        return run_until_done([&]() -> boost::asio::awaitable<bool> {
            co_return co_await server.close(which);
        });
    };
    BOOST_TEST(closing(name));
    BOOST_TEST(!closing("there is none"));
    BOOST_TEST(status(*q).is_closed);
}

BOOST_AUTO_TEST_CASE(queue_is_closed_by_the_last_of_its_producers)
{
    const auto q = open(1);
    put(*q, 1);
    BOOST_TEST(!note_end("a", "first"));
    BOOST_TEST(!note_end("a", "first"));  // counts once
    BOOST_TEST(!note_end("b", "third"));  // is none of them
    BOOST_TEST(!note_end("b\nc", "third"));
    BOOST_TEST(!status(*q).is_closed);
    BOOST_TEST(note_end("a", "second"));
    BOOST_TEST(status(*q).is_closed);
}

BOOST_AUTO_TEST_CASE(server_that_is_not_there_is_an_error)
{
    const redis::administration none(ctx.get_executor(), "unix:/there/is/none");
    const auto asking = spawn([&]() -> boost::asio::awaitable<std::size_t> {
        const auto all = co_await none.queues();
        co_return all.size();
    });
    run_until([&] { return asking.done(); });
    BOOST_TEST(asking.error() != nullptr);
}

BOOST_AUTO_TEST_CASE(every_kind_of_cancellation_ends_a_call)
{
    using boost::asio::cancellation_type;
    using boost::asio::ip::tcp;
    const tcp::acceptor silent(ctx, {boost::asio::ip::address_v4::loopback(), 0});
    const redis::administration slow(
        ctx.get_executor(),
        "redis://127.0.0.1:" + std::to_string(silent.local_endpoint().port())
    );
    for (const auto type :
         {cancellation_type::terminal,
          cancellation_type::partial,
          cancellation_type::total}) {
        const auto asking = spawn([&]() -> boost::asio::awaitable<void> {
            co_await boost::asio::this_coro::reset_cancellation_state(
                boost::asio::enable_total_cancellation()
            );
            (void)co_await slow.queues();
        });
        run();
        asking.cancel(type);
        run_until([&] { return asking.done(); });
        asking.check_error(boost::asio::error::operation_aborted);
    }
}

// It asks, loads its functions, which another program has done meanwhile, and asks again.
BOOST_AUTO_TEST_CASE(functions_that_a_newer_program_loads_meanwhile_are_not_replaced)
{
    using boost::asio::ip::tcp;
    tcp::acceptor acceptor(ctx, {boost::asio::ip::address_v4::loopback(), 0});
    const redis::administration older(
        ctx.get_executor(),
        "redis://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port())
    );
    const std::string ask = "sluice_1_revision\r\n$1\r\n0\r\n";
    struct exchange
    {
        std::string end_of_command;
        std::string answer;
    };
    const std::vector<exchange> script{
        {ask, "-ERR Function not found\r\n"},
        {"register('status', status, 'no-writes')\n\r\n",
         "-ERR Library 'sluice_1' already exists\r\n"},
        {ask, ":1000000\r\n"},
        {"\r\nhash\r\n", "*2\r\n$1\r\n0\r\n*0\r\n"}  // SCAN
    };
    std::vector<std::string> commands;
    const auto serving = spawn([&]() -> boost::asio::awaitable<void> {
        tcp::socket client = co_await acceptor.async_accept(boost::asio::use_awaitable);
        for (const exchange& next : script) {
            co_await boost::asio::async_read_until(
                client,
                boost::asio::dynamic_buffer(commands.emplace_back()),
                next.end_of_command,
                boost::asio::use_awaitable
            );
            co_await boost::asio::async_write(
                client,
                boost::asio::buffer(next.answer),
                boost::asio::use_awaitable
            );
        }
    });
    const auto none = run_until_done(
        [&]() -> boost::asio::awaitable<std::vector<redis::queue_info>> {
            co_return co_await older.queues();
        }
    );
    run_until_done(serving);
    BOOST_TEST(none.empty());
    BOOST_TEST(commands.at(1).find("\r\nREPLACE\r\n") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(server_that_is_silent_is_an_error_that_names_it)
{
    using boost::asio::ip::tcp;
    const tcp::acceptor silent(ctx, {boost::asio::ip::address_v4::loopback(), 0});
    const auto port = std::to_string(silent.local_endpoint().port());
    const redis::administration none(
        ctx.get_executor(),
        "redis://127.0.0.1:" + port,
        {.connect_timeout = std::chrono::milliseconds(20)}
    );
    const auto asking = spawn([&]() -> boost::asio::awaitable<void> {
        (void)co_await none.queues();
    });
    run_until([&] { return asking.done(); });
    asking.check_error(redis::errc::connection_failed);
    const auto text = test::message_of([&] { std::rethrow_exception(asking.error()); });
    BOOST_TEST(text.find("connect_timeout passed") != std::string::npos, text);
    BOOST_TEST(text.find("redis://127.0.0.1:" + port) != std::string::npos, text);
    const auto meaning = redis::make_error_code(redis::errc::connection_failed).what();
    BOOST_TEST(text.find(meaning) == text.rfind(meaning), text);
}

BOOST_AUTO_TEST_CASE(what_a_server_refuses_names_it_and_says_what_to_do)
{
    const std::string url = test::redis_server_fixture::shared_server().tcp_url() +
                            "/999999";
    const redis::administration wrong(ctx.get_executor(), url);
    const auto asking = spawn([&]() -> boost::asio::awaitable<void> {
        (void)co_await wrong.queues();
    });
    run_until([&] { return asking.done(); });
    asking.check_error(sluice::errc::invalid_argument);
    const auto text = test::message_of([&] { std::rethrow_exception(asking.error()); });
    BOOST_TEST(text.find("redis connection to " + url + ": SELECT: ") == 0u, text);
    BOOST_TEST(text.find("; name another database in the address") != text.npos, text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace redis_administration
