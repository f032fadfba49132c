// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/element_order.hpp"

#include "pipeline/data/record_builder.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

namespace {

bool is_array(const element& row)
{
    return detail::view_of(row).is_array();
}

json_value filler_for(const json_value& array)
{
    if (!array.empty() && is_number(array.back()))
        return 0;
    if (!array.empty() && array.back().is_string())
        return "";
    return nullptr;
}

json_value key_of(const element& content, const json_value::json_pointer& by)
{
    if (content.is_text())
        return by.empty() ? json_value(content.text()) : json_value();
    if (content.kind() != element_kind::value)
        return nullptr;
    const json_value value = content.to_json();
    if (!value.contains(by))
        return nullptr;
    // Numbers are compared as such, however they are written.
    const json_value& key = value.at(by);
    return is_number(key) && !key.is_number() ? json_value(to_double(key)) : key;
}

}  // namespace

ordered_element with_key(element&& content, const json_value::json_pointer& by)
{
    json_value key = key_of(content, by);
    return {detail::on_its_own(std::move(content)), std::move(key)};
}

void pad_rows(std::span<element> rows)
{
    std::size_t longest = 0;
    json_value filler;
    for (element& row : rows)
        if (is_array(row)) {
            longest = std::max(longest, row.value().size());
            if (filler.is_null())
                filler = filler_for(row.value());
        }
    for (element& row : rows)
        if (is_array(row))
            row.value().get_ref<json_value::array_t&>().resize(longest, filler);
}

}  // namespace sluice::pipeline
