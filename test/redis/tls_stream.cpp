// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/tls_stream.hpp"

#include "support/message_of.hpp"
#include "support/redis/bad_network.hpp"
#include "support/redis/certificates.hpp"
#include "support/redis/processes.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_administration.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace test = sluice::test;
namespace redis = sluice::redis;
using namespace std::chrono_literals;

namespace tls_stream {

const test::certificates& shared_certificates()
{
    static const test::certificates made;
    return made;
}

// A server with a port for TLS besides the plain one.
class tls_server
{
public:
    explicit tls_server(const std::string& asks_for_certificates)
        : server_(
              {"--tls-port",
               std::to_string(tls_port()),
               "--tls-cert-file",
               shared_certificates().server(),
               "--tls-key-file",
               shared_certificates().server_key(),
               "--tls-ca-cert-file",
               shared_certificates().authority(),
               "--tls-auth-clients",
               asks_for_certificates}
          )
    {
    }

    [[nodiscard]] unsigned short tls_port() const { return tls_port_.number(); }

    [[nodiscard]] std::string url(const std::string& options) const
    {
        return "rediss://127.0.0.1:" + std::to_string(tls_port()) + options;
    }

    // One that asks for no certificate.
    static const tls_server& shared()
    {
        static const tls_server server("no");
        return server;
    }

private:
    const test::reserved_port tls_port_;
    const test::redis_server server_;
};

std::string trusting(const std::string& more = {})
{
    return "?ca_file=" + shared_certificates().authority() + more;
}

// Fails at once, and with what the first attempt to connect has met.
constexpr redis::connection_options impatient{
    .connect_timeout = 50ms,
    .first_pause = 5ms,
    .give_up_after = 0ms
};

// What an operation fails with if the connection cannot be had.
sluice::error_code failure_at(
    test::io_fixture& here,
    const std::string& url,
    std::string& text,
    redis::connection_options options = {.first_pause = 5ms, .give_up_after = 0ms}
)
{
    redis::connection connection(here.ctx, url, options);
    redis::queue<int> q(connection, {.name = "unreachable", .capacity = 1});
    const auto consumer = here.spawn(test::two_processes::taking(q));
    here.run_until([&] { return consumer.done(); });
    try {
        if (consumer.error())
            std::rethrow_exception(consumer.error());
    } catch (const sluice::system_error& error) {
        text = error.what();
        return error.code();
    }
    return {};
}

// The same, where it has to be TLS that failed.
std::string refusal_at(const std::string& url)
{
    test::io_fixture here;
    std::string text;
    BOOST_TEST((failure_at(here, url, text) == redis::errc::tls_failed));
    here.run_until([&] { return here.ctx.stopped(); });
    return text;
}

void check_contains(const std::string& text, const std::string& part)
{
    BOOST_TEST(text.find(part) != std::string::npos, text);
}

void check_works(const std::string& url)
{
    test::two_processes here(url);
    const auto in = here.open(1);
    const auto out = here.open(2);
    here.put(*in, 7);
    BOOST_TEST(here.take(*out) == 7);
}

// A server of another kind: it says `greeting` as soon as a client connects.
class other_server
{
public:
    explicit other_server(boost::asio::io_context& context, std::string greeting)
        : acceptor_(context, {boost::asio::ip::address_v4::loopback(), 0}),
          greeting_(std::move(greeting))
    {
        accept();
    }

    [[nodiscard]] std::string port() const
    {
        return std::to_string(acceptor_.local_endpoint().port());
    }

private:
    void accept()
    {
        acceptor_.async_accept([this](const auto& error, auto socket) {
            if (error.failed())
                return;
            clients_.push_back(std::move(socket));
            boost::asio::write(clients_.back(), boost::asio::buffer(greeting_));
            accept();
        });
    }

    boost::asio::ip::tcp::acceptor acceptor_;
    const std::string greeting_;
    std::vector<boost::asio::ip::tcp::socket> clients_;
};

}  // namespace tls_stream

BOOST_TEST_DECORATOR(
    *boost::unit_test::precondition(test::redis_server::precondition) *
    boost::unit_test::precondition(test::certificates::precondition)
)
BOOST_AUTO_TEST_SUITE(tls_stream)

BOOST_AUTO_TEST_CASE(elements_pass_by_an_encrypted_connection)
{
    test::two_processes here(tls_server::shared().url(trusting()));
    BOOST_TEST(here.a->address().starts_with("rediss://127.0.0.1:"));
    redis::queue<std::string> in(*here.a, {.name = "large", .capacity = 100});
    redis::queue<std::string> out(*here.b, {.name = "large", .capacity = 100});
    // more than the socket takes at once, in several commands that wait for each other
    const std::string large(3'000'000, 'x');
    std::vector<decltype(here.spawn(test::asio::awaitable<void>()))> producers;
    for (int i = 0; i < 5; ++i)
        producers.push_back(here.spawn([&]() -> test::asio::awaitable<void> {
            co_await in.enqueue(large);
        }));
    const auto count = here.run_until_done([&]() -> test::asio::awaitable<int> {
        int equal = 0;
        for (int i = 0; i < 5; ++i) {
            auto taken = co_await out.dequeue();
            equal += taken.value() == large ? 1 : 0;
            co_await taken.acknowledge();
        }
        co_return equal;
    });
    BOOST_TEST(count == 5);
    for (const auto& each : producers)
        each.check_done();
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_when_encrypted_connections_are_cut)
{
    constexpr int count = 200;
    test::two_processes here(tls_server::shared().url(trusting()));
    {
        test::bad_network network(here.ctx, tls_server::shared().tls_port());
        here.a.emplace(
            here.ctx,
            "rediss" + network.url().substr(5) + trusting(),
            test::quick_connection
        );
        const auto far =
            here.open(1, {.name = {}, .capacity = 8, .lease = 50ms, .max_deliveries = 0});
        network.cut_every(9000);
        const auto producer = here.spawn([&]() -> test::asio::awaitable<void> {
            for (int i = 0; i < count; ++i)
                co_await far->enqueue(i);
            co_await far->close();
        });
        std::map<int, int> seen;
        const auto consumer = here.spawn([&]() -> test::asio::awaitable<void> {
            while (auto taken = co_await far->next()) {
                ++seen[taken->value()];
                co_await taken->acknowledge().as_tuple();
            }
        });
        here.run_until([&] { return consumer.done(); });
        producer.check_done();
        BOOST_TEST(seen.size() == static_cast<std::size_t>(count));
        BOOST_TEST(network.cuts() > 3u);
        network.cut_every(0);
    }
    here.a.reset();
}

