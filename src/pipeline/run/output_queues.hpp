// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/element_queue.hpp"
#include <sluice/pipeline/element.hpp>
#include <sluice/queue/semaphore.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <vector>

namespace sluice::pipeline {

// The queues that the workers of a runner put into. Of several each gets every element, all in
// the same order, and who puts waits for the slowest.
class output_queues
{
public:
    explicit output_queues(const boost::asio::any_io_executor& executor);

    // Before the first put().
    void add(element_queue& added) { queues_.push_back(&added); }

    [[nodiscard]] bool empty() const noexcept { return queues_.empty(); }

    // Moves all elements in and leaves the vector empty. If it is cancelled some queues have got
    // more than others.
    [[nodiscard]] boost::asio::awaitable<void> put(std::vector<element>& elements);

private:
    [[nodiscard]] boost::asio::awaitable<void> put_into_each(
        std::vector<element>& elements
    );

    std::vector<element_queue*> queues_;
    semaphore turn_;  // its only permit: who puts into several
};

}  // namespace sluice::pipeline
