// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/columns.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/words.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace sluice::pipeline {

namespace {

// A record with names has no view.
bool is_object(const element& given)
{
    const value_view value = detail::view_of(given);
    return !value || value.is_object();
}

std::size_t size_of(const element& value)
{
    return detail::has_fields(value) ? detail::block_of(value)->width()
                                     : value.to_json().size();
}

}  // namespace

columns::columns(const std::vector<std::string>& names) : names_(names)
{
    for (const std::string& name : names)
        paths_.emplace_back(name, "columns");
}

columns::columns(const element& first)
{
    std::vector<std::string> names;
    if (!is_object(first)) {
        if (!detail::view_of(first).is_array())
            names_ = {"value"};
        paths_.assign(names_.size(), field_path("value", "columns"));
        return;
    }
    const json_value object = first.to_json();
    for (const auto& [name, field] : object.items())
        names.push_back(name);
    add_members(names);
}

columns columns::of_table(const std::vector<std::string>& names)
{
    columns made;
    made.add_members(names);
    return made;
}

void columns::add_members(const std::vector<std::string>& names)
{
    names_ = names;
    for (const std::string& name : names)
        paths_.emplace_back(detail::pointer_step(name), "columns");
    are_all_ = true;
}

void columns::find_in(const element& given, std::vector<value_view>& fields) const
{
    fields.clear();
    const value_view value = detail::view_of(given);
    const std::size_t size = value.is_array() ? size_of(given) : 0;
    if (is_object(given) && !paths_.empty())
        find_members(given, fields);
    else if (value.is_array() && (paths_.empty() || size == paths_.size()))
        for (std::size_t i = 0; i < size; ++i)
            fields.push_back(value.item(i));
    else if (!is_object(given) && !value.is_array() && paths_.size() == 1)
        fields.push_back(value);
    else
        throw std::runtime_error(fmt::format(
            "it takes objects, or arrays with a field for each column, but got {}",
            shown(given)
        ));
}

void columns::find_members(const element& object, std::vector<value_view>& fields) const
{
    std::size_t found = 0;
    for (const field_path& each : paths_) {
        fields.push_back(each.find_in(object));
        found += fields.back() ? 1U : 0U;
    }
    if (are_all_ && found < size_of(object))
        throw std::runtime_error(fmt::format(
            "{} has a field for which there is no column; name all in \"columns\"",
            shown(object)
        ));
}

}  // namespace sluice::pipeline