BOOST_AUTO_TEST_CASE(certificate_that_is_not_trusted_is_refused)
{
    const auto text = refusal_at(tls_server::shared().url(""));
    check_contains(text, "the server certificate was rejected: ");
    check_contains(text, "rediss://127.0.0.1:");
    check_contains(text, "ca_file");
    check_works(tls_server::shared().url("?verify=no"));
}

BOOST_AUTO_TEST_CASE(certificate_of_another_host_is_refused)
{
    const auto text = refusal_at(
        tls_server::shared().url(trusting("&server_name=other.test"))
    );
    check_contains(text, "ostname mismatch (expected: 'other.test')");
    check_works(tls_server::shared().url(trusting("&server_name=redis.test")));
}

// It says so in its last message, which is lost if it hangs up before it has read all.
BOOST_AUTO_TEST_CASE(server_that_asks_for_a_certificate_gets_one)
{
    const tls_server strict("yes");
    {
        test::io_fixture here;
        std::string text;
        BOOST_TEST(failure_at(here, strict.url(trusting()), text).failed());
        check_contains(text, "the server ended the connection");
        check_contains(text, "see certificate_file and key_file");
        here.run_until([&] { return here.ctx.stopped(); });
    }
    const std::string mine = "&certificate_file=" + shared_certificates().client() +
                             "&key_file=" + shared_certificates().client_key();
    check_works(strict.url(trusting(mine)));
}

// It says so in TLS, and may hang up before that is read.
BOOST_AUTO_TEST_CASE(plain_connection_to_a_port_for_tls_says_so)
{
    test::io_fixture here;
    std::string text;
    {
        const std::string url = "redis" + tls_server::shared().url("").substr(6);
        BOOST_TEST(failure_at(here, url, text).failed());
        check_contains(text, "write rediss://");
        const other_server alerts(here.ctx, std::string("\x15\x03\x01\0\x02\x02\x46", 7));
        BOOST_TEST(
            (failure_at(here, "redis://127.0.0.1:" + alerts.port(), text) ==
             redis::errc::tls_failed)
        );
        check_contains(text, "the server expects TLS on this port; write rediss://");
    }
    here.run_until([&] { return here.ctx.stopped(); });
}

BOOST_AUTO_TEST_CASE(server_without_tls_is_named_as_such)
{
    test::io_fixture here;
    std::string text;
    {
        const other_server talks(here.ctx, "-ERR unknown command\r\n");
        BOOST_TEST(
            (failure_at(here, "rediss://127.0.0.1:" + talks.port(), text) ==
             redis::errc::tls_failed)
        );
        check_contains(text, "the server does not speak TLS on this port");
        const other_server waits(here.ctx, "");
        BOOST_TEST(
            (failure_at(here, "rediss://127.0.0.1:" + waits.port(), text, impatient) ==
             redis::errc::connection_failed)
        );
        check_contains(
            text,
            "connect_timeout passed: TLS handshake failed; does the server speak TLS"
        );
    }
    here.run_until([&] { return here.ctx.stopped(); });
}

BOOST_AUTO_TEST_CASE(file_that_cannot_be_used_is_named_at_once)
{
    test::io_fixture here;
    const auto message = [&](const std::string& options) {
        return test::message_of([&] {
            const redis::connection made(here.ctx, "rediss://127.0.0.1:1" + options);
        });
    };
    check_contains(message("?ca_file=/no/such"), "ca_file '/no/such' cannot be used");
    check_contains(
        message("?certificate_file=/no/such&key_file=/nor/this"),
        "certificate_file '/no/such' cannot be used"
    );
    check_contains(
        message(
            "?certificate_file=" + shared_certificates().client() +
            "&key_file=" + shared_certificates().server_key()
        ),
        "key_file '" + shared_certificates().server_key() + "' cannot be used"
    );
}

BOOST_AUTO_TEST_CASE(administration_is_encrypted_too)
{
    test::io_fixture here;
    const redis::administration good(
        here.ctx.get_executor(),
        tls_server::shared().url(trusting())
    );
    const auto found = here.run_until_done([&]() -> test::asio::awaitable<bool> {
        co_return (co_await good.find("no such queue")).has_value();
    });
    BOOST_TEST(!found);
    const redis::administration bad(
        here.ctx.get_executor(),
        tls_server::shared().url("")
    );
    const auto refused = here.spawn([&]() -> test::asio::awaitable<void> {
        (void)co_await bad.queues();
    });
    here.run_until([&] { return refused.done(); });
    refused.check_error(redis::errc::tls_failed);
    here.run_until([&] { return here.ctx.stopped(); });
}

BOOST_AUTO_TEST_SUITE_END()
