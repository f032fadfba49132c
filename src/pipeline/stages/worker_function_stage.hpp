// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/by_element.hpp"
#include <sluice/pipeline/stage.hpp>

namespace sluice::pipeline {

// As a transform, but each worker has a function of its own, which may have a state.
class worker_function_stage : public stage
{
public:
    using function = element_function;

    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final
    {
        const function apply = make_function();
        co_await work_by_element(context, apply);
    }

    [[nodiscard]] bool can_skip() const noexcept final { return true; }

private:
    [[nodiscard]] virtual function make_function() const = 0;
};

}  // namespace sluice::pipeline
