// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A server that loses what was in a queue: processes that use the queue are told, and go on with
// what is there.

#include "support/message_of.hpp"
#include "support/redis/processes.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_administration.hpp>
#include <sluice/redis/redis_error.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;

namespace lost_elements {

using numbers = std::vector<int>;
using test::redis_server_fixture;

struct fixture : test::two_processes
{
    [[nodiscard]] std::string key(const std::string& part) const
    {
        return " 'sluice:{" + name + "}:" + part + "'";
    }

    void remove(const std::vector<std::string>& parts) const
    {
        std::string command = "DEL";
        for (const std::string& part : parts)
            command += key(part);
        redis_server_fixture::shared_server().run(command);
    }

    bool delete_on_purpose()
    {
        const redis::administration server(
            ctx.get_executor(),
            redis_server_fixture::shared_server().url()
        );
        return run_until_done([&]() -> boost::asio::awaitable<bool> {
            co_return co_await server.remove(name);
        });
    }

    // The next enqueue, whose error is the loss.
    void check_told(queue& q, const std::string& loss)
    {
        const auto told = spawn(putting(q, 100));
        run_until([&] { return told.done(); });
        const auto error = told.error();
        BOOST_REQUIRE(error != nullptr);
        const auto text = test::message_of([&] { std::rethrow_exception(error); });
        BOOST_TEST(text.find(loss) != std::string::npos, text);
        told.check_error(redis::errc::elements_lost);
    }

    const std::vector<std::string> all_parts{"meta", "data", "ready", "leased", "tries"};
};

// A connection to a server of its own, which has answered.
std::string warning_of(const std::string& policy, const std::string& rights = "+@all")
{
    const test::redis_server server({"--maxmemory-policy", policy});
    server.run("ACL SETUSER worker on '>pw' '~*' '&*' " + rights);
    test::two_processes here(server.tcp_url("worker:pw"));
    const auto q = here.open(1);
    here.settle_with(*q);
    return here.a->warning();
}

}  // namespace lost_elements

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_FIXTURE_TEST_SUITE(lost_elements, fixture)

BOOST_AUTO_TEST_CASE(operation_that_waits_or_the_next_one_is_told_once)
{
    const auto in = open(1);
    const auto out = open(2);
    put_many(*in, {1, 2, 3});
    BOOST_TEST(take(*out) == 1);
    const auto waits = spawn(taking_many(*out, 5));
    settle_with(*out);
    waits.check_pending();

    remove({"data"});
    put(*in, 4);
    run_until([&] { return waits.done(); });
    waits.check_error(redis::errc::elements_lost);
    settle_with(*in);
    check_told(*in, "redis queue '" + name + "': the server has lost 2 elements");

    put(*in, 5);
    BOOST_TEST(take_up_to(*out, 2) == (numbers{4, 5}));
    const auto now = status(*out);
    BOOST_TEST(now.lost == 2u);
    BOOST_TEST(now.acknowledged == 3u);
    BOOST_TEST(now.enqueued == now.acknowledged + now.lost + now.size);

    put_many(*in, {6, 7});
    remove({"data"});
    put(*in, 8);
    settle_with(*in);
    check_told(*in, "the server has lost 2 elements, 4 in all");  // another text
}

// Others may have taken some since the server spoke of it: so no operation fails.
BOOST_AUTO_TEST_CASE(queue_that_is_lost_as_a_whole_is_a_warning_with_what_it_had)
{
    const auto in = open(1);
    const auto out = open(2);
    put_many(*in, {1, 2, 3});
    const auto waits = spawn(taking_many(*out, 5));
    settle_with(*out);

    remove(all_parts);
    const std::string told =
        "redis queue '" + name +
        "' was deleted on the server, with up to 3 elements, and has "
        "been created again";
    run_until([&] {  // the poll of one of them asks, which makes it anew
        return in->source()->look().remote->warning == told ||
               out->source()->look().remote->warning == told;
    });
    waits.check_pending();
    put_many(*in, {4, 5, 6, 7, 8});
    BOOST_TEST(run_until_done(waits) == (numbers{4, 5, 6, 7, 8}));
    BOOST_TEST(in->source()->look().remote->lost == 0u);
}

