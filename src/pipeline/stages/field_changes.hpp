// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/data/record_builder.hpp"
#include "pipeline/expression/expression.hpp"
#include <sluice/pipeline/element.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// Makes an object with other fields of each: first it computes fields, then it gives some other
// names, then it leaves some out. Fields that do not change are never parsed. It has a
// state, so each worker has one of its own.
class field_changes
{
public:
    using names = std::vector<std::string>;

    // Takes expressions and new names by the names of fields. Throws option_error if one of them
    // is wrong.
    field_changes(
        const std::optional<nlohmann::json>& set,
        const std::optional<nlohmann::json>& rename,
        std::optional<names> keep,
        const std::optional<names>& drop
    );

    // Throws std::runtime_error for what is no object, and for two fields of one name.
    [[nodiscard]] element apply(element&& in);

private:
    // What records with the same names become. Indexes behind those of their fields are of
    // computed ones.
    struct plan
    {
        std::shared_ptr<const detail::field_names> source;
        std::vector<std::size_t> fields;
        std::unique_ptr<detail::record_builder> builder;
    };

    using indexed_name = std::pair<std::size_t, std::string>;

    struct result
    {
        std::string bytes;
        field_form is = field_form::json;
    };

    [[nodiscard]] std::vector<indexed_name> changed(names given) const;
    [[nodiscard]] plan& plan_for(const detail::record_block& block);
    [[nodiscard]] element applied_to(
        const element& in,
        const detail::record_block& block
    );
    [[nodiscard]] element applied_to_text(const element& in);
    [[nodiscard]] element applied_to_value(element&& in);

    std::vector<std::pair<std::string, expression>> set_;
    std::vector<std::pair<std::string, std::string>> rename_;
    std::optional<names> keep_;
    names drop_;
    std::vector<result> results_;  // of set_, for the element that is changed
    std::vector<plan> plans_;
    names given_;                       // of the last object that was text
    std::vector<indexed_name> fields_;  // what these become
    detail::record_builder texts_;
};

}  // namespace sluice::pipeline
