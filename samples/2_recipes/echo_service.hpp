// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A TCP service in three stages: connections are accepted, their lines are read into a
// bounded queue, workers answer them. While the queue is full no connection is read, so the
// back-pressure reaches the clients. A stop cancels the reading and drains the queue: no new
// input is accepted, accepted lines are answered, the workers end.

#pragma once

#include <sluice.hpp>

#include <boost/asio.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

//[echo_service
class echo_service
{
public:
    using tcp = boost::asio::ip::tcp;
    template <class T>
    using awaitable = boost::asio::awaitable<T>;

    /// Listens on a port of the local host; 0 lets the system choose one.
    echo_service(sluice::io_context_pool& pool, unsigned short port)
        : acceptor_{pool.get_executor(), {boost::asio::ip::address_v4::loopback(), port}},
          requests_{pool, {.capacity = 16, .name = "requests"}},
          coord_{pool, {.on_overdue = print_overdue}}
    {
    }

    [[nodiscard]] tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

    /// Serve until SIGINT or SIGTERM, then drain.
    awaitable<void> run()
    {
        coord_.request_stop_on_signal({SIGINT, SIGTERM});
        coord_.close_on_stop(requests_, sluice::close_mode::drain);
        coord_.spawn("acceptor", accept_connections());
        for (int i = 0; i < 4; ++i)
            coord_.spawn("worker", answer_requests());
        co_await coord_.join();  // the stop, and then the end of the requests
    }

    [[nodiscard]] const auto& requests() const { return requests_; }
    [[nodiscard]] const sluice::coordinator& tasks() const { return coord_; }
    [[nodiscard]] int accepted() const { return accepted_; }
    [[nodiscard]] int answered() const { return answered_; }

private:
    static constexpr auto use_awaitable = boost::asio::use_awaitable;
    static constexpr auto as_tuple = boost::asio::as_tuple(boost::asio::use_awaitable);

    struct connection
    {
        explicit connection(tcp::socket accepted) : socket{std::move(accepted)} {}

        tcp::socket socket;
        std::string input;
        sluice::semaphore turn{socket.get_executor(), {.permits = 1, .name = "turn"}};
    };

    struct request
    {
        std::shared_ptr<connection> from;
        std::string line;
        sluice::semaphore_permit turn;  // one request of a connection at a time
    };

    static void print_overdue(const std::vector<sluice::task_info>& tasks)
    {
        for (const sluice::task_info& task : tasks)
            std::cerr << "still running: " << to_string(task) << '\n';
    }

    awaitable<void> accept_connections()
    {
        for (;;) {
            auto client = std::make_shared<connection>(
                co_await acceptor_.async_accept(use_awaitable)
            );
            coord_.spawn("connection", read_requests(std::move(client)));
        }
    }

    awaitable<void> read_requests(std::shared_ptr<connection> client)
    {
        for (;;) {
            // Waits until the last request of this connection has been answered.
            auto turn = co_await client->turn.acquire();
            auto buffer = boost::asio::dynamic_buffer(client->input, 4096);
            auto [error, length] = co_await boost::asio::async_read_until(
                client->socket,
                buffer,
                '\n',
                as_tuple
            );
            if (error)
                co_return;  // the client has gone, or a stop was requested
            request next{client, client->input.substr(0, length), std::move(turn)};
            client->input.erase(0, length);
            co_await requests_.enqueue(std::ref(next));
            ++accepted_;
        }
    }

    awaitable<void> answer_requests()
    {
        using namespace std::chrono_literals;
        // The stop is not for the workers: they end with the requests.
        co_await boost::asio::this_coro::reset_cancellation_state(
            boost::asio::disable_cancellation()
        );
        while (auto next = co_await requests_.next()) {
            const auto& [client, line, turn] = *next;
            try {
                // A client that does not read must not hold up the others, nor the drain.
                const auto buffer = boost::asio::buffer(line);
                co_await sluice::within(
                    boost::asio::async_write(client->socket, buffer, use_awaitable),
                    5s
                );
            } catch (const sluice::system_error&) {
                client->socket.close();  // it did not, or has gone
            }
            ++answered_;
        }  // gives the turn back
    }

    tcp::acceptor acceptor_;
    sluice::fifo_queue<request> requests_;
    sluice::coordinator coord_;
    std::atomic<int> accepted_ = 0;
    std::atomic<int> answered_ = 0;
};
//]
