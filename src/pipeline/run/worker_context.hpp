// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "monitor/readiness.hpp"
#include "pipeline/run/blocking_thread.hpp"
#include "pipeline/run/error_log.hpp"
#include "pipeline/run/output_queues.hpp"
#include "pipeline/run/runner_gate.hpp"
#include "pipeline/run/worker_clock.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/pipeline/error_policy.hpp>
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sluice::pipeline {

// Per-worker state; written by the worker, read from any thread.
struct worker_state
{
    blocking_thread thread;
    worker_clock clock;
    std::atomic<std::uint64_t> items_in = 0;
    std::atomic<std::uint64_t> items_out = 0;
};

// The context of a worker in a running pipeline: queues on both sides, and a clock that says
// what it waited for.
class worker_context : public stage_context
{
public:
    struct surroundings
    {
        const std::string& runner;
        std::size_t worker;
        queue_end from;
        output_queues& to;
        error_action on_error;
        output_queues& errors_to;  // one with error_action::divert
        error_log& errors;
        runner_gate& gate;
        worker_state& state;
        sluice::detail::readiness task;
        coordinator& sources;  // asked to stop when sources should end
        output& out;
    };

    explicit worker_context(const surroundings& around);
    ~worker_context() override;

    [[nodiscard]] const std::string& runner() const noexcept override;
    [[nodiscard]] std::size_t worker() const noexcept override;
    [[nodiscard]] std::stop_token stop_token() const noexcept override;
    [[nodiscard]] bool has_input() const noexcept override;
    [[nodiscard]] bool has_output() const noexcept override;
    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(read_request request
    ) override;
    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override;
    [[nodiscard]] error_action on_error() const noexcept override;
    [[nodiscard]] boost::asio::awaitable<void> skip(element refused, std::string reason)
        override;
    [[nodiscard]] output& out() const noexcept override;

    // The stage has dealt with all that it has read.
    [[nodiscard]] virtual boost::asio::awaitable<void> end();

    // The worker ends because of this exception.
    virtual void note_failure(const std::exception_ptr& /*thrown*/) noexcept {}

private:
    virtual boost::asio::awaitable<std::vector<element>> take_from_queue(
        read_request request
    );

    // Between the elements: before it takes some, and before a source puts some.
    boost::asio::awaitable<void> wait_while_paused();

    boost::asio::awaitable<void> put(output_queues& to, std::vector<element>& elements);

    boost::asio::awaitable<void> run_blocking(std::function<void()> function) override;

    const surroundings around_;
};

}  // namespace sluice::pipeline
