// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "bench/peers/blocking.hpp"

#include <oneapi/tbb/concurrent_queue.h>

namespace sluice::bench {
namespace {

class tbb_queue
{
public:
    explicit tbb_queue(std::size_t capacity)
    {
        queue_.set_capacity(static_cast<std::ptrdiff_t>(capacity));
    }

    void push(item value) { queue_.push(value); }

    item pop()
    {
        item value = 0;
        queue_.pop(value);
        return value;
    }

private:
    oneapi::tbb::concurrent_bounded_queue<item> queue_;
};

}  // namespace

double perform(const task& what, std::size_t items)
{
    return perform_blocking<tbb_queue>(what, items);
}

}  // namespace sluice::bench
