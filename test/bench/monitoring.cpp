// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/task.hpp"
#include "bench/workload.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/page/live_page.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

// What it costs a program of a hundred queues to be watched.

namespace sluice::bench {
namespace {

using boost::asio::awaitable;
using boost::asio::ip::tcp;

enum class watching
{
    none,
    registered,
    looked_at,  // once: from then on the queues count how long was waited
    page_open
};

// A reader of the page, but for the drawing. That it reads in the same process counts against
// the page.
awaitable<void> view(unsigned short port)
{
    const auto executor = co_await boost::asio::this_coro::executor;
    tcp::socket socket(executor);
    const tcp::endpoint page(boost::asio::ip::address_v4::loopback(), port);
    co_await socket.async_connect(page, boost::asio::use_awaitable);
    const std::string request = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    co_await boost::asio::async_write(
        socket,
        boost::asio::buffer(request),
        boost::asio::use_awaitable
    );
    std::vector<char> piece(65536);
    boost::system::error_code ended;
    while (!ended)
        co_await socket.async_read_some(
            boost::asio::buffer(piece),
            boost::asio::redirect_error(boost::asio::use_awaitable, ended)
        );
}

// A producer and a consumer for each queue. The capacity is small, so that they often wait.
// One function for all contestants: copies of it would differ by a few percent, because of where
// the compiler puts their loops.
double pass_through_hundred(watching how, std::size_t items)
{
    constexpr std::size_t queues = 100;
    const std::size_t share = items / queues;
    boost::asio::io_context context(1);
    std::deque<fifo_queue<item>> all;
    coordinator tasks(context);
    monitor watch(context);
    std::optional<live_page> page;
    item sum = 0;
    const auto produce = [&](fifo_queue<item>& to, item from) -> awaitable<void> {
        for (item n = from; n < from + share; ++n)
            co_await to.enqueue(n);
        to.close();
    };
    const auto consume = [&](fifo_queue<item>& from) -> awaitable<void> {
        while (const auto taken = co_await from.next())
            sum += *taken;
    };
    for (std::size_t i = 0; i < queues; ++i) {
        auto& queue = all.emplace_back(context, queue_options{.capacity = 4});
        if (how != watching::none)
            watch.add(queue);
        tasks.spawn("producer", produce(queue, i * share));
        tasks.spawn("consumer", consume(queue));
    }
    if (how != watching::none)
        watch.add(tasks);
    if (how == watching::looked_at)
        (void)watch.snapshot();
    if (how == watching::page_open) {
        page.emplace(watch.serve({}));
        boost::asio::co_spawn(context, view(page->port()), rethrow);
    }
    boost::asio::co_spawn(
        context,
        [&]() -> awaitable<void> {
            co_await tasks.join();
            page.reset();
        },
        rethrow
    );
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

template <watching How>
double watched(std::size_t items)
{
    return pass_through_hundred(How, items);
}

}  // namespace

std::vector<scenario> monitoring()
{
    const std::string unwatched = "no monitor";
    const std::string registered = "registered";
    const std::string looked_at = "looked at once";
    const std::string page_open = "page open";
    return {
        {.name = "watched_100",
         .what = "100 queues of capacity 4, each with a producer and a consumer that are "
                 "tasks",
         .contestants =
             {{unwatched, watched<watching::none>, 100},
              {registered, watched<watching::registered>, 100},
              {looked_at, watched<watching::looked_at>, 100},
              {page_open, watched<watching::page_open>, 100}},
         .bars =
             {{"of the speed without a monitor", registered, unwatched, 0.99},
              {"of the speed without a monitor", looked_at, unwatched, 0.98},
              {"of the speed without a monitor", page_open, unwatched, 0.98}},
         .items = 5'000'000,  // several looks in a round
         .most_rounds = 11}
    };
}

}  // namespace sluice::bench