// Who has taken all has nothing to lose.
BOOST_AUTO_TEST_CASE(empty_queue_that_is_lost_is_a_warning)
{
    const auto q = open(1);
    put_many(*q, {1, 2});
    BOOST_TEST(take_up_to(*q, 2) == (numbers{1, 2}));
    const auto source = q->source();
    BOOST_TEST(source->look().remote->warning == "");
    remove(all_parts);
    put(*q, 3);
    BOOST_TEST(take(*q) == 3);
    BOOST_TEST(source->look().remote->lost == 0u);
    BOOST_TEST(
        source->look().remote->warning ==
        "redis queue '" + name + "' was deleted on the server, and has been created again"
    );
}

BOOST_AUTO_TEST_CASE(queue_that_is_deleted_on_purpose_is_no_loss)
{
    const auto q = open(1);
    put_many(*q, {1, 2, 3});
    BOOST_TEST(delete_on_purpose());
    put(*q, 4);
    BOOST_TEST(take(*q) == 4);
    BOOST_TEST(q->source()->look().remote->lost == 0u);
    BOOST_TEST(q->source()->look().remote->warning == "");
}

BOOST_AUTO_TEST_CASE(dead_letters_that_are_deleted_with_their_queue_are_no_loss)
{
    const auto q = open(1, {.name = name, .capacity = 10, .max_deliveries = 1});
    put(*q, 1);
    {
        const auto given_up = lease(*q);
    }
    settle_with(*q);
    auto dead = q->dead_letters();
    BOOST_TEST(size(dead) == 1u);
    BOOST_TEST(delete_on_purpose());
    settle_with(dead);  // which makes it anew
    BOOST_TEST(dead.source()->look().remote->lost == 0u);
    BOOST_TEST(dead.source()->look().remote->warning == "");
}

// What may not be deleted is lost when that happens.
BOOST_AUTO_TEST_CASE(deletion_that_is_refused_is_not_told)
{
    auto& server = redis_server_fixture::shared_server();
    server.run("ACL SETUSER reader on '>pw' '~*' '&*' +@all -unlink");
    const redis::administration reader(ctx.get_executor(), server.tcp_url("reader:pw"));
    const auto q = open(1);
    put_many(*q, {1, 2, 3});
    const auto refused = spawn([&]() -> boost::asio::awaitable<bool> {
        co_return co_await reader.remove(name);
    });
    run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::access_denied);
    remove(all_parts);
    settle_with(*q);
    BOOST_TEST(q->source()->look().remote->warning != "");
}

// Of all kinds, with an element that a consumer has and one that came back.
BOOST_AUTO_TEST_CASE(elements_whose_bytes_are_there_are_not_lost_with_another_key)
{
    for (const auto& part : {"meta", "ready", "leased", "tries"})
        for (const auto kind :
             {redis::queue_kind::fifo,
              redis::queue_kind::priority,
              redis::queue_kind::shuffle}) {
            BOOST_TEST_CONTEXT(part << " of kind " << static_cast<int>(kind))
            {
                const std::string own_name = name + part +
                                             std::to_string(static_cast<int>(kind));
                redis::queue<int>::priority_function priority;
                if (kind == redis::queue_kind::priority)
                    priority = [](int value) { return -value; };
                redis::queue<int> q(
                    *a,
                    {.name = own_name, .capacity = 10, .kind = kind, .lease = 50ms},
                    priority
                );
                put_many(q, {1, 2, 3, 4});
                const auto held = lease(q);
                {
                    const auto returned = lease(q);
                }
                settle_with(q);
                redis_server_fixture::shared_server().run(
                    "DEL 'sluice:{" + own_name + "}:" + part + "'"
                );
                std::vector<int> all = take_up_to(q, 4);
                std::ranges::sort(all);
                BOOST_TEST(all == (numbers{1, 2, 3, 4}));
                BOOST_TEST(status(q).lost == 0u);
                BOOST_TEST(status(q).size == 0u);
            }
        }
}

