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

// What most elements are: of a class that says how it moves. A std::variant of them is made in its
// place. GCC copies one of numbers in other pieces than those in which it was written, for which
// the processor waits.
class object
{
public:
    explicit object(item value) noexcept : value_(value) {}
    object(object&& other) noexcept : value_(other.value_) {}
    object& operator=(object&& other) noexcept
    {
        value_ = other.value_;
        return *this;
    }
    ~object() = default;

    [[nodiscard]] item value() const noexcept { return value_; }

private:
    item value_;
};

item item_of(item received)
{
    return received;
}

item item_of(const object& received)
{
    return received.value();
}

template <class Element>
item item_of(const std::variant<Element, Element>& selected)
{
    return selected.index() == 0 ? item_of(std::get<0>(selected))
                                 : item_of(std::get<1>(selected));
}

item item_of(const std::pair<std::size_t, item>& taken)
{
    return taken.second;
}

// One coroutine puts each item into the next of several queues and takes it, by `receive()`,
// from whichever has it.
template <class Element, std::size_t Queues, class Receive>
double in_turn_among(std::size_t items, Receive receive)
{
    boost::asio::io_context context(1);
    std::deque<fifo_queue<Element>> queues;
    std::array<fifo_queue<Element>*, Queues> pointers{};
    for (auto& pointer : pointers)
        pointer = &queues.emplace_back(context, queue_options{.capacity = 64});
    item sum = 0;
    const auto body = [&]() -> boost::asio::awaitable<void> {
        for (item value = 0; value < items; ++value) {
            co_await pointers[value % Queues]->enqueue(Element(value));
            sum += item_of(co_await receive(pointers));
        }
    };
    boost::asio::co_spawn(context, body, rethrow);
    const double taken = run(context, 1);
    check(sum, items);
    return taken;
}

// A plain dequeue, and a select of two.
template <class Element>
double from_one(std::size_t items)
{
    return in_turn_among<Element, 1>(items, [](auto& queues) {
        return queues[0]->dequeue();
    });
}

template <class Element>
double from_two(std::size_t items)
{
    return in_turn_among<Element, 2>(items, [](auto& queues) {
        return select(queues[0]->dequeue(), queues[1]->dequeue());
    });
}

double from_sixteen(std::size_t items)
{
    return in_turn_among<item, 16>(items, [](auto& queues) {
        return dequeue_any(queues);
    });
}

constexpr const char* of_two = "sluice, select of 2";
constexpr const char* objects = "sluice, objects";
constexpr const char* of_two_objects = "sluice, select of 2, objects";

}  // namespace

std::vector<scenario> selecting()
{
    return {
        {.name = "select",
         .what =
             "one coroutine enqueues into one of several queues in turn and receives, "
             "one thread",
         .contestants =
             {{ours, from_one<item>},
              {of_two, from_two<item>},
              {objects, from_one<object>},
              {of_two_objects, from_two<object>},
              {"sluice, dequeue_any of 16", from_sixteen}},
         .bars =
             {{"of the speed without select, of 2", of_two, ours, 0.5},
              {"of objects", of_two_objects, objects, 0.5}}}
    };
}

}  // namespace sluice::bench
