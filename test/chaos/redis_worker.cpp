// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The processes of redis_chaos.py, which share a queue and may be killed at any moment:
//
//     sluice_redis_worker SOCKET LEASE_MS produce FIRST LAST PROGRESS_FILE
//     sluice_redis_worker SOCKET LEASE_MS produce_as NAME FIRST LAST
//     sluice_redis_worker SOCKET LEASE_MS consume LOG_FILE
//     sluice_redis_worker SOCKET LEASE_MS watch     until standard input ends
//     sluice_redis_worker SOCKET LEASE_MS close
//
// The progress is the number of the next element, 8 bytes. The log has 8 bytes for each element
// that was delivered: its number, and how often it has been delivered in the highest byte.

#include <sluice/error.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_error.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

namespace redis = sluice::redis;
using boost::asio::awaitable;
using remote = redis::queue<std::string>;
using words = std::vector<std::string>;

constexpr std::size_t capacity = 1024;
constexpr std::uint64_t batch_size = 32;
constexpr std::size_t element_size = 100;

// What is written has been written when the process is killed: the kernel has it.
class file
{
public:
    explicit file(const std::string& path)
        : handle_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644))
    {
        if (handle_ < 0)
            throw std::runtime_error("cannot open " + path);
    }
    file(const file&) = delete;
    file& operator=(const file&) = delete;
    ~file() { ::close(handle_); }

    std::uint64_t read_number_or(std::uint64_t none) const
    {
        std::uint64_t number = 0;
        return ::pread(handle_, &number, sizeof number, 0) == sizeof number ? number
                                                                            : none;
    }

    void write(const void* data, std::size_t size, std::size_t at) const
    {
        if (::pwrite(handle_, data, size, static_cast<off_t>(at)) !=
            static_cast<ssize_t>(size))
            throw std::runtime_error("cannot write to a file");
    }

private:
    int handle_;
};

std::string element_of(std::uint64_t number)
{
    std::string bytes = std::to_string(number);
    bytes.resize(element_size, '.');
    return bytes;
}

std::uint64_t number_of(const std::string& bytes)
{
    const std::uint64_t number = std::stoull(bytes);
    if (bytes != element_of(number))
        throw std::runtime_error("an element came broken: " + bytes);
    return number;
}

words batch_of(std::uint64_t first, std::uint64_t last)
{
    words batch;
    for (const auto end = std::min(first + batch_size, last); first < end; ++first)
        batch.push_back(element_of(first));
    return batch;
}

// Begins where the process before this one was. Whether the batch that this had sent is in the
// queue is not known, so it may come twice.
awaitable<void> produce(remote& queue, const words& arguments)
{
    const file progress(arguments.at(2));
    const std::uint64_t last = std::stoull(arguments.at(1));
    for (auto next = progress.read_number_or(std::stoull(arguments.at(0)));
         next < last;) {
        const words batch = batch_of(next, last);
        co_await queue.enqueue_many(batch);
        next += batch.size();
        progress.write(&next, sizeof next, 0);
    }
}

// The same, but the server knows. So none comes twice.
awaitable<void> produce_as(remote& queue, const words& arguments)
{
    const std::uint64_t last = std::stoull(arguments.at(2));
    auto next = std::stoull(arguments.at(1)) + co_await queue.position();
    while (next < last) {
        const words batch = batch_of(next, last);
        co_await queue.enqueue_many(batch);
        next += batch.size();
    }
}

awaitable<void> acknowledge(
    remote& queue,
    std::vector<redis::delivery<std::string>>& batch
)
{
    try {
        co_await queue.acknowledge(batch);
    } catch (const sluice::system_error& error) {
        if (error.code() != redis::errc::lease_expired)
            throw;
    }
}

// They go with the next dequeue.
void acknowledge_in_passing(std::vector<redis::delivery<std::string>>& batch)
{
    for (auto& one : batch)
        one.acknowledge()(boost::asio::detached);
}

awaitable<void> consume(remote& queue, const words& arguments)
{
    const file log(arguments.at(0));
    std::size_t written = 0;
    bool is_in_passing = false;
    try {
        for (;;) {
            auto batch = co_await queue.dequeue_some(batch_size);
            std::vector<std::uint64_t> records;
            for (const auto& one : batch)
                records.push_back(
                    number_of(one.value()) | std::uint64_t{one.attempt()} << 56U
                );
            const std::size_t size = records.size() * sizeof records.front();
            log.write(records.data(), size, written);
            written += size;
            if (std::exchange(is_in_passing, !is_in_passing))
                acknowledge_in_passing(batch);
            else
                co_await acknowledge(queue, batch);
        }
    } catch (const sluice::system_error& error) {
        if (error.code() != sluice::errc::end_of_queue)
            throw;
    }
    co_await queue.flush();
}

bool is_wanted()
{
    pollfd input{.fd = 0, .events = POLLIN, .revents = 0};
    return ::poll(&input, 1, 0) == 0;
}

// Prints what redis_chaos.py reads.
awaitable<void> watch(remote& queue, const words& /*arguments*/)
{
    boost::asio::steady_timer timer(queue.get_executor());
    std::size_t looks = 0;
    std::size_t largest = 0;
    redis::queue_status last;
    while (is_wanted()) {
        last = co_await queue.status();
        largest = std::max(largest, last.size);
        ++looks;
        timer.expires_after(std::chrono::milliseconds(5));
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
    last = co_await queue.status();
    std::cout << "{\"looks\": " << looks << ", \"largest\": " << largest
              << ", \"capacity\": " << capacity << ", \"size\": " << last.size
              << ", \"enqueued\": " << last.enqueued
              << ", \"acknowledged\": " << last.acknowledged
              << ", \"redelivered\": " << last.redelivered << ", \"dead\": " << last.dead
              << "}\n";
}

awaitable<void> close(remote& queue, const words& /*arguments*/)
{
    co_await queue.close();
}

auto role_of(std::string_view name)
{
    if (name == "produce")
        return &produce;
    if (name == "produce_as")
        return &produce_as;
    if (name == "consume")
        return &consume;
    if (name == "watch")
        return &watch;
    if (name == "close")
        return &close;
    throw std::invalid_argument("there is no role " + std::string(name));
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        const words arguments(argv + 1, argv + argc);
        const auto& name = arguments.at(2);
        const auto role = role_of(name);
        sluice::io_context_pool pool(1);
        redis::connection connection(
            pool,
            "unix:" + arguments.at(0),
            {.longest_pause = std::chrono::milliseconds(200)}
        );
        remote queue(
            connection,
            {.name = "chaos",
             .capacity = capacity,
             .lease = std::chrono::milliseconds(std::stoul(arguments.at(1))),
             .max_deliveries = 0,
             .producer = name == "produce_as" ? arguments.at(3) : std::string_view()}
        );
        const words rest(arguments.begin() + 3, arguments.end());
        pool.run([&]() -> awaitable<void> {
            co_await role(queue, rest);
            co_await queue.flush();
        });
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "sluice_redis_worker: " << error.what() << '\n';
        return 1;
    }
}
