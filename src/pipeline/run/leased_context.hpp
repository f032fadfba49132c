// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/run/worker_context.hpp"
#include <sluice/pipeline/remote_queue.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// The context of a worker that takes from a queue on a server. What it has taken is acknowledged
// when its stage reads again, or has ended: all that was made of it is written then, see
// stage::can_acknowledge(). If the worker fails or is stopped before, it is returned.
class leased_context final : public worker_context
{
public:
    // How many elements are taken at a time. Those of a process that dies again and again count
    // as delivered, so they are few.
    static constexpr std::size_t most_taken = 32;

    leased_context(const surroundings& around, remote_queue& from);

    [[nodiscard]] std::string_view remote_input() const noexcept override;
    [[nodiscard]] std::span<const element_key> keys() const noexcept override;
    [[nodiscard]] boost::asio::awaitable<void> end() override;
    void note_failure(const std::exception_ptr& thrown) noexcept override;

private:
    boost::asio::awaitable<std::vector<element>> take_from_queue(read_request request
    ) override;

    remote_queue& from_;
    std::unique_ptr<remote_batch> batch_;  // what the stage works on
};

}  // namespace sluice::pipeline
