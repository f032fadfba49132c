// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/redis/redis_connection.hpp>

#include "redis/function_library.hpp"
#include "support/message_of.hpp"
#include "support/redis/bad_network.hpp"
#include "support/redis/processes.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <dlfcn.h>
#include <netdb.h>

#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;
using numbers = std::vector<int>;

namespace redis_connection {

constexpr std::string_view silent_host = "silent.invalid";
std::shared_future<void> silent_name_server;  // when it answers for that host

// The second process is near the server, the first one behind a bad network.
struct far_and_near : test::two_processes
{
    far_and_near()
    {
        const auto port = test::redis_server_fixture::shared_server().port();
        network.emplace(ctx, port);
        a.emplace(ctx, network->url(), test::quick_connection);
    }

    ~far_and_near()
    {
        a.reset();
        network.reset();
    }

    // At least once, and in the queue once, whatever happens to the network.
    void check_that_nothing_is_lost()
    {
        constexpr int count = 300;
        const redis::queue_options
            options{.name = {}, .capacity = 8, .lease = 20ms, .max_deliveries = 0};
        const auto far = open(1, options);
        const auto near = open(2, options);
        const auto producer = spawn([&]() -> test::asio::awaitable<void> {
            for (int i = 0; i < count; ++i)
                co_await far->enqueue(i);
            co_await far->close();
        });
        std::map<int, int> seen;
        const auto consumer = spawn([&]() -> test::asio::awaitable<void> {
            while (auto taken = co_await far->next()) {
                ++seen[taken->value()];
                co_await taken->acknowledge().as_tuple();
            }
        });
        run_until([&] { return consumer.done(); });
        producer.check_done();
        BOOST_TEST(seen.size() == static_cast<std::size_t>(count));
        network->cut_every(0);
        const auto now = status(*near);
        BOOST_TEST(now.enqueued == static_cast<std::uint64_t>(count));
        BOOST_TEST(now.acknowledged == static_cast<std::uint64_t>(count));
    }

    // It is done, and its answer is lost. `near` has no other element.
    void check_acknowledgement_across_a_loss(redis::delivery<int>& taken, queue& near)
    {
        network->swallow_answers(true);
        const auto consumer = spawn(acknowledging(taken));
        while (status(near).size == 1)
            run();
        consumer.check_pending();
        network->swallow_answers(false);
        network->cut();
        run_until_done(consumer);
    }

    std::optional<test::bad_network> network;
};

// A server that is about to be hurt.
struct own_server
{
    explicit own_server(std::vector<std::string> arguments = {})
        : server(std::move(arguments))
    {
    }

    test::redis_server server;
};

struct durable_server : own_server, test::two_processes
{
    durable_server()
        : own_server({"--appendonly", "yes", "--appendfsync", "always"}),
          two_processes(server.url())
    {
    }
};

// Whether it was freed shows what it keeps.
struct kept_handler
{
    std::shared_ptr<int> kept;
    void operator()(const sluice::error_code& /*error*/) const {}
};

// The cases take a delivery from a queue that is destroyed before it is settled.
struct delivery_without_queue : far_and_near
{
    delivery_without_queue()
    {
        const redis::queue_options options{.name = {}, .capacity = 10, .lease = 1h};
        const auto far = open(1, options);
        near = open(2, options);
        put(*near, 1);
        taken.emplace(lease(*far));
    }

    std::unique_ptr<queue> near;
    std::optional<redis::delivery<int>> taken;
};

}  // namespace redis_connection

// In place of that of the system.
extern "C" int getaddrinfo(
    const char* host,
    const char* service,
    const addrinfo* hints,
    addrinfo** found
)
{
    if (host != nullptr && host == redis_connection::silent_host)
        redis_connection::silent_name_server.wait();
    static const auto system = reinterpret_cast<decltype(&getaddrinfo)>(
        ::dlsym(RTLD_NEXT, "getaddrinfo")
    );
    return system(host, service, hints, found);
}

using namespace redis_connection;

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(test::redis_server::precondition))
BOOST_AUTO_TEST_SUITE(redis_connection)

