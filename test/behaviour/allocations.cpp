// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/allocation_counter.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/queue/event.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/latest_value.hpp>
#include <sluice/queue/select.hpp>
#include <sluice/queue/semaphore.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory_resource>
#include <optional>
#include <utility>
#include <vector>

// Once everything has run a while, no element costs an allocation, whether a consumer waits for it
// or not. All run in one io_context, whose blocks Asio recycles.

namespace allocations {

namespace asio = boost::asio;
using asio::awaitable;
using sluice::test::allocation_counter;
using queue = sluice::fifo_queue<int>;

constexpr int warm_up = 1'000;
constexpr int measured = 1'000;
// Some come afterwards, because an end of a coroutine does allocate.
constexpr int all = warm_up + measured + 200;
constexpr int coroutines_on_a_side = 4;
constexpr std::size_t batch = 10;
constexpr std::array<std::size_t, 3> capacities{64, 1, 0};

void rethrow(const std::exception_ptr& error)
{
    if (error)
        std::rethrow_exception(error);
}

// Counts from the end of the warm-up on.
class steady_state
{
public:
    void item_arrived()
    {
        ++items_;
        if (items_ == warm_up)
            counter_.emplace();
        if (items_ == warm_up + measured)
            allocations_ = counter_->count();
    }

    // Fails the test if not all elements have come.
    [[nodiscard]] std::size_t allocations() const
    {
        BOOST_TEST(items_ >= warm_up + measured);
        return allocations_.value_or(all);
    }

private:
    int items_ = 0;
    std::optional<allocation_counter> counter_;
    std::optional<std::size_t> allocations_;
};

awaitable<void> produce(queue& to, int count)
{
    for (int i = 0; i < count; ++i)
        co_await to.enqueue(i);
}

awaitable<void> consume(queue& from, int count, steady_state& state)
{
    for (int i = 0; i < count; ++i) {
        co_await from.dequeue();
        state.item_arrived();
    }
}

template <class Start>
std::size_t allocations_of_passing(
    asio::io_context& context,
    std::size_t capacity,
    Start start
)
{
    queue q(context, {.capacity = capacity});
    steady_state state;
    for (int i = 0; i < coroutines_on_a_side; ++i) {
        const int share = all / coroutines_on_a_side;
        start(produce(q, share));
        start(consume(q, share, state));
    }
    context.run();
    return state.allocations();
}

std::size_t allocations_of_passing(std::size_t capacity)
{
    asio::io_context context;
    return allocations_of_passing(context, capacity, [&context](awaitable<void> body) {
        asio::co_spawn(context, std::move(body), rethrow);
    });
}

// Completion handlers that start the next operation. Asio's own recycling_allocator keeps two
// blocks, and two operations that meet at capacity 0 have four.
using allocator = std::pmr::polymorphic_allocator<>;

struct sender
{
    queue& to;
    allocator memory;
    int left;

    void operator()(const sluice::error_code& /*error*/ = {})
    {
        if (left-- > 0)
            to.async_enqueue(left, asio::bind_allocator(memory, *this));
    }
};

struct receiver
{
    queue& from;
    allocator memory;
    int left;
    steady_state& state;

    void operator()(const sluice::error_code& /*error*/, std::optional<int> /*element*/)
    {
        state.item_arrived();
        receive();
    }

    void receive()
    {
        if (left-- > 0)
            from.async_dequeue(asio::bind_allocator(memory, *this));
    }
};

std::size_t allocations_of_handlers(std::size_t capacity)
{
    std::pmr::unsynchronized_pool_resource memory;
    asio::io_context context;
    queue q(context, {.capacity = capacity});
    steady_state state;
    asio::post(context, [&] { sender{q, &memory, all}(); });
    asio::post(context, [&] { receiver{q, &memory, all, state}.receive(); });
    context.run();
    return state.allocations();
}

}  // namespace allocations

BOOST_AUTO_TEST_SUITE(allocations)

// coroutines

BOOST_AUTO_TEST_CASE(waiting_operations_of_many_coroutines_allocate_nothing)
{
    for (const std::size_t capacity : capacities)
        BOOST_TEST_CONTEXT("capacity " << capacity)
    BOOST_TEST(allocations_of_passing(capacity) == 0u);
}

