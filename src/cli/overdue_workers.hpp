// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/pipeline/pipeline_description.hpp>

#include <chrono>
#include <exception>
#include <map>
#include <string>

namespace sluice::cli {

// What is said of a run that ends although workers have not: whose they are, what they execute,
// and what can be done about it.
class overdue_workers
{
public:
    explicit overdue_workers(const pipeline::pipeline_description& description);

    // Whether there are workers that have not ended.
    [[nodiscard]] static bool are_in(const metrics::snapshot& snapshot);

    // Whether they are all that this says, and nothing else went wrong.
    [[nodiscard]] static bool are_all_of(const std::exception_ptr& error);

    // Such as `1 worker of "sums" (command: sha256sum -b) has not ended within 10s of the stop`.
    [[nodiscard]] std::string message_for(const metrics::snapshot& snapshot) const;

private:
    std::chrono::nanoseconds grace_period_;
    std::map<std::string, std::string> commands_;  // of runners that have one, by name
};

}  // namespace sluice::cli
