// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/linked_list.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// A function that a supervised task is to run, in memory that it knows itself.
class task_step : public list_hook<task_step>
{
public:
    task_step(const task_step&) = delete;
    task_step& operator=(const task_step&) = delete;

    // Takes the function out, gives the memory back, and then calls or drops the function. Done
    // once; *this is gone.
    void complete(bool is_called) { complete_(*this, is_called); }

protected:
    explicit task_step(void (*completion)(task_step& self, bool is_called)) noexcept
        : complete_(completion)
    {
    }

    ~task_step() = default;

private:
    void (*const complete_)(task_step& self, bool is_called);
};

// Those that wait, in the order in which they came.
using task_steps = linked_list<task_step, list_hook<task_step>>;

// A step that calls a function object, in memory of an allocator.
template <class Function, class Allocator>
class supervised_step final : public task_step
{
    using allocator_type =
        typename std::allocator_traits<Allocator>::template rebind_alloc<supervised_step>;

public:
    template <class Given>
    [[nodiscard]] static task_step& make(Given&& function, const Allocator& allocator)
    {
        allocator_type own(allocator);
        supervised_step* const memory = own.allocate(1);
        try {
            return *std::construct_at(memory, std::forward<Given>(function), allocator);
        } catch (...) {
            own.deallocate(memory, 1);
            throw;
        }
    }

    template <class Given>
    supervised_step(Given&& function, const Allocator& allocator)
        : task_step(&complete_it),
          function_(std::forward<Given>(function)),
          allocator_(allocator)
    {
    }

private:
    static void complete_it(task_step& step, bool is_called)
    {
        auto* const self = static_cast<supervised_step*>(&step);
        Function function(std::move(self->function_));
        allocator_type allocator(self->allocator_);
        std::destroy_at(self);
        allocator.deallocate(self, 1);
        if (is_called)
            function();
    }

    Function function_;
    [[no_unique_address]] Allocator allocator_;
};

template <class Function, class Allocator>
using step_of = supervised_step<std::decay_t<Function>, Allocator>;

template <class Function, class Allocator>
[[nodiscard]] task_step& make_step(Function&& function, const Allocator& allocator)
{
    return step_of<Function, Allocator>::make(
        std::forward<Function>(function),
        allocator
    );
}

}  // namespace sluice::detail
