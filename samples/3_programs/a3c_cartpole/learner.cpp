// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "learner.hpp"

#include <sluice/report/summary_writer.hpp>

#include <array>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <vector>

namespace {

constexpr float learning_rate = 0.003F;
constexpr std::size_t counted_episodes = 100;

}  // namespace

learner::learner(
    const options& chosen,
    shared_weights& shared,
    sluice::summary_writer* log
)
    : options_(chosen),
      shared_(shared),
      log_(log),
      network_(*shared.get()),
      optimizer_(learning_rate),
      began_(std::chrono::steady_clock::now())
{
}

void learner::take(const update& next, std::size_t waiting)
{
    optimizer_.apply(next.learned.gradient, network_);
    shared_.publish(network_);
    record(next);
    if (log_ != nullptr)
        write_summaries(next, waiting);
    if (line_.is_due())
        line_.show(report());
}

void learner::record(const update& next)
{
    ++updates_;
    steps_ += next.steps;
    if (next.episode_return) {
        ++episodes_;
        returns_.push_back(*next.episode_return);
        if (returns_.size() > counted_episodes)
            returns_.pop_front();
    }
}

//[summaries
void learner::write_summaries(const update& next, std::size_t waiting)
{
    if (next.episode_return)
        log_->scalar("return/episode", *next.episode_return, steps_);
    if (updates_ % 50 == 0) {
        const losses& means = next.learned.means;
        log_->scalar("loss/policy", means.policy, steps_);
        log_->scalar("loss/value", means.value, steps_);
        log_->scalar("policy/entropy", means.entropy, steps_);
        log_->scalar("queue/updates/size", static_cast<double>(waiting), steps_);
    }
    if (updates_ % 500 == 0 && !returns_.empty()) {
        log_->scalar("return/mean", mean_return(), steps_);
        log_->histogram("returns", std::vector(returns_.begin(), returns_.end()), steps_);
    }
}
//]

bool learner::reached_target() const
{
    return returns_.size() == counted_episodes && mean_return() >= options_.target;
}

bool learner::is_done() const
{
    return reached_target() || steps_ >= options_.steps;
}

double learner::mean_return() const
{
    if (returns_.empty())
        return 0;
    const double sum = std::accumulate(returns_.begin(), returns_.end(), 0.0);
    return sum / static_cast<double>(returns_.size());
}

std::string learner::report() const
{
    std::array<char, 120> text{};
    std::snprintf(
        text.data(),
        text.size(),
        "%u steps, %u episodes, mean return of the last %zu: %.1f",
        steps_,
        episodes_,
        returns_.size(),
        mean_return()
    );
    return text.data();
}

void learner::print_result()
{
    line_.clear();
    const char* const result = reached_target() ? "solved"
                               : is_done()      ? "gave up"
                                                : "stopped";
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - began_;
    std::cout << result << ": " << report() << '\n'
              << static_cast<long>(steps_ / time.count()) << " steps per second\n";
}
