// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>

#include <chrono>
#include <set>
#include <string>
#include <vector>

// What is said of servers and workers that hold up a run, while it lasts and at its end.
namespace sluice::cli {

// Tells of servers that cannot be reached, once for each time, and of what went wrong with queues.
class server_outages
{
public:
    // A line for each problem that is new since the last call.
    [[nodiscard]] std::vector<std::string> news(const metrics::snapshot& now);

private:
    // Queues whose server was out of reach at the last call, and warnings of queues.
    std::set<std::string> told_;
};

// What has gone wrong with a queue, or may.
[[nodiscard]] std::string warning_of(const metrics::queue_snapshot& queue);

// What has been lost of which queues, as one sentence; empty if it is nothing.
[[nodiscard]] std::string describe_losses(const metrics::snapshot& now);

// The queues whose server has not answered at all, because it cannot be reached or is
// silent: what is meant for them has nowhere to go. One sentence; empty if there are none.
[[nodiscard]] std::string describe_unheard(const metrics::snapshot& now);

// Workers that have not ended, although they had this time since the stop: whose they are, and what
// can be done about it. Empty if there are none.
[[nodiscard]] std::string describe_overdue(
    const metrics::snapshot& now,
    std::chrono::nanoseconds grace_period
);

}  // namespace sluice::cli
