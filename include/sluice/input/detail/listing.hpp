// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/detail/transformation.hpp>
#include <sluice/input/positioned.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

// What a list has for elements of type T.
template <class T>
struct listed
{
    using type = T;
};

template <class T>
struct listed<positioned<T>>
{
    using type = T;
};

// An element of a list that is read once: moved out, unless the list only refers to it.
template <class Range>
decltype(auto) take_out(const std::ranges::iterator_t<Range>& at)
{
    if constexpr (std::ranges::view<Range>)
        return *at;
    else
        return std::ranges::iter_move(at);
}

// A range that is no reference, and that ends.
template <class Range, class Value>
concept list_of =
    std::ranges::input_range<Range> && std::move_constructible<Range> &&
    !std::same_as<std::ranges::sentinel_t<Range>, std::unreachable_sentinel_t> &&
    std::convertible_to<
        decltype(take_out<Range>(std::declval<std::ranges::iterator_t<Range>>())),
        Value>;

// Its elements can be had in any order, as long as the range lives.
template <class Range>
inline constexpr bool is_indexed =
    std::ranges::random_access_range<Range> && std::ranges::sized_range<Range> &&
    !std::same_as<Range, std::initializer_list<std::ranges::range_value_t<Range>>>;

// The range itself, or its elements in a vector.
template <class Value, class Range>
auto as_list(Range range)
{
    if constexpr (is_indexed<Range>) {
        return range;
    } else {
        std::vector<Value> list;
        for (auto at = std::ranges::begin(range); at != std::ranges::end(range); ++at)
            list.push_back(static_cast<Value>(take_out<Range>(at)));
        return list;
    }
}

// A list that refers to another one, as std::ranges::ref_view; <ranges> takes as long to compile as
// all headers for input.
template <std::ranges::range List>
class list_reference : public std::ranges::view_base
{
public:
    explicit list_reference(List& list) noexcept : list_(&list) {}

    [[nodiscard]] auto begin() const { return std::ranges::begin(*list_); }
    [[nodiscard]] auto end() const { return std::ranges::end(*list_); }

private:
    List* list_;
};

// A function that lists the same each time; the list must be indexed.
template <class List>
class same_list
{
public:
    explicit same_list(List&& list) : list_(std::move(list)) {}

    [[nodiscard]] std::size_t size()
    {
        return static_cast<std::size_t>(std::ranges::size(list_));
    }

    list_reference<List> operator()() { return list_reference<List>(list_); }

private:
    List list_;
};

// A callable that gives a list, or an awaitable of one.
template <class Function>
using list_from =
    std::remove_cvref_t<typename awaited<std::invoke_result_t<Function&>>::type>;

template <class Function, class Value>
concept listing = std::invocable<Function&> && std::move_constructible<Function> &&
                  list_of<list_from<Function>, Value>;

}  // namespace sluice::detail
