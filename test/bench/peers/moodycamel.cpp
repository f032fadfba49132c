// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/peers/blocking.hpp"

#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/lightweightsemaphore.h>

// moodycamel's blocking queue has no bound; its own semaphore gives it one.

namespace sluice::bench {
namespace {

class moodycamel_queue
{
public:
    explicit moodycamel_queue(std::size_t capacity)
        : room_(static_cast<moodycamel::LightweightSemaphore::ssize_t>(capacity))
    {
    }

    void push(item value)
    {
        room_.wait();
        queue_.enqueue(value);
    }

    item pop()
    {
        item value = 0;
        queue_.wait_dequeue(value);
        room_.signal();
        return value;
    }

private:
    moodycamel::LightweightSemaphore room_;
    moodycamel::BlockingConcurrentQueue<item> queue_;
};

}  // namespace

double perform(const task& what, std::size_t items)
{
    return perform_blocking<moodycamel_queue>(what, items);
}

}  // namespace sluice::bench
