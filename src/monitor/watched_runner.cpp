// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "monitor/watched_runner.hpp"

#include <algorithm>
#include <utility>

namespace sluice::detail {

using metrics::activity;

watched_runner::watched_runner(
    boost::intrusive_ptr<runner_core> core,
    std::string name,
    closable_ptr queue,
    std::vector<std::string> workers
)
    : core_(std::move(core)),
      queue_(std::move(queue)),
      workers_(std::move(workers)),
      last_look_(clock::now())
{
    last_.name = std::move(name);
    last_.to.push_back(queue_->name());
    last_.workers = workers_.size();
}

int watched_runner::seen(activity what) const noexcept
{
    return seen_[static_cast<std::size_t>(what)];
}

void watched_runner::see(activity what, const std::string& queue)
{
    ++seen_[static_cast<std::size_t>(what)];
    if (what == activity::waiting_to_dequeue && !queue.empty())
        last_.from = queue;
}

metrics::runner_snapshot watched_runner::finish_look(clock::time_point now)
{
    const auto passed = now - std::exchange(last_look_, now);
    // The start of a run counts as a worker while it lasts.
    last_.running = std::min(core_->running(), workers_.size());
    const auto ended = static_cast<int>(workers_.size() - last_.running);
    last_.waiting_to_enqueue = static_cast<std::size_t>(seen(activity::waiting_to_enqueue)
    );
    last_.waiting_to_dequeue = static_cast<std::size_t>(seen(activity::waiting_to_dequeue)
    );
    last_.waiting_for_thread = static_cast<std::size_t>(seen(activity::ready));
    last_.busy += passed * seen(activity::busy);
    last_.ready += passed * seen(activity::ready);
    last_.blocked_on_enqueue += passed * seen(activity::waiting_to_enqueue);
    last_.blocked_on_dequeue += passed * seen(activity::waiting_to_dequeue);
    last_.idle += passed * (seen(activity::idle) + ended);
    seen_ = {};
    return last_;
}

}  // namespace sluice::detail
