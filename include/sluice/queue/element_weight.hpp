// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace sluice {

/// What an element counts for in a queue with a `weight_limit`.
/**
 * The bytes of the object, and for a std::string and a std::vector of plain values those it
 * refers to as well. For other elements that own memory, or for another unit, specialise it:
 *
 * @code
 * template <>
 * struct sluice::element_weight<picture>
 * {
 *     static std::size_t of(const picture& p) noexcept { return p.bytes.size(); }
 * };
 * @endcode
 *
 * A queue weighs each element when it comes and when it goes, under its lock; so `of` must be
 * fast, must be noexcept and must not use the queue. Both times it should give the same: a move
 * must not change what an element weighs, and elements that are shared should not grow while they
 * are stored. Otherwise the weight of the queue is wrong by the difference until the queue is
 * empty, but it is never below zero. All sources of a program must see the same specialisations,
 * so they belong beside the type.
 *
 * @par Complexity     O(1) here.
 * @par Thread safety  a queue calls it under its lock, from any thread.
 */
template <class T>
struct element_weight
{
    /// The bytes of the object itself.
    [[nodiscard]] static constexpr std::size_t of(const T& /*element*/) noexcept
    {
        return sizeof(T);
    }
};

/// A string weighs its characters, too.
template <class Char, class Traits, class Allocator>
struct element_weight<std::basic_string<Char, Traits, Allocator>>
{
    /// The bytes of the object and of its characters.
    [[nodiscard]] static std::size_t of(
        const std::basic_string<Char, Traits, Allocator>& element
    ) noexcept
    {
        return sizeof(element) + element.size() * sizeof(Char);
    }
};

/// A vector of plain values weighs those, too.
template <class T, class Allocator>
    requires std::is_trivially_copyable_v<T>
struct element_weight<std::vector<T, Allocator>>
{
    /// The bytes of the object and of its values.
    [[nodiscard]] static std::size_t of(const std::vector<T, Allocator>& element) noexcept
    {
        return sizeof(element) + element.size() * sizeof(T);
    }
};

}  // namespace sluice
