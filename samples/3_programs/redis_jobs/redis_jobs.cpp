// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Jobs that one process gives to any number of others, through a queue on a Redis server.
//
//     redis_jobs URL produce COUNT       enqueues COUNT jobs, then closes the queue
//     redis_jobs URL produce_once COUNT  the same; after a kill it goes on where it was
//     redis_jobs URL work [BATCH]        does jobs until there are no more; prints each when done
//     redis_jobs URL status              prints how the queue is
//     redis_jobs URL dead                prints jobs that were given up, which stay where they are
//
// Start as many workers as you like, on any machine; kill some of them. The jobs of a worker that
// dies go to another one when their lease, 2 seconds, has ended.

//[includes
#include <sluice/io_context_pool.hpp>
#include <sluice/redis/redis_connection.hpp>
#include <sluice/redis/redis_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <nlohmann/json.hpp>
//]

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using boost::asio::awaitable;
using namespace std::chrono_literals;

namespace {

//[job
struct job
{
    int number = 0;
    std::string what;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(job, number, what)

using job_queue = sluice::redis::queue<job>;
//]

//[produce
awaitable<void> produce(job_queue& jobs, int count)
{
    for (int number = 1; number <= count; ++number) {
        const job next{number, "resize"};
        co_await jobs.enqueue(next);  // waits while the queue is full
    }
    co_await jobs.close();  // for all processes
}
//]

//[produce_once
awaitable<void> produce_once(sluice::redis::connection& redis, std::uint64_t count)
{
    job_queue jobs{
        redis,
        {.name = "jobs", .capacity = 1000, .lease = 2s, .producer = "resizer"}
    };
    for (auto done = co_await jobs.position(); done < count; ++done) {
        const job next{static_cast<int>(done) + 1, "resize"};
        co_await jobs.enqueue(next);
    }
    co_await jobs.close();
}
//]

void run(const job& next)
{
    std::cout << next.what << ' ' << next.number << std::endl;
}

//[work
awaitable<void> work(job_queue& jobs)
{
    while (auto next = co_await jobs.next()) {
        run(next->value());
        co_await next->acknowledge();  // or another worker gets it
    }
}
//]

// A round trip for many jobs instead of two for each.
awaitable<void> work_in_batches(job_queue& jobs, std::size_t size)
{
    for (;;) {
        auto [error, batch] = co_await jobs.dequeue_some(size).as_tuple();
        if (error == sluice::errc::end_of_queue)
            co_return;
        if (error.failed())
            throw sluice::system_error(error);
        for (const auto& next : batch)
            run(next.value());
        co_await jobs.acknowledge(batch);
    }
}

awaitable<void> print_status(job_queue& jobs)
{
    const auto now = co_await jobs.status();
    std::cout << now.size << " of " << now.capacity << " jobs, " << now.leased
              << " with workers; " << now.enqueued << " enqueued, " << now.acknowledged
              << " done, " << now.redelivered << " redelivered, " << now.dead
              << " given up\n";
}

//[look_at_dead_letters
awaitable<void> print_dead_letters(job_queue& jobs)
{
    auto dead = jobs.dead_letters();
    {
        const auto letters = co_await dead.try_dequeue_many(100);  // may be empty
        for (const auto& letter : letters)
            std::cout << letter.value().what << ' ' << letter.value().number << '\n';
    }  // without an acknowledgement they go back
    co_await dead.flush();
}
//]

bool is_right(const std::vector<std::string>& words)
{
    if (words.size() < 2 || words.size() > 3)
        return false;
    const bool has_number = words.size() == 3;
    if (has_number && (words[2].empty() || words[2].size() > 9 ||
                       words[2].find_first_not_of("0123456789") != std::string::npos))
        return false;
    if (words[1] == "produce" || words[1] == "produce_once")
        return has_number;
    if (words[1] == "status" || words[1] == "dead")
        return !has_number;
    const bool is_zero = has_number &&
                         words[2].find_first_not_of('0') == std::string::npos;
    return words[1] == "work" && !is_zero;
}

void run_program(const std::vector<std::string>& words)
{
    //[open
    sluice::io_context_pool pool{2};
    sluice::redis::connection redis{pool, words.at(0)};  // "redis://localhost"
    job_queue jobs{redis, {.name = "jobs", .capacity = 1000, .lease = 2s}};
    //]
    const auto number = [&] { return std::stoi(words.at(2)); };
    if (words.at(1) == "produce")
        pool.run(produce(jobs, number()));
    else if (words.at(1) == "produce_once")
        pool.run(produce_once(redis, std::stoull(words.at(2))));
    else if (words.at(1) == "status")
        pool.run(print_status(jobs));
    else if (words.at(1) == "dead")
        pool.run(print_dead_letters(jobs));
    else if (words.size() > 2)
        pool.run(work_in_batches(jobs, static_cast<std::size_t>(number())));
    else
        pool.run(work(jobs));
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (!is_right(words)) {
        std::cerr << "usage: redis_jobs URL produce COUNT | produce_once COUNT | "
                     "work [BATCH] | status | dead\n";
        return 2;
    }
    try {
        run_program(words);
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::cerr << "redis_jobs: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
}
