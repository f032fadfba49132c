// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// GCC before 13 destroys some temporaries in the expression of a `co_await` twice: those that a
// list of values or captures initializes, which are aggregates and lambdas. No function can tell
// such a temporary from a named object that is moved, so both are refused where one is to be
// expected, unless the program says that it has none.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13 && \
    !defined(SLUICE_ALLOW_AGGREGATE_TEMPORARIES)
#define SLUICE_REFUSE_AGGREGATE_TEMPORARIES
#endif

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace sluice::detail {

#ifdef SLUICE_REFUSE_AGGREGATE_TEMPORARIES

// Whether the type is that of a lambda, which only its name tells: it ends with `<lambda(...)>`
// that is in no template argument.
template <class T>
[[nodiscard]] constexpr bool is_lambda() noexcept
{
    constexpr std::string_view all = __PRETTY_FUNCTION__;
    constexpr std::string_view before = "[with T = ";
    std::string_view name = all.substr(all.find(before) + before.size());
    name.remove_suffix(1);  // ]
    const std::size_t found = name.rfind("<lambda(");
    if (found == std::string_view::npos || !name.ends_with(")>"))
        return false;
    int depth = 0;
    for (const char each : name.substr(0, found))
        depth += (each == '<') - (each == '>');
    return depth == 0;
}

template <class T>
inline constexpr bool destroyed_twice = !std::is_trivially_destructible_v<T> &&
                                        (std::is_aggregate_v<T> || is_lambda<T>());

#else

template <class T>
inline constexpr bool destroyed_twice = false;

#endif

// Whether an argument of a parameter `Argument&&` is none that would be destroyed twice.
template <class Argument>
inline constexpr bool destroyed_once = std::is_lvalue_reference_v<Argument> ||
                                       !destroyed_twice<std::remove_cvref_t<Argument>>;

}  // namespace sluice::detail

// What the static assertions say; in the functions themselves, so that messages are short.
#define SLUICE_DESTROYED_TWICE                                                          \
    "GCC before 13 destroys a temporary aggregate or lambda in a co_await expression "  \
    "twice, and a moved one looks the same: name it, and pass the name for a copy, or " \
    "std::ref(name) to move from it; emplace(its fields...) makes an element; "         \
    "SLUICE_ALLOW_AGGREGATE_TEMPORARIES allows all"

#define SLUICE_TASK_DESTROYED_TWICE                                                    \
    "GCC before 13 destroys a temporary aggregate or lambda in a co_await expression " \
    "twice, and spawn() may have got one: name the task_handle that it returns, and "  \
    "await that; SLUICE_ALLOW_AGGREGATE_TEMPORARIES allows all"
