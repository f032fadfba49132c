// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A TCP service in four stages: connections are accepted, their lines are read into a bounded
// queue, workers answer them, and each connection writes its answers. A connection reads and
// writes at the same time: by two tasks on its strand. While a queue is full no line is read, so
// the back-pressure reaches the clients. A stop cancels the reading, and nothing else: accepted
// lines are answered, and each task ends when its queue is drained.

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
            coord_.spawn({.name = "worker", .on_stop = unheard}, answer_requests());
        co_await coord_.join();  // the stop, and then the end of the requests
    }

    [[nodiscard]] const auto& requests() const { return requests_; }
    [[nodiscard]] const sluice::coordinator& tasks() const { return coord_; }
    [[nodiscard]] int accepted() const { return accepted_; }
    [[nodiscard]] int answered() const { return answered_; }

private:
    static constexpr auto use_awaitable = boost::asio::use_awaitable;
    static constexpr auto as_tuple = boost::asio::as_tuple(boost::asio::use_awaitable);
    // A stop is not for those tasks: they end with their queues.
    static constexpr auto unheard = boost::asio::cancellation_type::none;

    struct connection
    {
        explicit connection(tcp::socket accepted) : socket{std::move(accepted)} {}

        tcp::socket socket;
        std::string input;
        sluice::fifo_queue<std::string> answers{
            socket.get_executor(),
            {.capacity = 8, .name = "answers"}
        };
    };

    struct request
    {
        std::string line;
        sluice::permit<std::string> answer;  // its place: no worker waits for a client
    };

    static void print_overdue(const std::vector<sluice::task_info>& tasks)
    {
        for (const sluice::task_info& task : tasks)
            std::cerr << "still running: " << to_string(task) << '\n';
    }

    awaitable<void> accept_connections()
    {
        for (;;) {
            // The socket has a strand, and both tasks run on it.
            const auto strand = boost::asio::make_strand(acceptor_.get_executor());
            auto client = std::make_shared<connection>(
                co_await acceptor_.async_accept(strand, use_awaitable)
            );
            coord_.spawn(
                {.name = "writer", .executor = strand, .on_stop = unheard},
                write_answers(client)
            );
            // The reader closes the answers, however it ends.
            sluice::feeder feeding{client->answers};
            coord_.spawn(strand, "reader", read_requests(client, std::move(feeding)));
        }
    }

    awaitable<void> read_requests(
        std::shared_ptr<connection> client,
        [[maybe_unused]] sluice::feeder feeding
    )
    {
        for (;;) {
            // Waits while as many requests of this connection are on their way.
            auto place = co_await client->answers.reserve();
            auto buffer = boost::asio::dynamic_buffer(client->input, 4096);
            auto [error, length] = co_await boost::asio::async_read_until(
                client->socket,
                buffer,
                '\n',
                as_tuple
            );
            if (error)
                co_return;  // the client has gone, or a stop was requested
            request next{client->input.substr(0, length), std::move(place)};
            client->input.erase(0, length);
            co_await requests_.enqueue(std::ref(next));
            ++accepted_;
        }
    }

    awaitable<void> answer_requests()
    {
        while (auto next = co_await requests_.next())
            next->answer.fill(std::move(next->line));
    }

    awaitable<void> write_answers(std::shared_ptr<connection> client)
    {
        using namespace std::chrono_literals;
        while (auto answer = co_await client->answers.next()) {
            try {
                // A client that does not read must not hold up the drain.
                const auto buffer = boost::asio::buffer(*answer);
                co_await sluice::within(
                    boost::asio::async_write(client->socket, buffer, use_awaitable),
                    5s
                );
            } catch (const sluice::system_error&) {
                client->socket.close();  // it did not, or has gone; the reader ends, too
            }
            ++answered_;
        }
    }

    tcp::acceptor acceptor_;
    sluice::fifo_queue<request> requests_;
    sluice::coordinator coord_;
    std::atomic<int> accepted_ = 0;
    std::atomic<int> answered_ = 0;
};
//]
