// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows a service that collects lines of text from many TCP clients and appends them to a
// file in batches. A queue with a limit in bytes is between the two, so a slow disk slows
// the clients down instead of filling the memory. SIGTERM ends the reading; what has been
// read is written, and clients that stay connected do not hold that up.
// Expect: the address; after SIGTERM or Ctrl-C, how many lines were written.
// Options: the file, and the port (default: the system chooses).
// Try it:  sample_log_collector lines.log 4000 &  yes hello | head -1000 | nc -N 127.0.0.1 4000

#include "../../co_main.hpp"

#include <boost/asio.hpp>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using asio::ip::tcp;
using namespace std::chrono_literals;

//[log_collector
class log_collector
{
public:
    log_collector(sluice::io_context_pool& pool, std::string path, unsigned short port)
        : path_{std::move(path)},
          file_{path_, std::ios::app},
          acceptor_{pool.get_executor(), {asio::ip::address_v4::loopback(), port}},
          clients_{pool, {.permits = 1000, .name = "clients"}},
          lines_{pool, {.capacity = 10'000, .weight_limit = 1 << 20, .name = "lines"}},
          coord_{pool, {.on_overdue = print_overdue}}
    {
        check_file();
    }

    [[nodiscard]] tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

    [[nodiscard]] std::size_t written() const { return written_; }

    asio::awaitable<void> run()
    {
        intake_.request_stop_on_signal({SIGINT, SIGTERM});
        coord_.close_on_stop(lines_
        );  // if the writer fails; a signal stops the intake only
        intake_.spawn("acceptor", accept_clients(sluice::feeder{lines_}));
        coord_.spawn("writer", write_lines());
        co_await coord_.join();
    }

private:
    static constexpr std::size_t longest_line = 64 * 1024;
    static constexpr auto as_tuple = asio::as_tuple(asio::use_awaitable);

    static void print_overdue(const std::vector<sluice::task_info>& tasks)
    {
        for (const sluice::task_info& task : tasks)
            std::cerr << "still running: " << to_string(task) << '\n';
    }

    // The feeder goes to each client. The last of them to end closes the queue.
    asio::awaitable<void> accept_clients(sluice::feeder feeding)
    {
        for (;;) {
            auto seat = co_await clients_.acquire();
            tcp::socket client = co_await acceptor_.async_accept(asio::use_awaitable);
            intake_.spawn(
                "client",
                read_lines(std::move(client), feeding, std::move(seat))
            );
        }
    }

    // A stop ends the wait for input, but not that for room in the queue: what has been
    // read is written.
    asio::awaitable<void> read_lines(
        tcp::socket client,
        sluice::feeder /*until it ends*/,
        sluice::semaphore_permit /*one of the clients*/
    )
    {
        std::vector<char> chunk(16 * 1024);
        std::string input;
        while (input.size() <= longest_line) {
            co_await asio::this_coro::reset_cancellation_state(
                asio::enable_terminal_cancellation()
            );
            if (intake_.should_stop())
                break;
            const auto [error, size] =
                co_await client.async_read_some(asio::buffer(chunk), as_tuple);
            co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation(
            ));
            input.append(chunk.data(), size);
            std::vector<std::string> lines = take_lines(input);
            co_await lines_.enqueue_many(lines);
            if (error)
                break;  // the client has gone, or a stop was requested
        }
        if (!input.empty())
            co_await lines_.enqueue(std::move(input));  // the last one has no end
    }

    // The complete lines at the beginning of the input.
    static std::vector<std::string> take_lines(std::string& input)
    {
        std::vector<std::string> lines;
        std::size_t begin = 0;
        for (auto end = input.find('\n'); end != std::string::npos;
             end = input.find('\n', begin)) {
            lines.push_back(input.substr(begin, end - begin));
            begin = end + 1;
        }
        input.erase(0, begin);
        return lines;
    }

    // 1,000 lines at a time, or what there is 100 ms after the first of them came.
    asio::awaitable<void> write_lines()
    {
        for (;;) {
            auto [error, lines] =
                co_await lines_.dequeue_up_to(1000).linger(100ms).as_tuple();
            if (error == sluice::condition::end_of_stream)
                co_return;
            if (error)
                throw sluice::system_error{error};
            co_await sluice::run_blocking(disk_, [&, &batch = lines] { append(batch); });
            written_ += lines.size();
        }
    }

    void append(const std::vector<std::string>& lines)
    {
        for (const std::string& line : lines)
            file_ << line << '\n';
        file_.flush();
        check_file();
    }

    void check_file() const
    {
        if (!file_)
            throw std::runtime_error("cannot write " + path_);
    }

    std::string path_;
    std::ofstream file_;
    tcp::acceptor acceptor_;
    sluice::semaphore clients_;
    sluice::fifo_queue<std::string> lines_;
    sluice::coordinator coord_;
    sluice::coordinator intake_{coord_};
    asio::thread_pool disk_{1};
    std::size_t written_ = 0;  // by the writer, read after the end
};
//]

asio::awaitable<void> co_main(sluice::io_context_pool& pool, arguments args)
{
    if (args.empty())
        throw std::runtime_error("name the file that the lines are appended to");
    const int port = args.size() < 2 ? 0 : std::stoi(std::string{args[1]});
    if (port < 0 || port > 65535)
        throw std::runtime_error("the port must be from 0 to 65535");
    log_collector collector{
        pool,
        std::string{args[0]},
        static_cast<unsigned short>(port)
    };
    std::cout << "listening on " << collector.endpoint() << std::endl;
    co_await collector.run();
    std::cout << collector.written() << " lines written\n";
}
