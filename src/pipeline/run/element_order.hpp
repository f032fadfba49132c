// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/element.hpp>

#include <span>

namespace sluice::pipeline {

// An element and what a described priority queue orders it by.
//
// Out of the element once, when it enters, and not at each of the comparisons in the heap. The
// element is a record on its own then, because others leave before it.
struct ordered_element
{
    element content;
    json_value key;  // null, which is before everything, if the element has no such field

    // Null, then flags, then numbers, then texts, as the JSON library orders them.
    friend bool operator<(const ordered_element& left, const ordered_element& right)
    {
        return left.key < right.key;
    }
};

[[nodiscard]] ordered_element with_key(
    element&& content,
    const json_value::json_pointer& by
);

// For padding_queue, which finds it by argument-dependent lookup: JSON arrays get as long as
// the longest of them, with 0 after numbers, "" after texts, and null otherwise. Whatever is
// no array stays as it is.
void pad_rows(std::span<element> rows);

}  // namespace sluice::pipeline

// The key is a part of the content.
template <>
struct sluice::element_weight<sluice::pipeline::ordered_element>
{
    [[nodiscard]] static std::size_t of(const pipeline::ordered_element& element) noexcept
    {
        return element.content.weight();
    }
};