BOOST_FIXTURE_TEST_CASE(enqueue_that_is_repeated_is_added_once, far_and_near)
{
    const auto far = open(1);
    const auto near = open(2);
    settle_with(*far);
    network->swallow_answers(true);
    const auto producer = spawn(putting(*far, 1));
    while (status(*near).size == 0)
        run();
    producer.check_pending();
    close(*near);  // what was done before the close has succeeded
    network->swallow_answers(false);
    network->cut();
    run_until_done(producer);
    BOOST_TEST(status(*near).size == 1u);
}

BOOST_FIXTURE_TEST_CASE(attempt_whose_answer_is_lost_is_made_again, far_and_near)
{
    const auto far = open(1, 1);
    const auto near = open(2, 1);
    settle_with(*far);
    network->swallow_answers(true);
    const auto producer = spawn([&]() -> test::asio::awaitable<void> {
        const int one = 1;
        test::check(co_await far->try_enqueue(one), "it went in");
    });
    while (status(*near).size == 0)
        run();
    network->swallow_answers(false);
    network->cut();
    run_until_done(producer);  // and finds that it has gone in
    BOOST_TEST(status(*near).enqueued == 1u);
}

BOOST_FIXTURE_TEST_CASE(acknowledgement_that_is_repeated_succeeds, far_and_near)
{
    const auto far = open(1);
    const auto near = open(2);
    put(*near, 1);
    auto taken = lease(*far);
    check_acknowledgement_across_a_loss(taken, *near);
}

BOOST_FIXTURE_TEST_CASE(
    acknowledgement_without_its_queue_goes_on_with_the_next_connection,
    delivery_without_queue
)
{
    check_acknowledgement_across_a_loss(*taken, *near);
}

BOOST_FIXTURE_TEST_CASE(
    acknowledgement_in_passing_without_its_queue_waits_for_a_connection,
    delivery_without_queue
)
{
    network->swallow_answers(true);
    network->cut();
    run_until([&] { return !a->is_connected(); });
    taken->acknowledge()(test::asio::detached);
    network->swallow_answers(false);
    network->cut();
    run_until([&] { return status(*near).size == 0; });
}

BOOST_FIXTURE_TEST_CASE(
    acknowledgement_without_its_queue_ends_with_the_connection_object,
    delivery_without_queue
)
{
    network->swallow_answers(true);
    const auto consumer = spawn(acknowledging(*taken));
    run();
    consumer.check_pending();
    a.reset();
    run_until([&] { return consumer.done(); });
    consumer.check_error(redis::errc::connection_closed);
}

BOOST_FIXTURE_TEST_CASE(
    acknowledgement_without_its_queue_makes_no_deleted_queue_anew,
    delivery_without_queue
)
{
    near.reset();
    const auto& server = test::redis_server_fixture::shared_server();
    const std::string keys = "'sluice:{" + name + "}:";
    server.run("UNLINK " + keys + "meta' " + keys + "data' " + keys + "leased'");
    network->cut();
    run_until([&] { return !a->is_connected(); });
    const auto late = spawn(acknowledging(*taken));
    run_until([&] { return late.done(); });
    late.check_error(redis::errc::lease_expired);
    BOOST_TEST(server.run("EXISTS " + keys + "meta'") == "0");
}

// P12
BOOST_AUTO_TEST_CASE(enqueue_on_its_way_is_freed_with_its_context)
{
    const auto kept = std::make_shared<int>();
    {
        test::asio::io_context ctx;
        std::optional<redis::connection> connection;
        connection.emplace(
            ctx,
            test::redis_server_fixture::shared_server().url(),
            test::quick_connection
        );
        std::optional<redis::queue<int>> q;
        q.emplace(*connection, redis::queue_options{.name = "on_its_way", .capacity = 9});
        test::asio::co_spawn(
            ctx,
            [&]() -> test::asio::awaitable<void> {
                (void)co_await q->size();
                q->enqueue(2)(kept_handler{kept});
                connection.reset();
                q.reset();
                test::asio::post(ctx, [&] { ctx.stop(); });
            },
            test::asio::detached
        );
        ctx.run();
    }
    BOOST_TEST(kept.use_count() == 1);
}