// What is there can be had at once: no lease ends, and no event comes.
BOOST_AUTO_TEST_CASE(elements_are_delivered_although_their_order_is_lost)
{
    for (const auto kind :
         {redis::queue_kind::fifo, redis::queue_kind::priority, redis::queue_kind::shuffle
         }) {
        BOOST_TEST_CONTEXT("kind " << static_cast<int>(kind))
        {
            const std::string own_name = name + '-' +
                                         std::to_string(static_cast<int>(kind));
            redis::queue<int>::priority_function priority;
            if (kind == redis::queue_kind::priority)
                priority = [](int value) { return -value; };
            redis::queue<int> q(
                *a,
                {.name = own_name, .capacity = 10, .kind = kind},
                priority
            );
            put_many(q, {1, 2, 3, 4});
            redis_server_fixture::shared_server().run(
                "DEL 'sluice:{" + own_name + "}:ready'"
            );
            std::vector<int> all = take_up_to(q, 4);
            std::ranges::sort(all);
            BOOST_TEST(all == (numbers{1, 2, 3, 4}));
            BOOST_TEST(status(q).lost == 0u);
        }
    }
}

// Also if no delivery has come back, so that nothing is left of what `ready` had.
BOOST_AUTO_TEST_CASE(
    element_that_a_consumer_has_is_not_delivered_again_when_the_order_is_lost
)
{
    for (const std::size_t at_once : {1U, 3U}) {
        const std::string own_name = name + '-' + std::to_string(at_once);
        queue q(*a, {.name = own_name, .capacity = 10});
        put_many(q, {1, 2, 3, 4, 5});
        auto first = lease(q);
        auto second = lease(q);
        auto third = lease(q);
        first.forget();
        settle_with(q);
        redis_server_fixture::shared_server().run(
            "DEL 'sluice:{" + own_name + "}:ready'"
        );
        acknowledge(second);
        numbers all;
        while (all.size() < 3)
            std::ranges::copy(take_up_to(q, at_once), std::back_inserter(all));
        BOOST_TEST(all == (numbers{1, 4, 5}));
        acknowledge(third);
        const auto now = status(q);
        BOOST_TEST(now.size == 0u);
        BOOST_TEST(now.lost == 0u);
        BOOST_TEST(now.redelivered == 0u);
    }
}

BOOST_AUTO_TEST_CASE(element_that_another_program_adds_is_no_negative_loss)
{
    const auto q = open(1);
    put(*q, 1);
    auto& server = redis_server_fixture::shared_server();
    for (const std::string id : {"9999999999999998", "9999999999999999"})
        server.run("HSET" + key("data") + " " + id + " 17000000000007");
    BOOST_TEST(status(*q).lost == 0u);
    BOOST_TEST(status(*q).acknowledged == 0u);
    put(*q, 2);  // mends it
    BOOST_TEST(status(*q).size == 4u);
    BOOST_TEST(status(*q).lost == 0u);
}

// As functions of revision 7, or a loss of `meta`, have left it.
BOOST_AUTO_TEST_CASE(lease_is_not_cut_by_a_consumer_with_a_shorter_one)
{
    const auto patient = open(1, {.name = {}, .capacity = 10, .lease = 10min});
    const auto hasty = open(2, {.name = {}, .capacity = 10, .lease = 1s});
    put_many(*patient, {1, 2});
    auto held = lease(*patient);
    const auto& server = redis_server_fixture::shared_server();
    const std::string last = "ZRANGE" + key("leased") + " -1 -1 WITHSCORES";
    const std::string before = server.run(last);
    server.run("HDEL" + key("meta") + " longest");
    BOOST_TEST(take(*hasty) == 2);
    BOOST_TEST(server.run(last) == before);
    acknowledge(held);
}

BOOST_AUTO_TEST_CASE(policy_that_may_evict_queues_is_a_warning)
{
    BOOST_TEST(warning_of("noeviction") == "");
    BOOST_TEST(warning_of("volatile-lru") == "");  // keys with an expiry only
    BOOST_TEST(
        warning_of("allkeys-lru").find("its maxmemory-policy is allkeys-lru") !=
        std::string::npos
    );
    BOOST_TEST(warning_of("allkeys-lru", "+@all -info") == "");
}

BOOST_AUTO_TEST_SUITE_END()
