// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

namespace sluice::detail {

// How an attempt to complete an operation without a waiter ended. Unless it is done nothing
// has changed; `must_wait` says that there is no use in trying again with one.
enum class attempt : unsigned char
{
    done,
    must_wait,
    unclear
};

// The shortcut of operations that have none.
class no_shortcut
{
public:
    template <class Arguments>
    [[nodiscard]] static detail::attempt attempt(const Arguments& /*args*/) noexcept
    {
        return detail::attempt::unclear;
    }
};

template <class Waiter>
struct shortcut_choice
{
    using type = no_shortcut;
};

template <class Waiter>
    requires requires { typename Waiter::shortcut; }
struct shortcut_choice<Waiter>
{
    using type = typename Waiter::shortcut;
};

template <class Waiter>
using shortcut_of = typename shortcut_choice<Waiter>::type;

}  // namespace sluice::detail
