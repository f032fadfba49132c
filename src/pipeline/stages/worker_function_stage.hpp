// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/stage.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// As a transform, but each worker has a function of its own, which may have a state.
class worker_function_stage : public stage
{
public:
    // Appends to the vector what the element becomes.
    using function = std::function<void(element&&, std::vector<element>&)>;

    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final
    {
        const function apply = make_function();
        std::vector<element> out;
        while (true) {
            std::vector<element> in = co_await context.read();
            if (in.empty())
                co_return;
            for (element& each : in)
                apply(std::move(each), out);
            if (!out.empty())
                co_await context.write(out);
        }
    }

private:
    [[nodiscard]] virtual function make_function() const = 0;
};

}  // namespace sluice::pipeline
