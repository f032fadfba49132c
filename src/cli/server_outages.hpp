// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/pipeline_description.hpp>

#include <set>
#include <string>
#include <vector>

namespace sluice::cli {

// Tells of servers that cannot be reached, once for each time, and of elements that they have lost.
class server_outages
{
public:
    // What is new since the last call: a line for each server that is out of reach, and for each
    // text about what has gone wrong with queues, or may.
    [[nodiscard]] std::vector<std::string> news(const metrics::snapshot& now);

private:
    // The queues whose server was out of reach at the last call.
    std::set<std::string> told_;
    std::set<std::string> told_warnings_;
};

// What has gone wrong with queues, or may.
[[nodiscard]] std::vector<std::string> describe_warnings(const metrics::snapshot& now);

// All servers that are out of reach as one sentence, also those where the first attempt to connect
// has not ended yet, and so has no problem that names the server; empty if there are none.
[[nodiscard]] std::string describe_outages(
    const metrics::snapshot& now,
    const pipeline::pipeline_description& description
);

// What has been lost of which queues, as one sentence; empty if it is nothing.
[[nodiscard]] std::string describe_losses(const metrics::snapshot& now);

// The queues whose server has not answered at all, because it cannot be reached or is
// silent: what is meant for them has nowhere to go. Empty if there are none.
[[nodiscard]] std::string describe_unheard(const metrics::snapshot& now);

}  // namespace sluice::cli
