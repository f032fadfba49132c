// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "page_server.hpp"

#include "http_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <string_view>
#include <utility>

namespace sluice::page {

namespace asio = boost::asio;
using asio::ip::tcp;
using error_code = boost::system::error_code;
using namespace std::chrono_literals;

namespace {

// A new connection has an empty buffer, so this neither waits nor is cut off.
void refuse(tcp::socket& socket)
{
    constexpr std::string_view answer = "HTTP/1.1 503 Service Unavailable\r\n"
                                        "Retry-After: 5\r\n"
                                        "Content-Length: 21\r\n"
                                        "Connection: close\r\n\r\n"
                                        "too many connections\n";
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(answer), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
}

// Null or empty if there is none. What a snapshot throws, because memory is short, must not reach
// the event loop of the program: the next one may succeed.
page_server::event snapshot_event(const page_content& content)
{
    try {
        return std::make_shared<const std::string>(content.state_event());
    } catch (...) {
        return nullptr;
    }
}

}  // namespace

page_server::session::session(page_server& server, std::function<void()> close)
    : server_(server),
      place_(server.sessions_.insert(server.sessions_.end(), std::move(close)))
{
}

page_server::session::~session()
{
    server_.sessions_.erase(place_);
}

page_server::viewer::viewer(page_server& server)
    : server_(server),
      woken_(server.acceptor_.get_executor()),
      place_(server.viewers_.insert(server.viewers_.end(), &woken_))
{
    ++server_.viewer_count_;
    if (!server_.is_looking_)
        server_.look();
}

page_server::viewer::~viewer()
{
    server_.viewers_.erase(place_);
    --server_.viewer_count_;
}

// Between the look at latest_ and the wait nothing else runs on the strand, so no event is missed.
asio::awaitable<page_server::event> page_server::viewer::next(
    const event& seen,
    std::chrono::milliseconds time
)
{
    if (server_.latest_ == seen && !server_.stopped_) {
        woken_.expires_after(time);
        co_await woken_.async_wait(as_tuple);
    }
    if (server_.latest_ == seen || server_.stopped_)
        co_return nullptr;
    co_return server_.latest_;
}

page_server::page_server(tcp::acceptor acceptor, page_content content, limits at_most)
    : content_(std::move(content)),
      limits_(at_most),
      acceptor_(std::move(acceptor)),
      pause_(acceptor_.get_executor()),
      patience_(acceptor_.get_executor())
{
}

void page_server::start()
{
    asio::co_spawn(
        acceptor_.get_executor(),
        [self = shared_from_this()] { return self->accept(); },
        asio::detached
    );
}

void page_server::stop()
{
    {
        const std::lock_guard lock(acceptor_mutex_);
        stopped_ = true;
        error_code ignored;
        acceptor_.close(ignored);
    }
    asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
        self->close_connections();
    });
}

asio::awaitable<void> page_server::accept()
{
    const auto self = shared_from_this();
    while (!stopped_) {
        auto [ec, socket] = co_await asio::async_initiate<
            const asio::as_tuple_t<asio::use_awaitable_t<>>,
            void(error_code, tcp::socket)>(
            [this](auto handler) {
                // stop() may close it on another thread
                const std::lock_guard lock(acceptor_mutex_);
                acceptor_.async_accept(std::move(handler));
            },
            as_tuple
        );
        if (stopped_)
            break;
        if (!ec && take(std::move(socket)))
            continue;
        // Out of descriptors or of memory, or the client has gone already.
        patience_.expires_after(100ms);
        co_await patience_.async_wait(as_tuple);
    }
}

// False: there is no memory for it.
bool page_server::take(tcp::socket socket)
try {
    if (sessions_.size() >= limits_.connections)
        refuse(socket);
    else
        serve_connection(shared_from_this(), std::move(socket));
    return true;
} catch (const std::exception&) {
    return false;
}

void page_server::close_connections()
{
    pause_.cancel();
    patience_.cancel();
    for (const auto& close : sessions_)
        close();
    for (asio::steady_timer* each : viewers_)
        each->cancel();
}

// Takes a snapshot, and goes on at the interval while a page watches. One that is as the last one
// is not sent again.
void page_server::look() noexcept
{
    is_looking_ = false;
    if (stopped_ || viewers_.empty())
        return;
    try {
        event now = snapshot_event(content_);
        if (now && !now->empty() && (!latest_ || *now != *latest_)) {
            latest_ = std::move(now);
            for (asio::steady_timer* each : viewers_)
                each->cancel();
        }
        pause_.expires_after(limits_.interval);
        pause_.async_wait([self = shared_from_this()](const error_code& ec) {
            if (!ec)
                self->look();
        });
        is_looking_ = true;
    } catch (const std::exception&) {
        // There is no memory. The next viewer begins again.
    }
}

}  // namespace sluice::page
