// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "http_connection.hpp"

#include "page_server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::page {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using error_code = boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t longest_header = 8 * 1024;
constexpr std::uint64_t longest_body = 1024;  // none is looked at
constexpr auto longest_silence = 10s;         // of a client that is to send, or to read
constexpr auto keep_alive_interval = 15s;     // of events, for proxies
// What the system keeps for a client that reads slowly: so it gets the latest events late, and not
// old ones first.
constexpr int send_buffer_size = 64 * 1024;

using parser_type = http::request_parser<http::string_body>;

std::string text_of(beast::string_view text)
{
    return {text.data(), text.size()};
}

http_request to_request(const parser_type::value_type& message)
{
    // two names would be checked here and used there
    const bool has_host = message.count(http::field::host) == 1;
    return {
        .method = text_of(message.method_string()),
        .target = text_of(message.target()),
        .host = has_host ? text_of(message[http::field::host]) : std::string(),
        .origin = text_of(message[http::field::origin]),
        .authorization = text_of(message[http::field::authorization])
    };
}

// What is said of a request that cannot be read; status 0 of a client that has gone.
http_answer answer_to_unreadable(const error_code& ec)
{
    http_answer answer{.status = 0};
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow)
        answer = {.status = 431, .body = "the request has too many fields\n"};
    else if (ec == http::error::body_limit)
        answer = {.status = 413, .body = "the request is too large\n"};
    else if (ec.category() == http::make_error_code(http::error::bad_method).category() &&
             ec != http::error::end_of_stream && ec != http::error::partial_message)
        answer = {.status = 400, .body = "this is no HTTP request\n"};
    return answer;
}

// What comes before the body. Written here: a field is a line, and Beast's writers would take most
// of the time to compile this file.
std::string head_of(const http_answer& answer, bool keep_alive)
{
    std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " " +
                       text_of(http::obsolete_reason(http::int_to_status(answer.status))
                       ) +
                       "\r\n";
    const auto add = [&head](std::string_view name, std::string_view value) {
        head.append(name).append(": ").append(value).append("\r\n");
    };
    add("Content-Type", answer.type);
    if (!answer.is_event_stream && answer.status != 204)
        add("Content-Length", std::to_string(answer.body.size()));
    if (!keep_alive)
        add("Connection", "close");
    if (!answer.allow.empty())
        add("Allow", answer.allow);
    for (const auto& [name, value] : page_content::common_fields())
        add(name, value);
    return head + "\r\n";
}

class connection
{
public:
    connection(std::shared_ptr<page_server> server, asio::ip::tcp::socket socket)
        : server_(std::move(server)),
          stream_(std::move(socket)),
          session_(*server_, [this] { stream_.close(); })
    {
        error_code ignored;
        stream_.socket().set_option(
            asio::socket_base::send_buffer_size(send_buffer_size),
            ignored
        );
    }

    asio::awaitable<void> run()
    {
        bool goes_on = true;
        while (goes_on && !server_->is_stopped())
            goes_on = co_await answer_one();
        error_code ignored;
        stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    }

private:
    // Whether the connection is used again.
    asio::awaitable<bool> answer_one()
    {
        parser_type parser;
        parser.header_limit(longest_header);
        parser.body_limit(longest_body);
        stream_.expires_after(longest_silence);
        const auto [ec, size] =
            co_await http::async_read(stream_, buffer_, parser, as_tuple);
        if (ec) {
            http_answer answer = answer_to_unreadable(ec);
            if (answer.status != 0)
                co_await send(std::move(answer), false, false);
            co_return false;
        }
        const http_request request = to_request(parser.get());
        http_answer answer = answer_to(request);
        const bool is_head = request.method == "HEAD";
        if (answer.is_event_stream && !is_head) {
            co_await send_events(std::move(answer));
            co_return false;
        }
        co_return co_await send(std::move(answer), is_head, parser.get().keep_alive());
    }

    http_answer answer_to(const http_request& request) const
    {
        try {
            return server_->content().answer(request);
        } catch (const std::exception& error) {
            return {.status = 500, .body = std::string(error.what()) + "\n"};
        } catch (...) {
            return {.status = 500, .body = "something that is no std::exception\n"};
        }
    }

    // Whether the connection can be used again.
    asio::awaitable<bool> send(http_answer answer, bool is_head, bool keep_alive)
    {
        std::string text = head_of(answer, keep_alive);
        if (!is_head)
            text += answer.body;
        const bool was_sent = co_await send_text(text);
        co_return was_sent&& keep_alive;
    }

    // Until one side ends it. A client that reads slowly misses events; they do not pile up.
    asio::awaitable<void> send_events(http_answer answer)
    {
        const std::string head = head_of(answer, false) + "retry: 1000\n\n";
        const bool goes_on = co_await send_text(head);
        if (!goes_on)
            co_return;
        page_server::viewer viewer(*server_);
        page_server::event seen;
        while (!server_->is_stopped()) {
            stream_.expires_never();
            const auto next = co_await viewer.next(seen, keep_alive_interval);
            std::string_view text = ": keep-alive\n\n";
            if (next) {
                seen = next;
                text = *seen;
            }
            if (server_->is_stopped())
                co_return;
            const bool was_sent = co_await send_text(text);
            if (!was_sent)
                co_return;
        }
    }

    asio::awaitable<bool> send_text(std::string_view text)
    {
        stream_.expires_after(longest_silence);
        const auto [ec, size] =
            co_await asio::async_write(stream_, asio::buffer(text), as_tuple);
        co_return !ec;
    }

    const std::shared_ptr<page_server> server_;
    beast::tcp_stream stream_;
    const page_server::session session_;
    beast::flat_buffer buffer_;
};

asio::awaitable<void> run_connection(
    std::shared_ptr<page_server> server,
    asio::ip::tcp::socket socket
)
{
    connection client(std::move(server), std::move(socket));
    co_await client.run();
}

}  // namespace

void serve_connection(std::shared_ptr<page_server> server, asio::ip::tcp::socket socket)
{
    const auto executor = socket.get_executor();
    asio::co_spawn(
        executor,
        run_connection(std::move(server), std::move(socket)),
        asio::detached
    );
}

}  // namespace sluice::page
