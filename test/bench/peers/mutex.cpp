// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <mutex>

#include "bench/peers/blocking.hpp"

#include <condition_variable>
#include <vector>

// A ring with a mutex and two condition variables.

namespace sluice::bench {
namespace {

class mutex_queue
{
public:
    explicit mutex_queue(std::size_t capacity) : ring_(capacity) {}

    void push(item value)
    {
        {
            std::unique_lock lock(mutex_);
            not_full_.wait(lock, [this] { return size_ < ring_.size(); });
            ring_[(first_ + size_) % ring_.size()] = value;
            ++size_;
        }
        not_empty_.notify_one();
    }

    item pop()
    {
        item value = 0;
        {
            std::unique_lock lock(mutex_);
            not_empty_.wait(lock, [this] { return size_ > 0; });
            value = ring_[first_];
            first_ = (first_ + 1) % ring_.size();
            --size_;
        }
        not_full_.notify_one();
        return value;
    }

private:
    std::mutex mutex_;
    std::condition_variable not_full_;
    std::condition_variable not_empty_;
    std::vector<item> ring_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace

double perform(const task& what, std::size_t items)
{
    return perform_blocking<mutex_queue>(what, items);
}

}  // namespace sluice::bench
