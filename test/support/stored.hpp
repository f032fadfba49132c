// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/operation.hpp>

#include <utility>

namespace sluice::test {

// An operation that can be passed on. Of one that refers to its arguments the library refuses
// that, so those must live until the operation completes.
template <class Waiter, class Executor, sluice::detail::result_form Form, class Limit>
operation<Waiter, Executor, Form, Limit> stored(
    const borrowing_operation<Waiter, Executor, Form, Limit>& borrowing
)
{
    return {borrowing.take_arguments(), borrowing.get_executor(), borrowing.limit()};
}

template <class Waiter, class Executor, sluice::detail::result_form Form, class Limit>
operation<Waiter, Executor, Form, Limit> stored(
    operation<Waiter, Executor, Form, Limit>&& movable
)
{
    return std::move(movable);
}

}  // namespace sluice::test
