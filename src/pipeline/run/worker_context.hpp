// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "monitor/readiness.hpp"
#include "pipeline/run/pipeline_state.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// The context of a worker in a running pipeline: queues on both sides, and a clock that says
// what it waited for.
/*
 * Of a runner that keeps an order, what the worker writes after a read, until the next one, is the
 * result of what that read gave.
 *
 * What it takes from a queue on a server is acknowledged when its stage reads again, or has ended:
 * all that was made of it is written then, see stage::can_acknowledge(). If the worker fails or is
 * stopped before, it is returned.
 */
class worker_context final : public stage_context
{
public:
    // `sources` is asked to stop when sources should end.
    worker_context(
        running_runner& runner,
        std::size_t worker,
        sluice::detail::readiness task,
        coordinator& sources,
        output& out
    );
    ~worker_context() override;

    [[nodiscard]] const std::string& runner() const noexcept override
    {
        return runner_.description.name;
    }

    [[nodiscard]] std::size_t worker() const noexcept override { return worker_; }

    [[nodiscard]] std::stop_token stop_token() const noexcept override
    {
        return sources_.get_stop_token();
    }

    [[nodiscard]] bool has_input() const noexcept override
    {
        return runner_.from != nullptr;
    }

    [[nodiscard]] bool has_output() const noexcept override { return !runner_.is_sink(); }

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(read_request request
    ) override;
    [[nodiscard]] std::string_view remote_input() const noexcept override;
    [[nodiscard]] std::span<const element_key> keys() const noexcept override;
    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override;

    [[nodiscard]] error_action on_error() const noexcept override
    {
        return runner_.description.on_error.action;
    }

    [[nodiscard]] boost::asio::awaitable<void> skip(element refused, std::string reason)
        override;

    [[nodiscard]] output& out() const noexcept override { return out_; }

    // The stage has dealt with all that it has read. What it writes from now on, in
    // stage::finish(), has no place in an order.
    [[nodiscard]] boost::asio::awaitable<void> end();

    // The worker ends because of this exception.
    void note_failure(const std::exception_ptr& thrown) noexcept;

private:
    // How many elements are taken at a time from a queue on a server. Those of a process that dies
    // again and again count as delivered, so they are few.
    static constexpr std::size_t most_leased = 32;

    boost::asio::awaitable<std::vector<element>> take_in_order(read_request request);
    boost::asio::awaitable<std::vector<element>> take_next(read_request request);
    boost::asio::awaitable<std::vector<element>> take_leased(read_request request);
    boost::asio::awaitable<void> write_in_order(std::vector<element>& elements);
    boost::asio::awaitable<void> write_on(std::vector<element>& elements);
    boost::asio::awaitable<void> end_ticket();
    boost::asio::awaitable<void> acknowledge();

    // Between the elements: before it takes some, and before a source puts some.
    boost::asio::awaitable<void> wait_while_paused();

    boost::asio::awaitable<void> put(output_queues& to, std::vector<element>& elements);

    boost::asio::awaitable<void> run_blocking(std::function<void()> function) override;

    running_runner& runner_;
    const std::size_t worker_;
    worker_state& state_;
    coordinator& sources_;
    output& out_;
    const result_order::write_function write_on_;
    result_order* order_;                         // null: none is kept
    std::optional<result_order::ticket> ticket_;  // of what was read last
    std::unique_ptr<remote_batch> batch_;         // what the stage works on
};

}  // namespace sluice::pipeline
