// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: a priority_queue compares its elements: give them an operator<

#include <sluice/queue/priority_queue.hpp>

#include <boost/asio/io_context.hpp>

struct job
{
    int deadline;
#ifdef SLUICE_CONTROL
    friend bool operator<(const job& a, const job& b) { return a.deadline < b.deadline; }
#endif
};

sluice::priority_queue<job> make_queue(boost::asio::io_context& context)
{
    return {context, {.capacity = 4}};
}
