// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// What comes out of a result: of an awaitable, what awaiting it gives.
template <class Result>
struct awaited
{
    using type = Result;
    static constexpr bool is_awaitable = false;
};

template <class Result, class Executor>
struct awaited<boost::asio::awaitable<Result, Executor>>
{
    using type = Result;
    static constexpr bool is_awaitable = true;
};

template <class Function, class From>
using called = awaited<std::invoke_result_t<Function&, From>>;

// From -> To, std::optional<To>, or an awaitable of one of these.
template <class Function, class From, class To>
concept transformation =
    std::copy_constructible<Function> && std::invocable<Function&, From> &&
    (std::same_as<typename called<Function, From>::type, std::optional<To>> ||
     std::convertible_to<typename called<Function, From>::type, To>);

// Puts what a transformation gave into an empty `result`. To need not be assignable.
template <class To, class Computed>
void keep_result(std::optional<To>& result, Computed&& computed)
{
    if constexpr (std::same_as<std::remove_cvref_t<Computed>, std::optional<To>>) {
        if (computed)
            result.emplace(*std::forward<Computed>(computed));
    } else {
        result.emplace(std::forward<Computed>(computed));
    }
}

}  // namespace sluice::detail
