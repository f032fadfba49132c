// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/snapshot.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace sluice::detail {

// A runner, and an account of what its workers were seen doing.
class watched_runner
{
public:
    using clock = std::chrono::steady_clock;

    watched_runner(
        boost::intrusive_ptr<runner_core> core,
        std::string name,
        closable_ptr queue,
        std::vector<std::string> workers
    );

    [[nodiscard]] const runner_core& core() const noexcept { return *core_; }

    [[nodiscard]] const std::string& name() const noexcept { return last_.name; }

    // The queue that it feeds.
    [[nodiscard]] const wait_hub* queue() const noexcept { return queue_.get(); }

    // The names of the tasks that are its workers.
    [[nodiscard]] const std::vector<std::string>& workers() const noexcept
    {
        return workers_;
    }

    // A look: how its queue is called, what each worker does that was found among the tasks, then
    // the whole.
    void see_queue(const std::string& name) { last_.to.front() = name; }
    void see(metrics::activity what, const std::string& queue);
    [[nodiscard]] metrics::runner_snapshot finish_look(clock::time_point now);

private:
    // Seen doing this at the look; a signed number, to multiply times with.
    [[nodiscard]] int seen(metrics::activity what) const noexcept;

    const boost::intrusive_ptr<runner_core> core_;
    const closable_ptr queue_;
    const std::vector<std::string> workers_;
    metrics::runner_snapshot last_;  // names, and times so far
    clock::time_point last_look_;
    std::array<int, 5> seen_{};  // workers by activity, of this look
};

}  // namespace sluice::detail
