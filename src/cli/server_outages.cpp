// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "server_outages.hpp"

#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::cli {

namespace {

// What is wrong, and the queues to which it happens. The problem has the address of the server.
struct outage
{
    std::string problem;
    std::vector<std::string> queues;
};

bool is_out_of_reach(const metrics::queue_snapshot& queue)
{
    return queue.remote && !queue.remote->problem.empty();
}

// It may not have been reached, or it is silent.
bool has_not_been_heard(const metrics::queue_snapshot& queue)
{
    return queue.remote && !queue.remote->read_ago;
}

std::vector<outage> outages_of(const std::vector<const metrics::queue_snapshot*>& queues)
{
    std::vector<outage> found;
    for (const metrics::queue_snapshot* const queue : queues) {
        const std::string& problem = queue->remote->problem;
        const auto same = std::ranges::find(found, problem, &outage::problem);
        if (same != found.end())
            same->queues.push_back(queue->name);
        else
            found.push_back({.problem = problem, .queues = {queue->name}});
    }
    return found;
}

// For example: the queues "a", "b"
std::string to_text(const std::vector<std::string>& queues)
{
    std::vector<std::string> names;
    for (const std::string& name : queues)
        names.push_back(fmt::format("\"{}\"", text::printable(name)));
    return fmt::format(
        "the queue{} {}",
        names.size() == 1 ? "" : "s",
        fmt::join(names, ", ")
    );
}

std::string to_line(const outage& found)
{
    return fmt::format(
        "waiting for the server of {}: {}",
        to_text(found.queues),
        text::printable(found.problem)
    );
}

// As the problem of a connection that has been tried.
std::string silence_of(const std::string& server)
{
    return fmt::format(
        "redis connection to {}: no answer yet; {}",
        server,
        server.starts_with("rediss:") ? "does the server speak TLS on this port?"
                                      : "see that it runs and that the address is right"
    );
}

std::vector<std::string> lines_about(
    const std::vector<const metrics::queue_snapshot*>& queues
)
{
    std::vector<std::string> lines;
    for (const outage& each : outages_of(queues))
        lines.push_back(to_line(each));
    return lines;
}

}  // namespace

std::vector<std::string> server_outages::news(const metrics::snapshot& now)
{
    std::set<std::string> out_of_reach;
    std::vector<const metrics::queue_snapshot*> untold;
    for (const metrics::queue_snapshot& queue : now.queues) {
        if (!is_out_of_reach(queue))
            continue;
        out_of_reach.insert(queue.name);
        if (!told_.contains(queue.name))
            untold.push_back(&queue);
    }
    told_ = std::move(out_of_reach);
    return lines_about(untold);
}

std::string describe_outages(metrics::snapshot now, const server_addresses& servers)
{
    for (metrics::queue_snapshot& queue : now.queues)
        if (has_not_been_heard(queue) && queue.remote->problem.empty())
            queue.remote->problem = silence_of(servers.at(queue.name));
    return fmt::format("{}", fmt::join(server_outages().news(now), "; "));
}

std::string describe_unheard(const metrics::snapshot& now)
{
    std::vector<std::string> queues;
    for (const metrics::queue_snapshot& queue : now.queues)
        if (has_not_been_heard(queue))
            queues.push_back(queue.name);
    if (queues.empty())
        return {};
    return fmt::format("the server of {} has never answered", to_text(queues));
}

}  // namespace sluice::cli
