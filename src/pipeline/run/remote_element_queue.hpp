// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/element_queue.hpp"
#include <sluice/pipeline/remote_queue.hpp>

#include <memory>

namespace sluice::pipeline {

// A queue on a server, for workers that need not know it: what they take is acknowledged at once.
// It is not closed by who feeds it here, because others feed it elsewhere; see
// remote_queue::note_end_of().
class remote_element_queue final : public element_queue
{
public:
    explicit remote_element_queue(remote_queue& queue) : queue_(queue) {}

    boost::asio::awaitable<std::vector<element>> take(read_request request) override;
    boost::asio::awaitable<void> put(std::vector<element>& elements) override;
    std::size_t try_put(std::span<element> elements) override;
    [[nodiscard]] queue_stats stats() const override;
    [[nodiscard]] bool makes_takes_wait() const override;
    [[nodiscard]] bool makes_puts_wait(std::size_t elements) const override;
    void add_to(monitor& watch) const override;
    feeder feed() override;
    void close_on_stop(coordinator& tasks) override;
    std::unique_ptr<queue_runner> make_runner(
        std::vector<queue_runner::operation> workers,
        queue_runner_options options
    ) override;

private:
    remote_queue& queue_;
};

}  // namespace sluice::pipeline
