// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/transports.hpp"
#include <sluice/queue_end.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>

#include <malloc.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Many coroutines that wait in one queue. An item is a waiter.

namespace sluice::bench {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Coroutines that have been spawned and have not begun to run.
class crowd
{
public:
    explicit crowd(std::size_t size) : queue_(context_, {.capacity = 64}), signals_(size)
    {
        for (asio::cancellation_signal& signal : signals_)
            asio::co_spawn(
                context_,
                wait(),
                asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr) {})
            );
    }

    ~crowd()
    {
        queue_.close();
        context_.run();
    }

    crowd(const crowd&) = delete;
    crowd& operator=(const crowd&) = delete;

    void block()
    {
        context_.poll();
        if (queue_.stats().waiting_consumers != signals_.size())
            throw std::runtime_error("a benchmark has not blocked");
    }

    void wake()
    {
        for (item value = 0; value < signals_.size(); ++value)
            if (!queue_.try_enqueue(std::move(value)))
                throw std::runtime_error("no consumer has waited");
        expect_end();
    }

    // Where their operations run. The last first: a search for them from the front takes
    // long.
    void cancel()
    {
        asio::post(context_, [this] {
            for (std::size_t i = signals_.size(); i > 0; --i)
                signals_[i - 1].emit(asio::cancellation_type::terminal);
        });
        expect_end();
    }

    void close()
    {
        queue_.close();
        expect_end();
    }

private:
    awaitable<void> wait()
    {
        const counted_end end(ended_);
        // An exception costs many times as much as a wait.
        const auto result = co_await queue_.dequeue().as_tuple();
        static_cast<void>(result);
    }

    struct counted_end
    {
        explicit counted_end(std::size_t& count) : counter(count) {}
        ~counted_end() { ++counter; }
        counted_end(const counted_end&) = delete;
        counted_end& operator=(const counted_end&) = delete;
        std::size_t& counter;
    };

    void expect_end()
    {
        context_.poll();
        if (ended_ != signals_.size())
            throw std::runtime_error("a benchmark has left a consumer waiting");
    }

    asio::io_context context_{1};
    fifo_queue<item> queue_;
    std::deque<asio::cancellation_signal> signals_;
    std::size_t ended_ = 0;
};

template <class Function>
double time_of(Function&& function)
{
    const auto start = bench_clock::now();
    std::forward<Function>(function)();
    return since(start);
}

using phase = double (*)(crowd&);

double block(crowd& all)
{
    return time_of([&] { all.block(); });
}

double wake(crowd& all)
{
    all.block();
    return time_of([&] { all.wake(); });
}

double cancel(crowd& all)
{
    all.block();
    return time_of([&] { all.cancel(); });
}

double close(crowd& all)
{
    all.block();
    return time_of([&] { all.close(); });
}

contestant crowds(const char* name, std::size_t size, phase measured)
{
    return {
        .name = name,
        .run =
            [size, measured](std::size_t items) {
                double taken = 0;
                for (std::size_t done = 0; done < items; done += size) {
                    crowd all(size);
                    taken += measured(all);
                }
                return taken;
            },
        .portion = size
    };
}

constexpr const char* few = "sluice, 1,000";
constexpr const char* many = "sluice, 100,000";
constexpr const char* most = "sluice, 1,000,000";

scenario waiting(std::string name, std::string what, phase measured)
{
    return {
        .name = std::move(name),
        .what = std::move(what),
        .contestants =
            {crowds(few, 1'000, measured),
             crowds(many, 100'000, measured),
             crowds(most, 1'000'000, measured)},
        .bars =
            {{"of the speed with 1,000", many, few, 0.5},
             {"of the speed with 1,000", most, few, 0.5}},
        .most_rounds = 9
    };
}

// Memory ------------------------------------------------------------------------------------

using executor = asio::any_io_executor;
using parked_coroutine = asio::detail::awaitable_thread<executor>;

// Coroutines that wait for nothing: what is left is what a coroutine costs by itself.
class parking_lot
{
public:
    parking_lot(asio::io_context&, std::size_t size) { parked_.reserve(size); }

    awaitable<void> wait()
    {
        co_await [this](asio::detail::awaitable_frame_base<executor>* frame
                 ) -> asio::detail::awaitable_thread<executor>* {
            parked_.emplace_back(std::move(*frame->detach_thread()));
            return nullptr;
        };
    }

private:
    std::vector<parked_coroutine> parked_;
};

class waiting_in_queue
{
public:
    waiting_in_queue(asio::io_context& context, std::size_t)
        : queue_(context, {.capacity = 64})
    {
    }

    awaitable<void> wait() { co_await queue_.dequeue(); }

private:
    fifo_queue<item> queue_;
};

class waiting_in_channel
{
public:
    waiting_in_channel(asio::io_context& context, std::size_t) : channel_(context, 64) {}

    awaitable<void> wait() { co_await channel_.receive(); }

private:
    channel_of_deferred channel_;
};

// What the allocator has handed out more, when all of them wait.
template <class Place>
double bytes(std::size_t count)
{
    asio::io_context context(1);
    Place place(context, count);
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    for (std::size_t i = 0; i < count; ++i)
        asio::co_spawn(context, place.wait(), [](std::exception_ptr) {});
    context.poll();
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    return static_cast<double>(after - before);
}

template <class Place>
double bytes_above_bare(std::size_t count)
{
    return bytes<Place>(count) - bytes<parking_lot>(count);
}

}  // namespace

std::vector<scenario> waiters()
{
    return {
        waiting("waiters_block", "coroutines begin to wait in one queue", block),
        waiting("waiters_wake", "coroutines that wait get an item each, and end", wake),
        waiting(
            "waiters_cancel",
            "coroutines that wait are cancelled one by one",
            cancel
        ),
        waiting("waiters_close", "the queue of coroutines that wait is closed", close),
        {.name = "waiters_memory",
         .what = "100,000 coroutines that wait in one queue",
         .contestants =
             {{ours, bytes_above_bare<waiting_in_queue>},
              {channel_deferred, bytes_above_bare<waiting_in_channel>},
              {"a bare coroutine", bytes<parking_lot>},
              {"250 bytes",
               [](std::size_t items) { return 250.0 * static_cast<double>(items); }}},
         .bars = {{"times within 250 bytes", ours, "250 bytes", 1}},
         .unit = "bytes",
         .items = 100'000,
         .most_rounds = 3}
    };
}

}  // namespace sluice::bench
