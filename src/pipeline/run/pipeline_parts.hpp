// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/running_parts.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/pipeline/pipeline_description.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace sluice::pipeline {

// The queues and the runners that this process has of a pipeline, connected as described.
class pipeline_parts
{
public:
    explicit pipeline_parts(boost::asio::any_io_executor executor);

    // The monitor sees the queue, unless that is on a server. `tasks`: stops taking from such a
    // one, too.
    void add(
        const queue_description& queue,
        const pipeline_description& whole,
        const remote_queue_factory& make_remote,
        coordinator& tasks,
        monitor& watch
    );

    // After its queues.
    void add(const runner_description& runner, std::unique_ptr<stage> work);

    [[nodiscard]] std::deque<running_queue>& queues() noexcept { return queues_; }

    [[nodiscard]] const std::deque<running_queue>& queues() const noexcept
    {
        return queues_;
    }

    [[nodiscard]] std::deque<running_runner>& runners() noexcept { return runners_; }

    [[nodiscard]] const std::deque<running_runner>& runners() const noexcept
    {
        return runners_;
    }

    // Whether the queue that a runner fills first of all, and closes, is in this process.
    [[nodiscard]] bool fills_local_queue(const running_runner& runner);

    // Throws errc::invalid_argument for a name that none has.
    [[nodiscard]] running_runner& find_runner(std::string_view name);

private:
    // Null for no name.
    [[nodiscard]] running_queue* find_queue(const std::string& name);

    boost::asio::any_io_executor executor_;
    std::deque<running_queue> queues_;  // neither queues nor runners move
    std::deque<running_runner> runners_;
};

}  // namespace sluice::pipeline
