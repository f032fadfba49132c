// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/runner_gate.hpp"

#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

runner_gate::runner_gate(asio::any_io_executor executor, const std::string& runner)
    : executor_(std::move(executor)), name_("pause of " + runner)
{
}

void runner_gate::pause()
{
    const std::lock_guard lock(mutex_);
    if (stays_open_ || barrier_)
        return;
    barrier_ =
        std::make_shared<barrier>(executor_, queue_options{.capacity = 1, .name = name_});
    is_paused_.store(true, std::memory_order_relaxed);
}

void runner_gate::resume()
{
    const std::lock_guard lock(mutex_);
    if (!barrier_)
        return;
    barrier_->close();
    barrier_.reset();  // the workers that wait there keep it
    is_paused_.store(false, std::memory_order_relaxed);
}

void runner_gate::open_for_good()
{
    {
        const std::lock_guard lock(mutex_);
        stays_open_ = true;
    }
    resume();
}

asio::awaitable<void> runner_gate::pass()
{
    // It may have been paused again before this worker has come to run.
    for (auto closed = current(); closed; closed = current())
        co_await closed->next();
}

std::shared_ptr<runner_gate::barrier> runner_gate::current() const
{
    const std::lock_guard lock(mutex_);
    return barrier_;
}

}  // namespace sluice::pipeline
