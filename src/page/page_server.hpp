// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "page_content.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace sluice::page {

// A connection that is lost is no exception here.
inline constexpr auto as_tuple = boost::asio::as_tuple(boost::asio::use_awaitable);

// Accepts connections, and makes the events for those that watch.
/*
 * All of it happens on one strand, but for stop(). Only the operations that wait own a
 * server: so it dies with the execution context that destroys them, whichever goes first.
 */
class page_server : public std::enable_shared_from_this<page_server>
{
public:
    using event = std::shared_ptr<const std::string>;

    struct limits
    {
        std::chrono::milliseconds interval;
        std::size_t connections;
    };

    // A connection that has not ended: how stop() ends it.
    class session
    {
    public:
        session(page_server& server, std::function<void()> close);
        session(const session&) = delete;
        session& operator=(const session&) = delete;
        ~session();

    private:
        page_server& server_;
        std::list<std::function<void()>>::iterator place_;
    };

    // A connection that wants events. While there is one, snapshots are taken.
    class viewer
    {
    public:
        explicit viewer(page_server& server);
        viewer(const viewer&) = delete;
        viewer& operator=(const viewer&) = delete;
        ~viewer();

        // Waits for an event after `seen`, which may be null. Gives null after the time, and
        // when the server has stopped.
        [[nodiscard]] boost::asio::awaitable<event> next(
            const event& seen,
            std::chrono::milliseconds time
        );

    private:
        page_server& server_;
        boost::asio::steady_timer woken_;  // by an event, or by the time
        std::list<boost::asio::steady_timer*>::iterator place_;
    };

    // The acceptor listens already; its executor is a strand.
    page_server(
        boost::asio::ip::tcp::acceptor acceptor,
        page_content content,
        limits at_most
    );

    // Accepts until stop().
    void start();

    // Closes everything. From any thread; the port is free when it returns.
    void stop();

    [[nodiscard]] const page_content& content() const noexcept { return content_; }
    [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }
    [[nodiscard]] std::size_t viewers() const noexcept { return viewer_count_; }

private:
    boost::asio::awaitable<void> accept();
    [[nodiscard]] bool take(boost::asio::ip::tcp::socket socket);
    void close_connections();
    void look() noexcept;

    const page_content content_;
    const limits limits_;
    std::atomic<bool> stopped_ = false;
    std::atomic<std::size_t> viewer_count_ = 0;

    std::mutex acceptor_mutex_;
    boost::asio::ip::tcp::acceptor acceptor_;  // starts and ends under acceptor_mutex_

    // Of the strand.
    boost::asio::steady_timer pause_;  // until the next snapshot
    boost::asio::steady_timer
        patience_;             // before the next accept, when the system has refused
    bool is_looking_ = false;  // pause_ runs
    event latest_;
    std::list<std::function<void()>> sessions_;
    std::list<boost::asio::steady_timer*> viewers_;
};

}  // namespace sluice::page
