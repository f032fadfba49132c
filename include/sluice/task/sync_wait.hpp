// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/detail/awaiting/thread_waiter.hpp>
#include <sluice/error.hpp>

#include <boost/system/errc.hpp>

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

namespace sluice {
namespace detail {

// A reference to one that cannot be moved, because it refers to its arguments.
template <class Operation>
using kept_operation =
    std::conditional_t<std::move_constructible<Operation>, Operation, const Operation&>;

template <class Operation>
void refuse_own_thread(const Operation& operation)
{
    if (runs_on_this_thread(operation.get_executor()))
        throw system_error(
            make_error_code(boost::system::errc::resource_deadlock_would_occur),
            "sync_wait: this thread runs the context of the operation and would block "
            "it; use co_await here, or wait on a thread of your own"
        );
}

}  // namespace detail

/// Waits for an operation on a thread that is no coroutine.
/**
 * For threads of your own: one that feeds a device, a callback of a library, main(). Gives what
 * `co_await` of the same operation gives and throws what it throws, messages included. What
 * completes the operation wakes the thread; no executor takes part in that, so it costs much less
 * than a future, and nothing if the operation is ready.
 *
 * @par Example
 * @code
 * void print_all(sluice::fifo_queue<std::string>& lines)  // on a thread of its own
 * {
 *     while (auto line = sluice::sync_wait(lines.next()))
 *         std::cout << *line << '\n';
 * }
 *
 * int main()
 * {
 *     // ...
 *     sluice::sync_wait(coord.join());
 * }
 * @endcode
 *
 * @param operation  of a queue, a semaphore, a coordinator or a runner, with or without
 *                   `within()`, `until()`, `linger()` and `as_tuple()`, made in this expression.
 * @return what `co_await` of the operation gives.
 * @throws system_error   `boost::system::errc::resource_deadlock_would_occur` if this thread runs
 *                        the io_context or thread_pool of the operation: while it waits the
 *                        coroutines there cannot run, and they are those that would end the wait.
 *                        Always, whether the operation is ready or not. Contexts of other types
 *                        are not recognised.
 * @throws everything that the operation throws; `operation_aborted` if its execution context is
 *                        destroyed meanwhile.
 * @par Preconditions     none.
 * @par Cancellation      by its limit, and by what ends operations from the other side: close(),
 *                        cancel(), the destructor of the queue or of its context.
 * @par Exception safety  as the operation.
 * @par Thread safety     any thread but those of the context.
 */
template <class Operation>
    requires detail::any_operation<std::remove_cvref_t<Operation>>
auto sync_wait(Operation&& operation)
{
    static_assert(
        !std::is_lvalue_reference_v<Operation>,
        "an operation is started once: write std::move(operation)"
    );
    static_assert(
        std::same_as<Operation, detail::as_returned<std::remove_const_t<Operation>>>,
        "this operation refers to its argument, so it cannot be stored: wait for it in "
        "the expression that makes it"
    );
    detail::refuse_own_thread(operation);
    detail::budget::reset();  // it is for coroutines that share a thread (S10)
    detail::awaiter<detail::thread_waiter<Operation>, detail::kept_operation<Operation>>
        waiting(std::forward<Operation>(operation), false);
    if (!waiting.await_ready())
        waiting.await_suspend(std::coroutine_handle<>());
    return waiting.await_resume();
}

}  // namespace sluice
