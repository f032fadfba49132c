// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/element_order.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sluice::pipeline {

namespace {

using nlohmann::json;

bool is_array(const element& row)
{
    return row.kind() == element_kind::value && row.value().is_array();
}

json filler_for(const json& array)
{
    if (!array.empty() && array.back().is_number())
        return 0;
    if (!array.empty() && array.back().is_string())
        return "";
    return nullptr;
}

json key_of(const element& content, const json::json_pointer& by)
{
    if (content.is_text())
        return by.empty() ? json(content.text()) : json();
    if (content.kind() != element_kind::value || !content.value().contains(by))
        return nullptr;
    return content.value().at(by);
}

}  // namespace

ordered_element with_key(element&& content, const json::json_pointer& by)
{
    json key = key_of(content, by);
    return {std::move(content), std::move(key)};
}

void pad_rows(std::span<element> rows)
{
    std::size_t longest = 0;
    json filler;
    for (const element& row : rows)
        if (is_array(row)) {
            longest = std::max(longest, row.value().size());
            if (filler.is_null())
                filler = filler_for(row.value());
        }
    for (element& row : rows)
        if (is_array(row))
            row.value().get_ref<json::array_t&>().resize(longest, filler);
}

}  // namespace sluice::pipeline
