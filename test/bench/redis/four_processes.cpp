// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/redis/four_processes.hpp"

#include <sluice/io_context_pool.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <fcntl.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sluice::bench {
namespace {

using boost::asio::awaitable;
using remote = redis::queue<std::string>;

struct pipe_ends
{
    pipe_ends()
    {
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw std::runtime_error("pipe2 failed");
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    ~pipe_ends()
    {
        ::close(ends[0]);
        end_writing();
    }

    // So that who reads sees the end when the other processes have gone.
    void end_writing() { ::close(std::exchange(ends[1], -1)); }

    std::array<int, 2> ends{};
};

// Its standard output says that it is ready, its standard input that it shall begin.
pid_t start(std::vector<std::string> words, const pipe_ends& go, const pipe_ends& ready)
{
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(go.ends[0], 0);
        ::dup2(ready.ends[1], 1);
        ::execv("/proc/self/exe", argv.data());
        ::_exit(127);
    }
    return child;
}

awaitable<void> produce(remote& queue, std::size_t items, std::size_t size)
{
    const std::vector<std::string> batch(size, std::string(100, 'x'));
    for (std::size_t i = 0; i < items; i += size)
        co_await queue.enqueue_many(batch);
}

awaitable<void> consume(remote& queue, std::size_t items, std::size_t size)
{
    while (items > 0) {
        auto batch = co_await queue.dequeue_up_to(size);
        items -= batch.size();
        co_await queue.acknowledge(batch);
    }
}

}  // namespace

double pass_between_processes(
    const std::string& socket,
    std::size_t items,
    std::size_t batch
)
{
    const pipe_ends go;
    pipe_ends ready;
    std::vector<pid_t> children;
    for (const char* const role : {"produce", "produce", "consume", "consume"})
        children.push_back(start(
            {"sluice_redis_bench",
             "--process",
             role,
             socket,
             std::to_string(items / 2),
             std::to_string(batch)},
            go,
            ready
        ));
    ready.end_writing();
    std::array<char, 4> signs{};
    for (std::size_t have = 0; have < children.size();) {
        const auto size = ::read(ready.ends[0], signs.data(), signs.size() - have);
        if (size <= 0)
            throw std::runtime_error("a process of the benchmark has not started");
        have += static_cast<std::size_t>(size);
    }
    const auto begin = std::chrono::steady_clock::now();
    if (::write(go.ends[1], signs.data(), signs.size()) != 4)
        throw std::runtime_error("cannot write to a pipe");
    bool has_failed = false;
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        has_failed = has_failed || status != 0;
    }
    if (has_failed)
        throw std::runtime_error("a process of the benchmark has failed");
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now(
                                                           ) -
                                                           begin;
    return taken.count();
}

int run_process(int count, char** arguments)
{
    if (count != 4)
        throw std::invalid_argument("--process is for the benchmark itself");
    const std::string_view role = arguments[0];
    const auto items = static_cast<std::size_t>(std::stoull(arguments[2]));
    const auto size = static_cast<std::size_t>(std::stoull(arguments[3]));
    io_context_pool pool(1);
    redis::connection connection(pool, "unix:" + std::string(arguments[1]));
    remote queue(connection, {.name = "bench4", .capacity = 4096});
    pool.run([&]() -> awaitable<void> { (void)co_await queue.status(); });
    char sign = '.';
    if (::write(1, &sign, 1) != 1 || ::read(0, &sign, 1) != 1)
        return 1;
    pool.run([&]() -> awaitable<void> {
        co_await (role == "produce" ? produce : consume)(queue, items, size);
    });
    return 0;
}

}  // namespace sluice::bench
