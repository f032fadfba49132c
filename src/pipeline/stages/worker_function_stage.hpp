// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage.hpp>

#include <functional>
#include <vector>

namespace sluice::pipeline {

// As a transform, but each worker has a function of its own, which may have a state.
class worker_function_stage : public stage
{
public:
    // Appends to the vector what the element becomes.
    using function = std::function<void(element&&, std::vector<element>&)>;

    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;

private:
    [[nodiscard]] virtual function make_function() const = 0;
};

}  // namespace sluice::pipeline
