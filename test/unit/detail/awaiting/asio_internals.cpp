// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/asio_internals.hpp>

#include "support/counted.hpp"
#include "support/io_fixture.hpp"
#include <sluice/detail/awaiting/awaitable_waiter.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace asio_internals {

// Says when it is destroyed.
struct farewell
{
    std::string* text;

    ~farewell() { *text += "destroyed"; }
};

}  // namespace asio_internals

BOOST_AUTO_TEST_SUITE(asio_internals)

// What is used of asio::awaitable's inside shows in how a stack of coroutines is
// suspended, resumed and destroyed through an operation of ours.

BOOST_AUTO_TEST_CASE(innermost_of_a_stack_of_coroutines_is_resumed)
{
    asio::io_context context;
    sluice::fifo_queue<int> q(context, {.capacity = sluice::unbounded});
    std::string order;
    auto inner = [&]() -> asio::awaitable<int> {
        order += "inner ";
        const int value = co_await q.dequeue();
        order += "resumed ";
        co_return value;
    };
    auto outer = [&]() -> asio::awaitable<void> {
        const int value = co_await inner();
        order += "outer " + std::to_string(value);
    };
    asio::co_spawn(context, outer(), asio::detached);
    context.poll();
    BOOST_TEST(order == "inner ");
    BOOST_TEST(q.try_enqueue(7));
    context.restart();
    context.run();
    BOOST_TEST(order == "inner resumed outer 7");
}

BOOST_AUTO_TEST_CASE(suspended_stack_is_destroyed_with_its_context)  // P12
{
    std::string text;
    auto context = std::make_unique<asio::io_context>();
    sluice::fifo_queue<int> q(*context, {.capacity = sluice::unbounded});
    auto body = [](sluice::fifo_queue<int>& queue,
                   std::string& end) -> asio::awaitable<void> {
        const farewell goodbye{&end};
        (void)co_await queue.dequeue();
        end += "resumed ";
    };
    asio::co_spawn(*context, body(q, text), asio::detached);
    context->poll();
    BOOST_TEST(text.empty());
    context.reset();
    BOOST_TEST(text == "destroyed");
    BOOST_TEST(q.stats().waiting_consumers == 0U);
}

BOOST_AUTO_TEST_CASE(exception_of_an_operation_passes_through_the_stack)
{
    asio::io_context context;
    sluice::fifo_queue<int> q(context, {.capacity = sluice::unbounded});
    std::string caught;
    auto inner = [&]() -> asio::awaitable<void> { (void)co_await q.dequeue(); };
    auto outer = [&]() -> asio::awaitable<void> {
        try {
            co_await inner();
        } catch (const sluice::system_error& error) {
            caught = error.what();
        }
    };
    asio::co_spawn(context, outer(), asio::detached);
    context.poll();
    q.close();
    context.restart();
    context.run();
    BOOST_TEST(caught.starts_with("dequeue on queue 'queue'"));
}

BOOST_AUTO_TEST_SUITE_END()
