// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <malloc.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iostream>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

// How long does a thread wait that uses a queue beside others? First beside a batch of a million
// strings, then with more threads than processors, beside std::mutex in the same run. Other
// processes count, too: on a busy machine run it with `chrt -f 1`, as root, for the first part.

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using microseconds = std::chrono::duration<double, std::micro>;

constexpr std::size_t rows_of_batch = 1'000'000;

void wait(std::chrono::microseconds time)
{
    boost::asio::io_context io;
    boost::asio::steady_timer(io, time).wait();
}

// The first use of a page takes the system up to a millisecond on some virtual machines. So all
// memory is there before anything is measured, and is kept.
void take_memory()
{
    constexpr int bytes = 1 << 30;
    (void)::mallopt(M_ARENA_MAX, 1);
    (void)::mallopt(M_MMAP_THRESHOLD, bytes);
    (void)::mallopt(M_TRIM_THRESHOLD, bytes);
    (void)::mallopt(M_TOP_PAD, bytes);
    if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        std::cout << "the memory cannot be locked; run this as root\n";
}

// Without that, two real-time threads may have to share a processor.
void stay_on(std::size_t processor)
{
    cpu_set_t one{};
    CPU_SET(processor, &one);
    (void)::sched_setaffinity(0, sizeof one, &one);
}

// The longest call of `f`, made every 50 microseconds while `batch` runs.
template <class Batch, class F>
microseconds longest_beside(Batch batch, F f)
{
    std::atomic<bool> is_over{false};
    std::atomic<bool> has_begun{false};
    microseconds longest{0};
    std::jthread other([&] {
        stay_on(1);
        while (!is_over) {
            const auto begin = clock::now();
            f();
            longest = std::max(longest, microseconds(clock::now() - begin));
            has_begun = true;
            wait(50us);
        }
    });
    while (!has_begun)
        std::this_thread::yield();
    batch();
    is_over = true;
    other.join();
    return longest;
}

void measure_batches(boost::asio::io_context& io)
{
    sluice::fifo_queue<std::string> q(io, {.capacity = sluice::unbounded});
    std::vector<std::string> rows(rows_of_batch, std::string(40, 'x'));
    std::vector<std::string> taken;
    cpu_set_t before{};
    (void)::sched_getaffinity(0, sizeof before, &before);
    stay_on(0);
    const auto touch = [&q] { (void)q.try_enqueue("x"); };
    const auto in = longest_beside([&] { q.try_enqueue_many(rows); }, touch);
    const auto out =
        longest_beside([&] { taken = q.try_dequeue_many(rows_of_batch); }, touch);
    (void)::sched_setaffinity(0, sizeof before, &before);
    std::cout << "longest wait beside try_enqueue_many: " << in.count()
              << " us, beside try_dequeue_many: " << out.count() << " us\n";
}

struct contention
{
    double rate;      // operations in a millisecond
    double fairness;  // of the thread with the fewest to that with the most
    double longest;   // milliseconds
};

template <class F>
contention contend(std::size_t threads, F f)
{
    struct alignas(64) figures
    {
        std::uint64_t count = 0;
        microseconds longest{0};
    };
    std::vector<figures> all(threads);
    std::atomic<bool> is_over{false};
    std::vector<std::jthread> running;
    for (figures& own : all)
        running.emplace_back([&] {
            for (; !is_over; ++own.count) {
                const auto begin = clock::now();
                f();
                own.longest = std::max(own.longest, microseconds(clock::now() - begin));
            }
        });
    wait(400ms);
    is_over = true;
    running.clear();
    contention result{};
    const auto [least, most] = std::ranges::minmax_element(all, {}, &figures::count);
    result.fairness = static_cast<double>(least->count) /
                      static_cast<double>(most->count);
    for (const figures& one : all) {
        result.rate += static_cast<double>(one.count) / 400;
        result.longest = std::max(result.longest, one.longest.count() / 1000);
    }
    return result;
}

void print(const char* name, const contention& c)
{
    std::cout << "  " << name << ": " << static_cast<long>(c.rate)
              << " pairs in a ms, fairness " << c.fairness << ", longest wait "
              << c.longest << " ms\n";
}

void measure_contention(boost::asio::io_context& io, std::size_t threads)
{
    std::cout << threads << " threads\n";
    sluice::fifo_queue<int> q(io, {.capacity = 1024});
    print("sluice", contend(threads, [&q] {
              (void)q.try_enqueue(1);
              (void)q.try_dequeue();
          }));
    std::mutex mutex;
    std::deque<int> elements;
    print("std::mutex", contend(threads, [&] {
              {
                  const std::lock_guard lock(mutex);
                  elements.push_back(1);
              }
              const std::lock_guard lock(mutex);
              elements.pop_front();
          }));
}

}  // namespace

int main()
{
    take_memory();
    boost::asio::io_context io;
    for (int i = 0; i < 3; ++i)
        measure_batches(io);
    for (const std::size_t threads : {2U, 4U, 8U, 16U})
        measure_contention(io, threads);
}
