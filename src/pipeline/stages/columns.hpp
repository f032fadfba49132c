// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/stages/element_content.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sluice::pipeline {

// Which part of an element stands in which column of a table.
class columns
{
public:
    // Those that the option "columns" names. Throws option_error.
    explicit columns(const std::vector<std::string>& names);

    // One for each member of an object, else one that is called "value". An array has none.
    explicit columns(const element& first);

    // Those of a table. A member that has no column there is an error.
    [[nodiscard]] static columns of_table(const std::vector<std::string>& names);

    [[nodiscard]] const std::vector<std::string>& names() const noexcept
    {
        return names_;
    }

    // What stands in each column: the fields of an object, the elements of an array, which are all
    // if there are no columns, and anything else in the only column. They refer to what is given.
    // Throws what is wrong with it.
    void find_in(const element& given, std::vector<value_view>& fields) const;

private:
    columns() = default;
    void add(const std::string& path);
    void add_members(const std::vector<std::string>& names);
    void find_members(const element& object, std::vector<value_view>& fields) const;

    // That of an object with which paths begin.
    struct member
    {
        std::string name;
        std::vector<std::size_t> columns;
    };

    std::vector<std::string> names_;
    std::vector<field_path> paths_;
    std::vector<member> members_;
    std::map<std::string, std::size_t, std::less<>> places_;  // in members_
    bool are_all_ = false;  // the members that an object may have
};

}  // namespace sluice::pipeline
