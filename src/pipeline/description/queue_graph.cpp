// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/queue_graph.hpp"

#include <algorithm>

namespace sluice::pipeline::detail {

queue_graph::queue_graph(const pipeline_description& description)
    : description_(description)
{
    connect();
    sort();
}

void queue_graph::connect()
{
    for (const queue_description& queue : description_.queues)
        ends_.try_emplace(queue.name);
    for (std::size_t i = 0; i < description_.runners.size(); ++i) {
        const auto from = ends_.find(description_.runners[i].from);
        if (from != ends_.end())
            from->second.takers.push_back(i);
        const auto to = ends_.find(description_.runners[i].to);
        if (to != ends_.end())
            to->second.fillers.push_back(i);
    }
}

// Takes queues that no open one fills, until none is left. Where there is no such queue
// there is a cycle; one of its queues is taken all the same, to go on.
void queue_graph::sort()
{
    open_queues open;
    for (const auto& [queue, ends] : ends_)
        open[queue] = static_cast<std::size_t>(std::count_if(
            ends.fillers.begin(),
            ends.fillers.end(),
            [this](std::size_t i) { return contains(description_.runners[i].from); }
        ));
    while (!open.empty()) {
        const auto ready = std::find_if(open.begin(), open.end(), [](const auto& each) {
            return each.second == 0;
        });
        take(ready == open.end() ? cut_cycle(open) : std::string(ready->first), open);
    }
}

void queue_graph::take(const std::string& queue, open_queues& open)
{
    open.erase(queue);
    order_.push_back(queue);
    for (const std::size_t taker : ends(queue).takers) {
        const auto next = open.find(description_.runners[taker].to);
        if (next != open.end())
            --next->second;
    }
}

// Each open queue is filled from another one, so that going back ends in a circle.
std::string queue_graph::cut_cycle(const open_queues& open)
{
    std::vector<std::string> queues;
    std::vector<std::size_t> runners;  // each fills the queue of the same index
    std::string queue = open.begin()->first;
    auto met = queues.end();
    while (met == queues.end()) {
        queues.push_back(queue);
        runners.push_back(filler_out_of(queue, open));
        queue = description_.runners[runners.back()].from;
        met = std::find(queues.begin(), queues.end(), queue);
    }
    runners.erase(runners.begin(), runners.begin() + (met - queues.begin()));
    std::reverse(runners.begin(), runners.end());
    const auto last = std::max_element(runners.begin(), runners.end());
    std::rotate(runners.begin(), last + 1, runners.end());
    cycles_.push_back(std::move(runners));
    return queue;
}

std::size_t queue_graph::filler_out_of(const std::string& queue, const open_queues& open)
    const
{
    const std::vector<std::size_t>& fillers = ends(queue).fillers;
    return *std::find_if(fillers.begin(), fillers.end(), [&](std::size_t i) {
        return open.contains(description_.runners[i].from);
    });
}

}  // namespace sluice::pipeline::detail
