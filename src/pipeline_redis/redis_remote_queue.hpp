// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline_redis/redis_ends.hpp"
#include <sluice/pipeline/remote_queue.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// A queue of a pipeline on a Redis server.
class redis_remote_queue final : public remote_queue
{
public:
    redis_remote_queue(
        std::shared_ptr<redis::connection> server,
        remote_queue_request request
    );
    ~redis_remote_queue() override;

    [[nodiscard]] std::string_view name() const noexcept override;
    void end_with(coordinator& taking, coordinator& tasks) override;
    [[nodiscard]] boost::asio::awaitable<std::unique_ptr<remote_batch>> take(
        read_request request
    ) override;
    [[nodiscard]] boost::asio::awaitable<void> put(std::vector<element>& elements
    ) override;
    [[nodiscard]] boost::asio::awaitable<void> note_end_of(const std::string& runner
    ) override;
    [[nodiscard]] boost::asio::awaitable<void> flush() override;
    [[nodiscard]] metrics::queue_snapshot snapshot() const override;

private:
    [[nodiscard]] boost::asio::awaitable<redis_ends::deliveries> dequeue(
        read_request request
    );
    [[nodiscard]] std::unique_ptr<remote_batch> batch_of(redis_ends::deliveries taken);
    [[nodiscard]] bool is_end_of_taking(error_code error) const noexcept;
    [[nodiscard]] bool is_closed_by_its_only_feeder() const noexcept;
    [[nodiscard]] boost::asio::awaitable<void> tell_of_end(std::string runner);

    const remote_queue_request request_;
    const std::string who_;  // tells this process from others
    const std::shared_ptr<redis_ends> ends_;
    coordinator* taking_ = nullptr;  // set before the first operation, as tasks_
    coordinator* tasks_ = nullptr;
};

}  // namespace sluice::pipeline
