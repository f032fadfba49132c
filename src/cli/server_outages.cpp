// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "server_outages.hpp"

#include "remote_queues.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace sluice::cli {

namespace {

using metrics::queue_snapshot;
using metrics::remote_figures;

// What is wrong, and the queues to which it happens.
struct trouble
{
    std::string problem;
    std::vector<std::string> queues;
};

bool is_out_of_reach(const queue_snapshot& queue)
{
    return queue.remote && !queue.remote->problem.empty();
}

// It may not have been reached, or it is silent.
bool has_not_been_heard(const queue_snapshot& queue)
{
    return queue.remote && !queue.remote->read_ago;
}

// For example: the queues "a", "b"
std::string to_text(const std::vector<std::string>& queues)
{
    std::vector<std::string> names;
    for (const std::string& name : queues)
        names.push_back(fmt::format("\"{}\"", text::printable(name)));
    const char* const plural = names.size() == 1 ? "" : "s";
    return fmt::format("the queue{} {}", plural, fmt::join(names, ", "));
}

// A line for each text that is not empty, with the queues that have it and are to be told of.
template <class Filter>
std::vector<std::string> lines_about(
    const metrics::snapshot& now,
    std::string remote_figures::* text,
    std::string_view what,
    Filter is_to_be_told
)
{
    std::vector<trouble> found;
    for (const queue_snapshot& queue : now.queues) {
        if (!queue.remote || (*queue.remote.*text).empty() || !is_to_be_told(queue))
            continue;
        const std::string& problem = *queue.remote.*text;
        auto same = std::ranges::find(found, problem, &trouble::problem);
        if (same == found.end())
            same = found.insert(same, {problem, {}});
        same->queues.push_back(queue.name);
    }
    std::vector<std::string> lines;
    for (const auto& [problem, queues] : found)
        lines.push_back(
            fmt::format("{} {}: {}", what, to_text(queues), text::printable(problem))
        );
    return lines;
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

constexpr const char* waiting = "waiting for the server of";
constexpr const char* warning = "warning about";

}  // namespace

std::vector<std::string> server_outages::news(const metrics::snapshot& now)
{
    auto lines = lines_about(now, &remote_figures::problem, waiting, [this](auto& queue) {
        return !told_.contains(queue.name);
    });
    told_.clear();
    for (const queue_snapshot& queue : now.queues)
        if (is_out_of_reach(queue))
            told_.insert(queue.name);
    std::ranges::move(
        lines_about(
            now,
            &remote_figures::warning,
            warning,
            [this](auto& queue) {
                return told_warnings_.insert(queue.name + '\n' + queue.remote->warning)
                    .second;
            }
        ),
        std::back_inserter(lines)
    );
    return lines;
}

std::vector<std::string> describe_warnings(const metrics::snapshot& now)
{
    return lines_about(now, &remote_figures::warning, warning, [](auto&) {
        return true;
    });
}

std::string describe_outages(
    metrics::snapshot now,
    const pipeline::pipeline_description& description
)
{
    for (queue_snapshot& queue : now.queues) {
        if (!has_not_been_heard(queue) || is_out_of_reach(queue))
            continue;
        const auto described = std::ranges::find(
            description.queues,
            queue.name,
            &pipeline::queue_description::name
        );
        if (described != description.queues.end())
            queue.remote->problem = silence_of(shown_address(described->url));
    }
    return fmt::format(
        "{}",
        fmt::join(
            lines_about(
                now,
                &remote_figures::problem,
                waiting,
                [](auto&) { return true; }
            ),
            "; "
        )
    );
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
        if (has_not_been_heard(queue))
            queues.push_back(queue.name);
    if (queues.empty())
        return {};
    return fmt::format("the server of {} has never answered", to_text(queues));
}

}  // namespace sluice::cli
