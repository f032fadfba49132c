// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_registry.hpp>

#include "pipeline/stages/stages.hpp"
#include <sluice/error.hpp>
#include <sluice/pipeline/builtin_stages.hpp>

#include <fmt/format.h>

namespace sluice::pipeline {

void stage_registry::add(stage_type type)
{
    if (type.name.empty())
        throw system_error(
            errc::invalid_argument,
            "a stage has no name; descriptions need one to name it"
        );
    std::string name = type.name;
    if (!types_.try_emplace(name, std::move(type)).second)
        throw system_error(
            errc::invalid_argument,
            fmt::format("there is a stage '{}' already; choose another name", name)
        );
}

const stage_type* stage_registry::find(std::string_view name) const
{
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : &found->second;
}

std::vector<std::string> stage_registry::names() const
{
    std::vector<std::string> names;
    names.reserve(types_.size());
    for (const auto& [name, type] : types_)
        names.push_back(name);
    return names;
}

void add_builtin_stages(stage_registry& stages)
{
    add_aggregate(stages);
    add_batch(stages);
    add_command(stages);
    add_count(stages);
    add_discard(stages);
    add_filter(stages);
    add_jq(stages);
    add_list(stages);
    add_map(stages);
    add_parse(stages);
    add_range(stages);
    add_rate_limit(stages);
    add_read(stages);
    add_split_words(stages);
    add_sqlite(stages);
    add_unbatch(stages);
    add_write(stages);
}

std::span<const former_stage> former_stages() noexcept
{
    static constexpr former_stage all[] = {
        {"csv", "read", R"( with "format": "csv")"},
        {"json_lines", "read", R"( with "format": "json_lines")"},
        {"print", "write", R"(, and "json_lines" for the format "json")"},
        {"text_lines", "read", ""},
        {"write_csv", "write", R"( with "format": "csv")"},
        {"write_json_lines", "write", R"( with "format": "json_lines")"},
        {"write_lines", "write", ""}
    };
    return all;
}

}  // namespace sluice::pipeline
