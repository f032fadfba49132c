// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/scenarios.hpp"
#include "bench/workload.hpp"
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/select.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <utility>
#include <variant>
#include <vector>

// Receiving from whichever of several queues has something.

namespace sluice::bench {
namespace {

item item_of(item received)
{
    return received;
}

item item_of(const std::variant<item, item>& selected)
{
    return selected.index() == 0 ? std::get<0>(selected) : std::get<1>(selected);
}

item item_of(const std::pair<std::size_t, item>& taken)
{
    return taken.second;
}

// One coroutine puts each item into the next of several queues and takes it, by `receive()`,
// from whichever has it.
template <std::size_t Queues, class Receive>
double in_turn_among(std::size_t items, Receive receive)
{
    boost::asio::io_context context(1);
    std::deque<fifo_queue<item>> queues;
    std::array<fifo_queue<item>*, Queues> pointers{};
    for (auto& pointer : pointers)
        pointer = &queues.emplace_back(context, queue_options{.capacity = 64});
    item sum = 0;
    const auto body = [&]() -> boost::asio::awaitable<void> {
        for (item value = 0; value < items; ++value) {
            co_await pointers[value % Queues]->enqueue(value);
            sum += item_of(co_await receive(pointers));
        }
    };
    boost::asio::co_spawn(context, body, rethrow);
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

constexpr const char* of_two = "sluice, select of 2";
constexpr const char* of_sixteen = "sluice, dequeue_any of 16";

}  // namespace

std::vector<scenario> selecting()
{
    return {
        {.name = "select",
         .what =
             "one coroutine enqueues into one of several queues in turn and receives, "
             "one thread",
         .contestants =
             {{ours,
               [](std::size_t items) {
                   return in_turn_among<1>(items, [](auto& queues) {
                       return queues[0]->dequeue();
                   });
               }},
              {of_two,
               [](std::size_t items) {
                   return in_turn_among<2>(items, [](auto& queues) {
                       return select(queues[0]->dequeue(), queues[1]->dequeue());
                   });
               }},
              {of_sixteen,
               [](std::size_t items) {
                   return in_turn_among<16>(items, [](auto& queues) {
                       return dequeue_any(queues);
                   });
               }}},
         .bars = {{"of the speed without select, of 2", of_two, ours, 0.5}}}
    };
}

}  // namespace sluice::bench
