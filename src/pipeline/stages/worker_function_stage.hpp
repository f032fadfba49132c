// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/by_element.hpp"
#include <sluice/pipeline/stage.hpp>

#include <mutex>
#include <utility>

namespace sluice::pipeline {

// As a transform, but each worker has a function of its own, which may have a state.
class worker_function_stage : public stage
{
public:
    using function = element_function;

    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final
    {
        const function apply = take_function();
        co_await work_by_element(context, apply);
    }

    // What one more worker applies.
    [[nodiscard]] virtual function make_function() const = 0;

    [[nodiscard]] bool can_skip() const noexcept final { return true; }

    [[nodiscard]] bool can_keep_order() const noexcept final { return true; }

protected:
    // Finds what is wrong in the options of a derived class. What it makes is for the first
    // worker, because it may be costly.
    void make_first_function() { first_ = make_function(); }

private:
    [[nodiscard]] function take_function()
    {
        {
            const std::lock_guard lock(mutex_);
            if (first_)
                return std::exchange(first_, nullptr);
        }
        return make_function();
    }

    std::mutex mutex_;
    function first_;  // empty once it is taken; guarded by mutex_
};

}  // namespace sluice::pipeline
