// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>

#include <concepts>

namespace sluice::detail {

using io_executor = boost::asio::io_context::executor_type;

// The executor of an io_context in `executor`, null if that is another one.
template <class Executor>
[[nodiscard]] const io_executor* io_executor_in(const Executor& executor) noexcept
{
    if constexpr (std::same_as<Executor, io_executor>)
        return &executor;
    else if constexpr (std::same_as<Executor, boost::asio::any_io_executor>)
        return executor.template target<io_executor>();
    else
        return nullptr;
}

}  // namespace sluice::detail
