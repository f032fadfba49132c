// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "actor_critic.hpp"
#include "options.hpp"
#include "progress_line.hpp"
#include "shared_weights.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace sluice {
class summary_writer;
}

// What an actor sends after each rollout.
struct update
{
    lesson learned;
    std::uint32_t steps;
    std::optional<int> episode_return;
};

// Applies the gradients of the actors, and keeps the record.
class learner
{
public:
    // `log` may be null.
    learner(const options& chosen, shared_weights& shared, sluice::summary_writer* log);

    // `waiting` is how many other updates wait in the queue.
    void take(const update& next, std::size_t waiting);

    [[nodiscard]] bool reached_target() const;
    [[nodiscard]] bool is_done() const;

    // The result, and how many steps of all environments there were in a second.
    void print_result();

private:
    [[nodiscard]] std::string report() const;
    [[nodiscard]] double mean_return() const;
    void record(const update& next);
    void write_summaries(const update& next, std::size_t waiting);

    const options& options_;
    shared_weights& shared_;
    sluice::summary_writer* log_;
    weights network_;
    optimizer optimizer_;
    progress_line line_;
    std::chrono::steady_clock::time_point began_;

    std::uint32_t steps_ = 0;
    std::uint32_t updates_ = 0;
    std::uint32_t episodes_ = 0;
    std::deque<double> returns_;  // of the last 100 episodes
};
