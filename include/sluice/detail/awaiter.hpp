// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/budget.hpp>
#include <sluice/detail/interleaving_point.hpp>
#include <sluice/detail/result_form.hpp>
#include <sluice/detail/shortcut.hpp>
#include <sluice/detail/wait_hub.hpp>

#include <coroutine>
#include <new>
#include <type_traits>

namespace sluice::detail {

// What co_await makes of an operation, in the frame of the coroutine. Most operations are
// ready, and a ready one should cost little more than what it does to its queue: so first
// the shortcut is tried, and only if that fails a waiter is made, in the same memory.
//
// `Waiting` is the waiter, and knows how to suspend and resume its kind of coroutine.
// `Operation` is a reference where the operation is sure to be a temporary of the co_await
// expression. Every coroutine that waits contains one of these, so nothing is stored twice,
// and the flags come last.
template <class Waiting, class Operation>
class awaiter
{
    using operation_type = std::remove_reference_t<Operation>;
    using shortcut = shortcut_of<typename operation_type::waiter>;

public:
    // A coroutine that was cancelled gets nothing, not even what is ready (S17).
    awaiter(operation_type&& operation, bool is_cancelled) noexcept
        : operation_(static_cast<Operation&&>(operation)),
          shortcut_(),
          is_cancelled_(is_cancelled)
    {
    }

    awaiter(const awaiter&) = delete;
    awaiter& operator=(const awaiter&) = delete;

    ~awaiter()
    {
        if (has_waiter_)
            waiter_.~Waiting();
        else
            shortcut_.~shortcut();
    }

    [[gnu::always_inline]] bool await_ready()
    {
        within_budget_ = budget::take();
        if (!within_budget_ || is_cancelled_)
            return false;
        const attempt tried = shortcut_.attempt(operation_.own_arguments());
        return tried == attempt::done ||
               (tried == attempt::unclear && make_waiter().try_start());
    }

    // Nothing of this is touched once it is suspended: another thread may resume the
    // coroutine, and *this be gone.
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> coroutine)
    {
        interleaving_point();
        return (has_waiter_ ? waiter_ : make_waiter())
            .begin_wait(
                coroutine,
                operation_,
                within_budget_ ? delivery::inline_if_ready : delivery::always_posted
            );
    }

    [[gnu::always_inline]] auto await_resume()
    {
        // The awaiter lives on, to the end of the expression: in
        // `co_await out.enqueue(co_await in.dequeue())` as long as the outer wait.
        if (has_waiter_)
            waiter_.end_wait();
        if constexpr (!std::is_same_v<shortcut, no_shortcut>)
            if (!has_waiter_)
                return result_of<operation_type::form>(shortcut_);
        return result_of<operation_type::form>(waiter_);
    }

private:
    // In the place of the shortcut. Out of line, so that the short way stays short.
    [[gnu::noinline]] Waiting& make_waiter()
    {
        shortcut_.~shortcut();
        try {
            ::new (static_cast<void*>(&waiter_)) Waiting(operation_);
        } catch (...) {
            ::new (static_cast<void*>(&shortcut_)) shortcut();
            throw;
        }
        has_waiter_ = true;
        return waiter_;
    }

    Operation operation_;
    union
    {
        shortcut shortcut_;
        Waiting waiter_;
    };
    const bool is_cancelled_;
    bool within_budget_ = true;
    bool has_waiter_ = false;  // which of the two there is
};

}  // namespace sluice::detail
