// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_registry.hpp>

#include <sluice/error.hpp>

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

}  // namespace sluice::pipeline
