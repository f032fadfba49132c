// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// An element as a store keeps it. Stores move what they keep, when they grow or close a gap,
// and that must not throw, because elements that nobody asked for would be lost (P1). A type
// whose moves cannot throw is kept as it is; any other, or one that cannot be assigned, is
// kept in a box of its own, which costs an allocation per element.
template <class T>
class stored
{
public:
    static constexpr bool is_boxed =
        !(std::is_nothrow_move_constructible_v<T> &&
          std::is_nothrow_move_assignable_v<T>);

    explicit stored(T&& element) : kept_(keep(std::move(element))) {}

    [[nodiscard]] T& get() noexcept
    {
        if constexpr (is_boxed)
            return *kept_;
        else
            return kept_;
    }

    [[nodiscard]] const T& get() const noexcept
    {
        return const_cast<stored*>(this)->get();
    }

private:
    using kept_type = std::conditional_t<is_boxed, std::unique_ptr<T>, T>;

    static kept_type keep(T&& element)
    {
        if constexpr (is_boxed)
            return std::make_unique<T>(std::move(element));
        else
            return std::move(element);
    }

    kept_type kept_;
};

}  // namespace sluice::detail
