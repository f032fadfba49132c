// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Shows how to test code that uses queues: on an io_context without threads, which poll() runs
// until every coroutine waits. Nothing sleeps, so the test is fast and gives the same each time.
// Expect: "the stage waits for room, and loses nothing".

#include <sluice.hpp>

#include <boost/asio.hpp>

#include <iostream>
#include <stdexcept>

namespace asio = boost::asio;
using int_queue = sluice::fifo_queue<int>;

asio::awaitable<void> twice(int_queue& in, int_queue& out)
{
    while (const auto number = co_await in.next())
        co_await out.enqueue(2 * *number);
    out.close();
}

void expect(bool is_true, const char* what)
{
    if (!is_true)
        throw std::runtime_error(what);
}

//[testing
int main()
{
    asio::io_context context;
    int_queue in{context, {.capacity = 4}};
    int_queue out{context, {.capacity = 1}};
    auto ended = asio::co_spawn(context, twice(in, out), asio::use_future);

    context.poll();  // until it waits
    expect(in.stats().waiting_consumers == 1, "the stage waits for input");

    expect(in.try_enqueue(1) && in.try_enqueue(2), "there is room");
    context.poll();
    expect(out.stats().waiting_producers == 1, "the stage waits for room");

    in.close();
    expect(out.try_dequeue() == 2, "the first result");
    context.poll();
    expect(out.try_dequeue() == 4 && out.is_closed(), "the second one, and the end");
    ended.get();  // throws what the stage has thrown
    std::cout << "the stage waits for room, and loses nothing\n";
}
//]