BOOST_AUTO_TEST_CASE(waiting_operations_of_tasks_allocate_nothing)
{
    for (const std::size_t capacity : capacities)
        for (const bool is_on_strand : {false, true})
            BOOST_TEST_CONTEXT("capacity " << capacity << ", strand " << is_on_strand)
            {
                asio::io_context context;
                std::optional<sluice::coordinator>
                    scope;  // a strand dies before its context
                const auto start = [&](awaitable<void> body) {
                    if (!scope && is_on_strand)
                        scope.emplace(asio::make_strand(context));
                    else if (!scope)
                        scope.emplace(context);
                    scope->spawn("task", std::move(body));
                };
                BOOST_TEST(allocations_of_passing(context, capacity, start) == 0u);
            }
}

// Two writers take turns, and wait until the reader has had the value.
BOOST_AUTO_TEST_CASE(waiting_for_permits_events_and_values_allocates_nothing)
{
    asio::io_context context;
    sluice::semaphore turn(context, {.permits = 2});
    sluice::latest_value<int> value(context);
    sluice::event was_read(context);
    steady_state state;
    const auto write = [&]() -> awaitable<void> {
        for (int i = 0; i < all / 2; ++i) {
            const auto both = co_await turn.acquire(2);
            was_read.reset();
            value.set(i);
            co_await was_read.wait();
        }
    };
    const auto read = [&]() -> awaitable<void> {
        std::uint64_t seen = 0;
        while (seen < std::uint64_t{all}) {
            (void)co_await value.next(seen);
            state.item_arrived();
            was_read.set();
        }
    };
    asio::co_spawn(context, write, rethrow);
    asio::co_spawn(context, write, rethrow);
    asio::co_spawn(context, read, rethrow);
    context.run();
    BOOST_TEST(state.allocations() == 0u);
}

// The vector that a batch is returned in is the caller's, and so one for each batch.
BOOST_AUTO_TEST_CASE(batches_allocate_what_they_return)
{
    for (const std::size_t capacity : capacities)
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            asio::io_context context;
            queue q(context, {.capacity = capacity});
            steady_state state;
            const auto give = [&]() -> awaitable<void> {
                std::vector<int> rows(batch);
                for (int i = 0; i < all; i += static_cast<int>(batch))
                    co_await q.enqueue_many(rows);
            };
            const auto take = [&]() -> awaitable<void> {
                for (int i = 0; i < all; i += static_cast<int>(batch)) {
                    const std::vector<int> rows = co_await q.dequeue_many(batch);
                    for (std::size_t row = 0; row < rows.size(); ++row)
                        state.item_arrived();
                }
            };
            asio::co_spawn(context, give, rethrow);
            asio::co_spawn(context, take, rethrow);
            context.run();

            BOOST_TEST(state.allocations() <= measured / batch);
        }
}

// Once the budget is spent three of them are posted at a time, and Asio keeps two blocks.
BOOST_AUTO_TEST_CASE(waiting_select_allocates_for_the_budget_only)
{
    for (const std::size_t capacity : capacities)
        BOOST_TEST_CONTEXT("capacity " << capacity)
        {
            asio::io_context context;
            queue first(context, {.capacity = capacity});
            queue second(context, {.capacity = capacity});
            steady_state state;
            const auto take = [&]() -> awaitable<void> {
                for (int i = 0; i < all; ++i) {
                    co_await sluice::select(first.dequeue(), second.dequeue());
                    state.item_arrived();
                }
                context.stop();  // the producers have more
            };
            asio::co_spawn(context, take, rethrow);
            asio::co_spawn(context, produce(first, all), rethrow);
            asio::co_spawn(context, produce(second, all), rethrow);
            context.run();

            BOOST_TEST(state.allocations() <= measured / 128u + 1);
        }
}

// handlers

BOOST_AUTO_TEST_CASE(handlers_with_memory_of_their_own_allocate_nothing)
{
    for (const std::size_t capacity : capacities)
        BOOST_TEST_CONTEXT("capacity " << capacity)
    BOOST_TEST(allocations_of_handlers(capacity) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
