// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "server_outages.hpp"

#include "remote_queues.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace sluice::cli {

using metrics::queue_snapshot;

namespace {

// What is wrong, and a queue to which it happens.
using troubles = std::vector<std::pair<std::string, std::string>>;

// For example: the queues "a", "b"
std::string to_text(const std::vector<std::string>& queues)
{
    std::vector<std::string> names;
    for (const std::string& name : queues)
        names.push_back(fmt::format("\"{}\"", text::printable(name)));
    const char* const plural = names.size() == 1 ? "" : "s";
    return fmt::format("the queue{} {}", plural, fmt::join(names, ", "));
}

// A line for each problem, with all queues that have it.
std::vector<std::string> lines_about(const char* what, const troubles& all)
{
    std::map<std::string, std::vector<std::string>> queues;
    for (const auto& [problem, queue] : all)
        queues[problem].push_back(queue);
    std::vector<std::string> lines;
    for (const auto& [problem, queue] : all)
        if (const auto which = queues.extract(problem))  // not again for its next queue
            lines.push_back(fmt::format(
                "{} {}: {}",
                what,
                to_text(which.mapped()),
                text::printable(problem)
            ));
    return lines;
}

std::vector<std::string> lines_about_outages(const troubles& all)
{
    return lines_about("waiting for the server of", all);
}

std::vector<std::string> lines_about_warnings(const troubles& all)
{
    return lines_about("warning about", all);
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

}  // namespace

std::vector<std::string> server_outages::news(const metrics::snapshot& now)
{
    std::set<std::string> out_of_reach;
    troubles outages;
    troubles warnings;
    for (const queue_snapshot& queue : now.queues) {
        if (!queue.remote)
            continue;
        const auto& [problem, warning] =
            std::tie(queue.remote->problem, queue.remote->warning);
        if (!problem.empty())
            out_of_reach.insert(queue.name);
        if (!problem.empty() && !told_.contains(queue.name))
            outages.emplace_back(problem, queue.name);
        if (!warning.empty() && told_warnings_.insert(queue.name + '\n' + warning).second)
            warnings.emplace_back(warning, queue.name);
    }
    told_ = std::move(out_of_reach);
    std::vector<std::string> lines = lines_about_outages(outages);
    std::ranges::move(lines_about_warnings(warnings), std::back_inserter(lines));
    return lines;
}

std::vector<std::string> describe_warnings(const metrics::snapshot& now)
{
    troubles warnings;
    for (const queue_snapshot& queue : now.queues)
        if (queue.remote && !queue.remote->warning.empty())
            warnings.emplace_back(queue.remote->warning, queue.name);
    return lines_about_warnings(warnings);
}

std::string describe_outages(
    const metrics::snapshot& now,
    const pipeline::pipeline_description& description
)
{
    troubles outages;
    for (const queue_snapshot& queue : now.queues) {
        if (!queue.remote)
            continue;
        if (!queue.remote->problem.empty())
            outages.emplace_back(queue.remote->problem, queue.name);
        else if (!queue.remote->read_ago)
            for (const pipeline::queue_description& each : description.queues)
                if (each.name == queue.name)
                    outages.emplace_back(silence_of(shown_address(each.url)), queue.name);
    }
    return fmt::to_string(fmt::join(lines_about_outages(outages), "; "));
}

std::string describe_losses(const metrics::snapshot& now)
{
    std::vector<std::string> losses;
    for (const queue_snapshot& queue : now.queues)
        if (queue.remote && queue.remote->lost > 0)
            losses.push_back(fmt::format(
                "{} of {}",
                text::with_separators(queue.remote->lost),
                to_text({queue.name})
            ));
    if (losses.empty())
        return {};
    return fmt::format("the server has lost elements: {}", fmt::join(losses, ", "));
}

std::string describe_unheard(const metrics::snapshot& now)
{
    std::vector<std::string> queues;
    for (const queue_snapshot& queue : now.queues)
        if (queue.remote && !queue.remote->read_ago)
            queues.push_back(queue.name);
    if (queues.empty())
        return {};
    return fmt::format("the server of {} has never answered", to_text(queues));
}

}  // namespace sluice::cli
