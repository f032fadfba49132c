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
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace this_coro = asio::this_coro;
using asio::ip::tcp;
using http::status;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

using request = http::request<http::string_body>;
using response = http::response<http::string_body>;

constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t most_clients = 1000;
constexpr std::size_t longest_event = 16 * 1024;
constexpr auto read_limit = 30s;    // for a request, and for the pause before it
constexpr auto write_limit = 5s;    // for a client that does not read
constexpr auto commit_limit = 10s;  // for the database

response to_response(status code, const json& body)
{
    response made{code, 11};
    made.set(http::field::content_type, "application/json");
    if (code == status::too_many_requests || code == status::service_unavailable)
        made.set(http::field::retry_after, "1");
    made.body() = body.dump() + '\n';
    return made;
}

response refuse(status code, std::string_view reason)
{
    return to_response(code, {{"error", reason}});
}

std::string key_of(std::string_view text)
{
    const auto event = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (event.is_object() && event.contains("key") && event["key"].is_string())
        if (auto key = event["key"].get<std::string>(); !key.empty() && key.size() <= 200)
            return key;
    throw std::invalid_argument("an event is an object with a \"key\" of 1 to 200 bytes");
}

//[take
asio::awaitable<response> take(std::string text, event_queue& events)
{
    const json receipt{{"key", key_of(text)}};
    sluice::fifo_queue<outcome> outcomes{
        co_await this_coro::executor,
        {.capacity = 1, .name = "outcome"}
    };
    if (!events.try_enqueue(incoming_event{std::move(text), outcomes.try_reserve()}))
        co_return refuse(status::too_many_requests, "the queue is full");

    const auto [late, what] = co_await outcomes.dequeue().within(commit_limit).as_tuple();
    if (what == outcome::stored)
        co_return to_response(status::created, receipt);
    if (what == outcome::refused)
        co_return refuse(status::unprocessable_entity, "the database refuses it");
    co_return refuse(status::service_unavailable, "not stored: send it again");
}
//]

asio::awaitable<response> respond(request& asked, event_queue& events)
{
    if (asked.target() != "/events")
        co_return refuse(status::not_found, "events go to /events");
    if (asked.method() != http::verb::post)
        co_return refuse(status::method_not_allowed, "use POST");
    try {
        co_return co_await take(std::move(asked.body()), events);
    } catch (const std::invalid_argument& reason) {
        co_return refuse(status::bad_request, reason.what());
    }
}

//[connection
asio::awaitable<void> serve(
    const sluice::coordinator& tasks,
    tcp::socket client,
    event_queue& events,
    sluice::semaphore_permit /*seat*/
)
{
    boost::beast::flat_buffer buffer;
    try {
        while (!tasks.should_stop()) {  // a stop ends the next wait, and nothing after it
            co_await this_coro::reset_cancellation_state();
            http::request_parser<http::string_body> parser;
            parser.body_limit(longest_event);
            const auto [error, size] = co_await sluice::within(
                http::async_read(client, buffer, parser, as_tuple),
                read_limit
            );
            co_await this_coro::reset_cancellation_state(asio::disable_cancellation());

            response answer = refuse(status::payload_too_large, "at most 16 KiB");
            if (!error)
                answer = co_await respond(parser.get(), events);
            else if (error != http::error::body_limit)
                co_return;  // the client has gone or says nothing, or there is a stop
            answer.version(parser.get().version());
            answer.keep_alive(!error && parser.get().keep_alive());
            answer.prepare_payload();
            co_await sluice::within(
                http::async_write(client, answer, asio::use_awaitable),
                write_limit
            );
            if (!answer.keep_alive())
                break;
        }
        client.shutdown(tcp::socket::shutdown_send);
    } catch (const boost::system::system_error&) {
        // The client has gone or does not read, which is no error of the others.
    }
}

}  // namespace

asio::awaitable<void> accept_clients(
    sluice::coordinator& tasks,
    tcp::acceptor& acceptor,
    event_queue& events
)
{
    sluice::semaphore seats{
        acceptor.get_executor(),
        {.permits = most_clients, .name = "seats"}
    };
    for (;;) {
        auto seat = co_await seats.acquire();
        auto [error, client] = co_await acceptor.async_accept(as_tuple);
        if (error)
            co_await sluice::sleep_for(100ms);  // no descriptors are left, or a stop
        else
            tasks.spawn(
                "client",
                serve(tasks, std::move(client), events, std::move(seat))
            );
    }
}
//]
