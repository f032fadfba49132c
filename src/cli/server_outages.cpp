// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "server_outages.hpp"

#include "text/number.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace sluice::cli {

using text::with_separators;

namespace {

using queue_pointers = std::vector<const metrics::queue_snapshot*>;

// What is wrong, and the queues to which it happens.
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

std::vector<outage> outages_of(
    const queue_pointers& queues,
    std::string metrics::remote_figures::* text
)
{
    std::vector<outage> found;
    for (const metrics::queue_snapshot* const queue : queues) {
        const std::string& problem = *queue->remote.*text;
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
    const queue_pointers& queues,
    std::string metrics::remote_figures::* problem,
    std::string_view what
)
{
    std::vector<std::string> lines;
    for (const outage& each : outages_of(queues, problem))
        lines.push_back(fmt::format(
            "{} {}: {}",
            what,
            to_text(each.queues),
            text::printable(each.problem)
        ));
    return lines;
}

}  // namespace

std::vector<std::string> server_outages::news(const metrics::snapshot& now)
{
    std::set<std::string> out_of_reach;
    queue_pointers untold;
    for (const metrics::queue_snapshot& queue : now.queues) {
        if (!is_out_of_reach(queue))
            continue;
        out_of_reach.insert(queue.name);
        if (!told_.contains(queue.name))
            untold.push_back(&queue);
    }
    told_ = std::move(out_of_reach);
    return lines_about(
        untold,
        &metrics::remote_figures::problem,
        "waiting for the server of"
    );
}

std::vector<std::string> server_outages::warnings(const metrics::snapshot& now)
{
    queue_pointers untold;
    for (const metrics::queue_snapshot& queue : now.queues)
        if (queue.remote && !queue.remote->warning.empty() &&
            told_warnings_.insert(queue.name + '\n' + queue.remote->warning).second)
            untold.push_back(&queue);
    return lines_about(untold, &metrics::remote_figures::warning, "warning about");
}

std::string describe_outages(metrics::snapshot now, const server_addresses& servers)
{
    for (metrics::queue_snapshot& queue : now.queues)
        if (has_not_been_heard(queue) && queue.remote->problem.empty())
            queue.remote->problem = silence_of(servers.at(queue.name));
    return fmt::format("{}", fmt::join(server_outages().news(now), "; "));
}

std::string describe_losses(const metrics::snapshot& now)
{
    std::vector<std::string> losses;
    for (const metrics::queue_snapshot& queue : now.queues)
        if (queue.remote && queue.remote->lost > 0)
            losses.push_back(fmt::format(
                "{} of {}",
                with_separators(queue.remote->lost),
                to_text({queue.name})
            ));
    if (losses.empty())
        return {};
    return fmt::format("the server has lost elements: {}", fmt::join(losses, ", "));
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
