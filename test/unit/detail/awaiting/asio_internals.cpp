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

BOOST_AUTO_TEST_SUITE_END()
