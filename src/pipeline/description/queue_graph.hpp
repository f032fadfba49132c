// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/pipeline_description.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sluice::pipeline::detail {

// The runners at the ends of a queue, by their index.
struct queue_ends
{
    std::vector<std::size_t> fillers;
    std::vector<std::size_t> takers;
};

// The queues of a description as a graph whose edges are runners.
class queue_graph
{
public:
    // The description must live as long.
    explicit queue_graph(const pipeline_description& description);

    [[nodiscard]] const queue_ends& ends(const std::string& queue) const
    {
        return ends_.at(queue);
    }

    // Whether there is a queue of that name.
    [[nodiscard]] bool contains(const std::string& queue) const
    {
        return ends_.contains(queue);
    }

    // The queues, each behind those that it is filled from, as far as there are no cycles.
    [[nodiscard]] const std::vector<std::string>& order() const noexcept
    {
        return order_;
    }

    // The runners of each cycle in the order in which elements would pass; the last is the
    // one that stands last in the description.
    [[nodiscard]] const std::vector<std::vector<std::size_t>>& cycles() const noexcept
    {
        return cycles_;
    }

private:
    // Queues that are not in the order yet, and how many runners fill them from such ones.
    using open_queues = std::map<std::string, std::size_t>;

    void connect();
    void sort();
    void take(const std::string& queue, open_queues& open);
    [[nodiscard]] std::string cut_cycle(const open_queues& open);
    [[nodiscard]] std::size_t filler_out_of(
        const std::string& queue,
        const open_queues& open
    ) const;

    const pipeline_description& description_;
    std::map<std::string, queue_ends> ends_;
    std::vector<std::string> order_;
    std::vector<std::vector<std::size_t>> cycles_;
};

}  // namespace sluice::pipeline::detail