// P12
BOOST_AUTO_TEST_CASE(acknowledgement_without_its_queue_is_freed_with_its_context)
{
    const auto& server = test::redis_server_fixture::shared_server();
    const auto kept = std::make_shared<int>();
    {
        test::asio::io_context ctx;
        redis::connection connection(ctx, server.url(), test::quick_connection);
        std::optional<redis::queue<int>> q;
        q.emplace(connection, redis::queue_options{.name = "freed", .capacity = 1});
        std::optional<redis::delivery<int>> taken;
        test::asio::co_spawn(
            ctx,
            [&]() -> test::asio::awaitable<void> {
                co_await q->enqueue(1);
                taken = co_await q->dequeue();
                q.reset();
                taken->acknowledge()(kept_handler{kept});
                ctx.stop();
            },
            test::asio::detached
        );
        ctx.run();
        BOOST_TEST(kept.use_count() > 1);
    }
    BOOST_TEST(kept.use_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(
    queue_is_told_of_changes_while_another_object_for_it_goes,
    test::two_processes
)
{
    const auto& server = test::redis_server_fixture::shared_server();
    const auto listeners = [&] {
        const auto told = server.run("PUBSUB NUMSUB 'sluice:{" + name + "}:events'");
        return told.substr(told.find('\n') + 1);
    };
    auto one = open(1);
    auto other = open(1);
    settle_with(*one);
    settle_with(*other);
    other.reset();
    settle_with(*one);
    BOOST_TEST(listeners() == "1");
    one.reset();
    run_until([&] { return listeners() == "0"; });
}

BOOST_FIXTURE_TEST_CASE(wait_goes_on_with_the_next_connection, far_and_near)
{
    const auto far = open(1);
    const auto near = open(2);
    const auto consumer = spawn(taking(*far));
    settle_with(*far);
    network->cut();
    put(*near, 1);
    BOOST_TEST(run_until_done(consumer) == 1);
}

BOOST_FIXTURE_TEST_CASE(
    cancellation_while_the_connection_is_lost_says_that_it_is_not_known,
    far_and_near
)
{
    const auto far = open(1);
    const auto near = open(2);
    settle_with(*far);
    network->swallow_answers(true);
    const auto producer = spawn(putting(*far, 1));
    while (status(*near).size == 0)
        run();
    producer.cancel();
    run();
    producer.check_pending();  // the answer decides
    network->cut();
    run_until([&] { return producer.done(); });
    producer.check_error(test::asio::error::operation_aborted);
    BOOST_TEST(status(*near).size == 1u);
}

BOOST_FIXTURE_TEST_CASE(
    nothing_is_lost_when_connections_are_cut_all_the_time,
    far_and_near
)
{
    network->cut_every(3000);
    check_that_nothing_is_lost();
    BOOST_TEST(network->cuts() > 5u);
}

BOOST_FIXTURE_TEST_CASE(
    nothing_is_lost_when_answers_and_events_come_late_in_pieces_and_in_another_order,
    far_and_near
)
{
    network->delay(true);
    check_that_nothing_is_lost();
}

BOOST_FIXTURE_TEST_CASE(nothing_is_lost_when_the_network_delays_and_cuts, far_and_near)
{
    network->delay(true);
    network->cut_every(3000);
    check_that_nothing_is_lost();
    BOOST_TEST(network->cuts() > 5u);
}

BOOST_FIXTURE_TEST_CASE(
    consumer_that_dies_gives_its_element_back_after_the_lease,
    far_and_near
)
{
    auto far = open(1, {.name = {}, .capacity = 10, .lease = 5ms});
    const auto near = open(2);
    put(*near, 1);
    {
        auto taken = lease(*far);
        network.reset();
        a.reset();
        run();
    }
    auto again = lease(*near);
    BOOST_TEST(again.attempt() == 2u);
    acknowledge(again);
    far.reset();
}

BOOST_FIXTURE_TEST_CASE(
    server_that_is_killed_and_comes_again_has_kept_everything,
    durable_server
)
{
    const auto in = open(1);
    const auto out = open(2);
    put_many(*in, {1, 2, 3});
    auto taken = lease(*out);
    server.kill();
    const auto producer = spawn(putting(*in, 4));
    const auto consumer = spawn(taking(*out));
    run();
    test::asio::ip::tcp::socket other(ctx, test::asio::ip::tcp::v4());
    sluice::error_code taken_port;  // by another process, the server could not come again
    other.bind({test::asio::ip::address_v4::loopback(), server.port()}, taken_port);
    BOOST_TEST(taken_port == test::asio::error::address_in_use);
    server.start();
    run_until_done(producer);
    BOOST_TEST(run_until_done(consumer) == 2);
    acknowledge(taken);
    BOOST_TEST(take_up_to(*out, 2) == (numbers{3, 4}));
    BOOST_TEST(status(*in).size == 0u);
}

// The next element has the number of one that was lost.
BOOST_AUTO_TEST_CASE(element_that_the_server_has_lost_is_not_settled_as_another_one)
{
    own_server own;
    test::two_processes here(own.server.url());
    const auto one = here.open(1);
    const auto other = here.open(2);
    here.settle_with(*one);
    own.server.run("SAVE");  // which a server that starts reads
    here.put(*one, 1);
    auto lost = here.lease(*one);
    own.server.kill();
    own.server.start();
    here.put(*other, 2);
    auto taken = here.lease(*other);
    BOOST_TEST(taken.id().substr(0, 16) == lost.id().substr(0, 16));
    const auto late = here.spawn(here.acknowledging(lost));
    here.run_until([&] { return late.done(); });
    late.check_error(redis::errc::lease_expired);
    BOOST_TEST(here.status(*other).size == 1u);
    here.acknowledge(taken);
}

BOOST_FIXTURE_TEST_CASE(
    server_that_lost_its_functions_or_its_data_gets_them_again,
    durable_server
)
{
    const auto q = open(1);
    put(*q, 1);
    server.run("FUNCTION FLUSH");
    BOOST_TEST(take(*q) == 1);
    put(*q, 2);
    server.run("FLUSHALL");
    const auto waits = spawn(taking(*q));
    put(*q, 3);
    BOOST_TEST(run_until_done(waits) == 3);
}

BOOST_AUTO_TEST_CASE(server_that_is_silent_for_too_long_counts_as_lost)
{
    own_server own;
    test::two_processes here(
        own.server.url(),
        {.reply_timeout = 100ms, .poll_interval = 20ms}
    );
    const auto q = here.open(1);
    here.settle_with(*q);
    own.server.pause();
    here.run_until([&] { return !here.a->is_connected(); });
    const std::string why = here.a->problem();
    BOOST_TEST(why.find("did not answer within reply_timeout") != why.npos, why);
    const auto consumer = here.spawn(here.taking(*q));
    own.server.go_on();
    const auto near = here.open(2);
    here.put(*near, 1);
    BOOST_TEST(here.run_until_done(consumer) == 1);
}

BOOST_FIXTURE_TEST_CASE(
    answer_that_takes_longer_than_the_reply_timeout_arrives,
    far_and_near
)
{
    a.emplace(
        ctx,
        network->url(),
        redis::connection_options{.reply_timeout = 500ms, .poll_interval = 20ms}
    );
    constexpr std::size_t count = 300;
    const auto far = open(1, {.name = {}, .capacity = count});
    const auto near = open(2, {.name = {}, .capacity = count});
    for (std::size_t i = 0; i < count; ++i)
        put(*near, static_cast<int>(i));
    settle_with(*far);
    network->slow_down(256, 20ms);
    BOOST_TEST(run_until_done(spawn(taking_many(*far, count))).size() == count);
    network->slow_down(0, 0ms);
    BOOST_TEST(status(*near).redelivered == 0u);
}

// It would be sent again for ever, and keep others from the server.
BOOST_AUTO_TEST_CASE(operation_that_breaks_each_connection_is_given_up)
{
    own_server own({"--client-query-buffer-limit", "1mb"});
    test::two_processes here(own.server.url(), {.give_up_after = 200ms});
    redis::queue<std::string> q(*here.a, {.name = "large", .capacity = 1});
    const auto producer = here.spawn([&]() -> test::asio::awaitable<void> {
        co_await q.enqueue(std::string(4'000'000, 'x'));
    });
    here.run_until([&] { return producer.done(); });
    producer.check_error(redis::errc::connection_failed);
    here.run_until([&] { return here.a->is_connected(); });
    here.run_until_done([&]() -> test::asio::awaitable<void> {
        co_await q.enqueue("small");
    });
}

BOOST_AUTO_TEST_CASE(server_that_is_not_reached_for_too_long_is_given_up)
{
    own_server own;
    test::two_processes here(
        own.server.url(),
        {.connect_timeout = 10ms, .give_up_after = 0ms}
    );
    own.server.pause();
    const auto q = here.open(1);
    const auto consumer = here.spawn(here.taking(*q));
    here.run_until([&] { return consumer.done(); });
    consumer.check_error(redis::errc::connection_failed);
    own.server.go_on();
}

// It is asked again only with the next poll, which may be long after the last sign of life.
BOOST_AUTO_TEST_CASE(server_that_has_nothing_to_tell_is_not_silent)
{
    own_server own;
    test::two_processes here(
        own.server.url(),
        {.reply_timeout = 500ms, .poll_interval = 500ms}
    );
    here.b.reset();
    const auto q = here.open(1);
    here.settle_with(*q);
    const auto who_listens = [&] {
        const auto all = own.server.run("CLIENT LIST TYPE pubsub");
        return all.substr(0, all.find(' '));
    };
    const auto before = who_listens();
    const auto has_asked_twice = [&] {
        return own.server.run("INFO commandstats").find("cmdstat_ping:calls=2") !=
               std::string::npos;
    };
    here.run_until(has_asked_twice);
    BOOST_TEST(who_listens() == before);
    BOOST_TEST(here.a->is_connected());
}

// It connects, so each attempt succeeds, but it cannot serve.
BOOST_AUTO_TEST_CASE(server_that_answers_that_it_is_a_replica_counts_as_out_of_reach)
{
    own_server own;
    test::two_processes here(own.server.url());
    const auto patient = here.open(2);
    here.put(*patient, 1);
    own.server.run("REPLICAOF 127.0.0.1 1");
    here.a.emplace(
        here.ctx,
        own.server.url(),
        redis::connection_options{
            .first_pause = 5ms,
            .longest_pause = 5ms,
            .give_up_after = 20ms
        }
    );
    const auto q = here.open(1);
    const auto consumer = here.spawn(here.taking(*q));
    here.run_until([&] { return consumer.done(); });
    consumer.check_error(redis::errc::connection_failed);
    const auto text = test::message_of([&] { std::rethrow_exception(consumer.error()); });
    BOOST_TEST(text.find("READONLY") != text.npos, text);
    own.server.run("REPLICAOF NO ONE");
    BOOST_TEST(here.take(*patient) == 1);
}

// That there is no queue object any more is no reason to begin to count the time anew.
BOOST_AUTO_TEST_CASE(acknowledgement_without_its_queue_that_a_server_refuses_is_given_up)
{
    own_server own;
    test::two_processes here(
        own.server.url(),
        {.first_pause = 5ms,
         .longest_pause = 5ms,
         .give_up_after = 200ms,
         .poll_interval = 5ms}
    );
    auto q = here.open(1);
    here.put(*q, 1);
    auto taken = here.lease(*q);
    q.reset();
    own.server.run("REPLICAOF 127.0.0.1 1");
    const auto late = here.spawn(here.acknowledging(taken));
    here.run_until([&] { return late.done(); });
    late.check_error(redis::errc::connection_failed);
}

// A name is looked up while no socket is open yet that could be closed.
BOOST_AUTO_TEST_CASE(connection_that_is_destroyed_while_it_looks_up_a_name_is_not_made)
{
    const auto port = test::redis_server_fixture::shared_server().port();
    test::io_fixture here;
    {
        const redis::connection connection(
            here.ctx,
            "redis://localhost:" + std::to_string(port)
        );
    }
    here.run_until([&] { return here.ctx.stopped(); }
    );  // not while there is a connection
}

// The name server is silent for as long as the operation waits.
BOOST_AUTO_TEST_CASE(host_that_is_not_looked_up_in_time_ends_the_attempt)
{
    std::promise<void> gate;
    redis_connection::silent_name_server = gate.get_future().share();
    test::io_fixture here;
    {
        redis::connection connection(
            here.ctx,
            "redis://" + std::string(redis_connection::silent_host),
            {.connect_timeout = 1ms, .give_up_after = 0ms}
        );
        redis::queue<int> q(connection, {.name = "q", .capacity = 1});
        const auto consumer = here.spawn(test::two_processes::taking(q));
        here.run_until([&] { return consumer.done(); });
        BOOST_TEST(
            connection.problem().find("connect_timeout passed") != std::string::npos
        );
        consumer.check_error(redis::errc::connection_failed);
    }
    gate.set_value();
    here.run_until([&] { return here.ctx.stopped(); });
}

BOOST_AUTO_TEST_CASE(full_server_refuses_elements_and_gives_those_it_has)
{
    own_server own({"--maxmemory", "3mb", "--maxmemory-policy", "noeviction"});
    test::two_processes here(own.server.url());
    redis::queue<std::string> q(*here.a, {.name = "big", .capacity = 100'000});
    std::size_t accepted = 0;
    const auto producer = here.spawn([&]() -> test::asio::awaitable<void> {
        for (;; ++accepted)
            co_await q.enqueue(std::string(10'000, 'x'));
    });
    here.run_until([&] { return producer.done(); });
    producer.check_error(redis::errc::server_full);
    const auto taken = here.run_until_done([&]() -> test::asio::awaitable<std::size_t> {
        std::size_t count = 0;
        co_await q.close();
        while (auto next = co_await q.next()) {
            ++count;
            co_await next->acknowledge();
        }
        co_return count;
    });
    BOOST_TEST(taken == accepted);
    BOOST_TEST(taken > 0u);
}

// The two are one command, which such a server refuses; one behind the other they pass.
BOOST_AUTO_TEST_CASE(full_server_takes_an_enqueue_behind_acknowledgements_in_passing)
{
    own_server own({"--maxmemory", "3mb", "--maxmemory-policy", "noeviction"});
    test::two_processes here(own.server.url());
    redis::queue<std::string> q(*here.a, {.name = "big", .capacity = 100'000});
    const std::string element(10'000, 'x');
    const auto is_full = [](const sluice::error_code& error) {
        return error == redis::errc::server_full;
    };
    here.run_until_done([&]() -> test::asio::awaitable<void> {
        while (!is_full(std::get<0>(co_await q.enqueue(element).as_tuple()))) {}
        std::vector<redis::delivery<std::string>> taken = co_await q.dequeue_some(100);
        for (auto& one : taken)
            one.acknowledge()(test::asio::detached);
        co_await q.enqueue(element);
        co_await q.flush();
        const auto now = co_await q.status();
        BOOST_TEST(now.acknowledged == taken.size());
    });
}

BOOST_AUTO_TEST_CASE(user_password_and_rights_are_checked)
{
    own_server own({"--requirepass", "s3:cret/"});
    auto& server = own.server;
    const auto fails_with = [](const std::string& url, redis::errc expected) {
        test::two_processes here(url);
        const auto q = here.open(1);
        const auto consumer = here.spawn(here.taking(*q));
        here.run_until([&] { return consumer.done(); });
        return consumer.check_error(expected);
    };
    fails_with(server.tcp_url(), redis::errc::access_denied);
    fails_with(server.tcp_url(":wrong"), redis::errc::access_denied);
    const std::string cli = "--no-auth-warning -a 's3:cret/' ";
    // what docs/guide/redis.md says
    server.run(
        cli +
        "ACL SETUSER worker on '>pw' '~sluice:{*' '&sluice:{*' +fcall '+function|load' "
        "+@hash +@sortedset +@pubsub +@connection +time"
    );
    server.run(
        cli +
        "ACL SETUSER deaf on '>pw' '~sluice:{*' '&sluice:{*' +fcall '+function|load' "
        "+@hash +@sortedset +publish +@connection +time"
    );
    fails_with(server.tcp_url("deaf:pw"), redis::errc::access_denied);
    BOOST_TEST(server.run(cli + "DBSIZE") == "0");  // it has made and taken nothing
    server.run(cli + "ACL SETUSER reader on '>pw' '~*' '&*' -@all +get +subscribe");
    {
        test::two_processes here(server.tcp_url("worker:pw"));
        const auto q = here.open(1);
        here.put(*q, 1);
        BOOST_TEST(here.take(*q) == 1);
    }
    fails_with(server.tcp_url("reader:pw"), redis::errc::access_denied);
    {
        test::two_processes here(server.tcp_url(":s3%3acret%2F"));
        const auto q = here.open(1);
        here.put(*q, 1);
        BOOST_TEST(here.take(*q) == 1);
    }
    {
        const std::string path = server.url();
        test::two_processes here(path + "?password=s3:cret/&database=3");
        const auto q = here.open(1);
        here.put(*q, 1);
        BOOST_TEST(
            server.run(cli + "-n 3 KEYS '*:data'") == "sluice:{" + here.name + "}:data"
        );
        BOOST_TEST(here.take(*q) == 1);
    }
}

BOOST_AUTO_TEST_CASE(
    queue_that_a_user_has_no_right_to_leaves_others_of_the_connection_alone
)
{
    own_server own;
    test::two_processes here(own.server.url());
    own.server.run(
        "ACL SETUSER worker on '>pw' '~sluice:{" + here.name + "}*' '&sluice:{" +
        here.name + "}*' +@all"
    );
    here.a.emplace(here.ctx, own.server.tcp_url("worker:pw"), test::quick_connection);
    redis::queue<int> denied(*here.a, {.name = "another", .capacity = 1});
    const auto allowed = here.open(1);
    const auto consumer = here.spawn(here.taking(*allowed));
    const auto refused = here.spawn(here.taking(denied));
    here.run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::access_denied);
    here.settle_with(*allowed);
    here.put(*allowed, 1);
    BOOST_TEST(here.run_until_done(consumer) == 1);

    own.server.run("ACL SETUSER worker allkeys allchannels");
    here.run_until([&] {
        const auto told = own.server.run("PUBSUB NUMSUB 'sluice:{another}:events'");
        return told.substr(told.find('\n') + 1) == "1";
    });
}

// A server does not undo what a function has done before the right that is missing.
BOOST_AUTO_TEST_CASE(right_that_is_missing_is_named_before_anything_is_done)
{
    own_server own;
    test::two_processes here(own.server.url());
    const std::string rights = "ACL SETUSER worker reset on '>pw' allkeys +@all ";
    const auto check_denied = [&](const std::string& without, const std::string& named) {
        own.server.run(rights + without);
        here.a.emplace(here.ctx, own.server.tcp_url("worker:pw"), test::quick_connection);
        const auto q = here.open(1);
        const auto consumer = here.spawn(here.taking(*q));
        here.run_until([&] { return consumer.done(); });
        consumer.check_error(redis::errc::access_denied);
        const auto text = test::message_of([&] {
            std::rethrow_exception(consumer.error());
        });
        BOOST_TEST(text.find("the user lacks the right " + named) != text.npos, text);
        BOOST_TEST(own.server.run("DBSIZE") == "0");
    };
    for (const std::string command : {"time", "hset", "zadd", "publish"})
        check_denied("allchannels -" + command, '+' + command);
    const std::string prefix = "sluice:{" + here.name + "}";
    check_denied(
        "resetchannels '&" + prefix + ":events'",
        "+publish for the channel " + prefix + ":dead:events"
    );
    check_denied("allchannels resetkeys '~another*'", "~" + prefix + "*");
    own.server.run(rights + "allchannels");
    const auto q = here.open(1);
    here.put(*q, 1);
    BOOST_TEST(here.take(*q) == 1);
}

BOOST_AUTO_TEST_CASE(each_command_of_the_functions_is_looked_at_when_a_queue_is_opened)
{
    const std::string text(redis::detail::function_library);
    const auto lists = text.substr(0, text.find("local function missing_right"));
    const auto body = text.substr(lists.size());
    const std::regex call("call(?:_with)?\\('([A-Z]+)'");
    const std::sregex_iterator end;
    std::size_t calls = 0;
    for (std::sregex_iterator it(body.begin(), body.end(), call); it != end;
         ++it, ++calls) {
        const std::string name = (*it)[1];
        const bool is_listed = lists.find('\'' + name + '\'') != std::string::npos;
        BOOST_TEST((is_listed || name == "PUBLISH" || name == "TIME"), name);
    }
    BOOST_TEST(calls > 50u);
}

// Who waits learns of it with the poll.
BOOST_AUTO_TEST_CASE(element_and_close_are_in_although_the_right_to_tell_of_them_is_gone)
{
    own_server own;
    own.server.run("ACL SETUSER worker on '>pw' allkeys allchannels +@all");
    test::two_processes here(own.server.tcp_url("worker:pw"));
    const auto in = here.open(1);
    const auto out = here.open(2);
    const auto consumer = here.spawn(here.taking(*out));
    here.settle_with(*out);
    here.settle_with(*in);
    own.server.run("ACL SETUSER worker -publish");
    here.put(*in, 1);
    BOOST_TEST(here.run_until_done(consumer) == 1);
    const auto late = here.spawn(here.taking(*out));
    here.settle_with(*out);
    here.close(*in);
    here.run_until([&] { return late.done(); });
    late.check_error(sluice::errc::end_of_queue);
}

BOOST_AUTO_TEST_CASE(right_to_events_that_is_taken_away_is_told)
{
    own_server own;
    own.server.run("ACL SETUSER worker on '>pw' allkeys allchannels +@all");
    test::two_processes here(own.server.tcp_url("worker:pw"));
    const auto early = here.open(1);
    here.settle_with(*early);
    own.server.run("ACL SETUSER worker -subscribe");
    redis::queue<int> late(*here.a, {.name = "late", .capacity = 1});
    const auto consumer = here.spawn(here.taking(*early));
    here.run_until([&] { return consumer.done(); });
    consumer.check_error(redis::errc::access_denied);
}

// Until then the operations waited for a server as long as for one that is not there.
BOOST_AUTO_TEST_CASE(database_that_the_server_does_not_have_is_refused)
{
    own_server own;
    test::two_processes here(own.server.tcp_url() + "/99");
    const auto q = here.open(1);
    const auto consumer = here.spawn(here.taking(*q));
    here.run_until([&] { return consumer.done(); });
    consumer.check_error(sluice::errc::invalid_argument);
    const auto text = test::message_of([&] { std::rethrow_exception(consumer.error()); });
    BOOST_TEST(text.find("SELECT: ERR DB index is out of range") != text.npos, text);
    const auto meaning = sluice::make_error_code(sluice::errc::invalid_argument).what();
    BOOST_TEST(text.find(meaning) == text.rfind(meaning), text);
}

BOOST_AUTO_TEST_CASE(server_without_functions_is_refused)
{
    own_server own({"--rename-command", "FCALL", ""});
    test::two_processes here(own.server.url());
    const auto q = here.open(1);
    const auto consumer = here.spawn(here.taking(*q));
    here.run_until([&] { return consumer.done(); });
    consumer.check_error(redis::errc::unsupported_server);
}

BOOST_AUTO_TEST_CASE(operations_fail_while_no_server_can_be_reached)
{
    test::io_fixture here;
    std::optional<redis::connection> connection;
    connection.emplace(
        here.ctx,
        "unix:/nowhere/at/all",
        redis::connection_options{.first_pause = 5ms, .give_up_after = 0ms}
    );
    std::optional<redis::queue<int>> q;
    q.emplace(*connection, redis::queue_options{.name = "q", .capacity = 1});
    const auto consumer = here.spawn(test::two_processes::taking(*q));
    here.run_until([&] { return consumer.done(); });
    consumer.check_error(redis::errc::connection_failed);
    const auto text = test::message_of([&] { std::rethrow_exception(consumer.error()); });
    BOOST_TEST(text.find("/nowhere/at/all") != std::string::npos);

    BOOST_TEST(!connection->is_connected());
    BOOST_TEST(connection->problem().find("/nowhere/at/all") != std::string::npos);

    connection.reset();
    const auto late = here.spawn(test::two_processes::putting(*q, 1));
    here.run_until([&] { return late.done(); });
    late.check_error(redis::errc::connection_closed);
    q.reset();
    here.run_until([&] { return here.ctx.stopped(); });
}

BOOST_FIXTURE_TEST_CASE(connection_says_whether_it_is_one_and_why_not, far_and_near)
{
    const auto far = open(1);
    settle_with(*far);
    BOOST_TEST(a->is_connected());
    BOOST_TEST(a->problem() == "");
    network->swallow_answers(true);
    network->cut();
    run_until([&] { return !a->is_connected(); });
    BOOST_TEST(a->problem().find("redis connection to redis://127.0.0.1:") == 0u);
    network->swallow_answers(false);
    network->cut();
    settle_with(*far);
    BOOST_TEST(a->is_connected());
    BOOST_TEST(a->problem() == "");
}

BOOST_AUTO_TEST_SUITE_END()
