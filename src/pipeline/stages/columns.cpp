// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/columns.hpp"

#include "pipeline/data/content.hpp"
#include "pipeline/option_checks.hpp"
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

}  // namespace

columns::columns(const std::vector<std::string>& names) : names_(names)
{
    expect_different_names("columns", names);
    for (const std::string& name : names)
        add(name);
}

columns::columns(const element& first)
{
    std::vector<std::string> names;
    if (is_object(first)) {
        detail::for_each_member(first, [&](std::string_view name, value_view) {
            names.emplace_back(name);
        });
        add_members(names);
    } else if (!detail::view_of(first).is_array()) {
        names_ = {"value"};
        add("value");
    }
}

columns columns::of_table(const std::vector<std::string>& names)
{
    columns made;
    made.add_members(names);
    return made;
}

void columns::add(const std::string& path)
{
    const std::string& name = paths_.emplace_back(path, "columns").first_step();
    const auto [place, is_new] = places_.try_emplace(name, members_.size());
    if (is_new)
        members_.push_back({name, {}});
    members_[place->second].columns.push_back(paths_.size() - 1);
}

void columns::add_members(const std::vector<std::string>& names)
{
    names_ = names;
    for (const std::string& name : names)
        add(detail::pointer_step(name));
    are_all_ = true;
}

void columns::find_in(const element& given, std::vector<value_view>& fields) const
{
    fields.clear();
    const value_view value = detail::view_of(given);
    if (is_object(given) && !paths_.empty())
        return find_members(given, fields);
    if (value.is_array())
        value.for_each_item([&](value_view item) { fields.push_back(item); });
    else if (!is_object(given))
        fields.push_back(value);
    const bool is_whole_array = value.is_array() && paths_.empty();
    if (!is_whole_array && (is_object(given) || fields.size() != paths_.size()))
        throw std::runtime_error(fmt::format(
            "it takes objects, or arrays with a field for each column, but got {}",
            shown(given)
        ));
}

void columns::find_members(const element& object, std::vector<value_view>& fields) const
{
    fields.resize(paths_.size());
    std::size_t next = 0;  // most often members come in the order of the columns
    bool has_others = false;
    detail::for_each_member(object, [&](std::string_view name, value_view value) {
        if (next == members_.size() || members_[next].name != name) {
            const auto found = places_.find(name);
            if (found == places_.end()) {
                has_others = true;
                return;
            }
            next = found->second;
        }
        for (const std::size_t column : members_[next++].columns)
            fields[column] = paths_[column].find_behind(1, value);
    });
    if (are_all_ && has_others)
        throw std::runtime_error(fmt::format(
            "{} has a field for which there is no column; name all in \"columns\"",
            shown(object)
        ));
}

}  // namespace sluice::pipeline
