// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "http_intake.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t most_clients = 1000;
constexpr std::size_t longest_event = 16 * 1024;
constexpr auto read_limit = 30s;    // for a request, and for the pause before it
constexpr auto write_limit = 5s;    // for a client that does not read
constexpr auto commit_limit = 10s;  // for an answer after the commit

auto to_response(http::status status, const nlohmann::json& body)
{
    using json = nlohmann::json;
    http::response<http::string_body> made{status, 11};
    made.set(http::field::content_type, "application/json");
    if (status == http::status::too_many_requests ||
        status == http::status::service_unavailable)
        made.set(http::field::retry_after, "1");
    made.body() = body.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    return made;
}

auto to_refusal(http::status status, std::string_view reason)
{
    return to_response(status, {{"error", reason}});
}

}  // namespace

http_intake::http_intake(
    asio::any_io_executor executor,
    unsigned short port,
    event_queue& events,
    ingest_status& status,
    answer_time when
)
    : acceptor_{executor, {asio::ip::address_v4::loopback(), port}},
      clients_{executor, {.permits = most_clients, .name = "clients"}},
      events_{events},
      status_{status},
      when_{when}
{
}

//[connection
asio::awaitable<void> http_intake::run(sluice::coordinator& tasks)
{
    for (;;) {
        auto seat = co_await clients_.acquire();
        auto [error, client] = co_await acceptor_.async_accept(
            asio::as_tuple(asio::use_awaitable)
        );
        if (error)
            co_await sluice::sleep_for(100ms);  // no descriptors are left, or a stop
        else
            tasks.spawn("client", serve(tasks, std::move(client), std::move(seat)));
    }
}

// A stop ends the wait for a request, but not the answer to one that has been read.
asio::awaitable<void> http_intake::serve(
    const sluice::coordinator& tasks,
    tcp::socket client,
    sluice::semaphore_permit /*seat*/
)
{
    constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
    outcome_queue outcomes{client.get_executor(), {.capacity = 1, .name = "outcome"}};
    boost::beast::flat_buffer buffer;
    try {
        for (bool goes_on = true; goes_on;) {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_terminal_cancellation()
            );
            if (tasks.should_stop())
                co_return;
            http::request_parser<http::string_body> parser;
            parser.body_limit(longest_event);
            const auto [error, size] = co_await sluice::within(
                http::async_read(client, buffer, parser, as_tuple),
                read_limit
            );
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation(
            ));

            response answer;
            if (!error) {
                answer = co_await respond(parser.get(), outcomes);
                const bool stays = parser.get().keep_alive() && answer.keep_alive();
                answer.version(parser.get().version());
                answer.keep_alive(stays);
            } else if (error == http::error::body_limit) {
                answer = to_refusal(http::status::payload_too_large, "at most 16 KiB");
                answer.keep_alive(false);
            } else {
                co_return;  // the client has gone or says nothing, or there is a stop
            }
            goes_on = answer.keep_alive();
            answer.prepare_payload();
            co_await sluice::within(
                http::async_write(client, answer, asio::use_awaitable),
                write_limit
            );
        }
        client.shutdown(tcp::socket::shutdown_send);
    } catch (const boost::system::system_error&) {
        // The client has gone or does not read, which is no error of the others.
    }
}
//]

asio::awaitable<http_intake::response> http_intake::respond(
    request& asked,
    outcome_queue& outcomes
)
{
    if (asked.target() != "/events")
        co_return to_refusal(http::status::not_found, "events go to /events");
    if (asked.method() != http::verb::post)
        co_return to_refusal(http::status::method_not_allowed, "use POST");
    try {
        co_return co_await take(asked, outcomes);
    } catch (const std::invalid_argument& reason) {
        co_return to_refusal(http::status::bad_request, reason.what());
    }
}

//[take
asio::awaitable<http_intake::response> http_intake::take(
    request& asked,
    outcome_queue& outcomes
)
{
    incoming_event event = parse_event(std::move(asked.body()));
    const nlohmann::json receipt{{"key", event.key}};
    if (status_.is_database_away)
        co_return to_refusal(http::status::service_unavailable, "the database is away");

    if (when_ == answer_time::after_commit)
        event.answer = outcomes.try_reserve();
    sluice::error_code error;
    if (!events_.try_enqueue(std::move(event), error)) {
        if (error == sluice::errc::queue_closed)
            co_return to_refusal(http::status::service_unavailable, "the service ends");
        co_return to_refusal(http::status::too_many_requests, "the queue is full");
    }
    ++status_.accepted;
    if (when_ == answer_time::when_queued)
        co_return to_response(http::status::accepted, receipt);

    const auto [late, what] = co_await outcomes.dequeue().within(commit_limit).as_tuple();
    if (!late && *what == outcome::stored)
        co_return to_response(http::status::created, receipt);
    if (!late && *what == outcome::refused)
        co_return to_refusal(
            http::status::unprocessable_entity,
            "the database refuses it"
        );
    response unknown =
        to_refusal(http::status::service_unavailable, "not stored yet: send it again");
    unknown.keep_alive(!late);  // a late outcome is not for the next request
    co_return unknown;
}
//]
