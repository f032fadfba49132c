// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/batcher.hpp>
#include <sluice/input/bucketer.hpp>
#include <sluice/input/input_producer.hpp>
#include <sluice/input/producer.hpp>
#include <sluice/queue/broadcast.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/queue/padding_queue.hpp>
#include <sluice/queue/permit.hpp>
#include <sluice/queue/priority_queue.hpp>
#include <sluice/queue/shuffle_queue.hpp>

#include <boost/asio/awaitable.hpp>

#include <utility>

// A header names queues of what it only declares, and an element may refer to a queue of its kind.
// Nothing here runs.

namespace {

using namespace sluice;

struct message;

template <class... Queues>
constexpr bool can_be_named(Queues*...)
{
    return true;
}

static_assert(can_be_named<
              fifo_queue<message>,
              shuffle_queue<message>,
              priority_queue<message>,
              padding_queue<message>,
              broadcast<message>,
              subscription<message>,
              permit<message>,
              producer<message>,
              input_producer<message>,
              batcher<message>,
              bucketer<message>>(
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    nullptr
));

boost::asio::awaitable<void> answer(fifo_queue<message>& requests);

struct message
{
    int number;
    fifo_queue<message>* replies;
};

[[maybe_unused]] boost::asio::awaitable<void> answer(fifo_queue<message>& requests)
{
    message request = co_await requests.dequeue();
    co_await request.replies->enqueue(message{request.number, nullptr});
}

}  // namespace
