// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/field_path.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

namespace sluice::pipeline {

namespace {

using json_pointer = nlohmann::json::json_pointer;

json_pointer parse(const std::string& written, const char* option)
{
    if (written.empty())
        throw option_error(
            option,
            "\"\"",
            "the name of a field, or a JSON pointer to it"
        );
    if (!written.starts_with('/'))
        return json_pointer() / written;
    try {
        return json_pointer(written);
    } catch (const nlohmann::json::exception&) {
        throw option_error(
            option,
            detail::in_quotes(written),
            "a JSON pointer, where ~0 stands for ~ and ~1 for /"
        );
    }
}

}  // namespace

field_path::field_path(const std::string& written, const char* option)
    : written_(written), pointer_(parse(written, option))
{
}

nlohmann::json* field_path::find(nlohmann::json& value) const
{
    return value.contains(pointer_) ? &value.at(pointer_) : nullptr;
}

const nlohmann::json* field_path::find(const nlohmann::json& value) const
{
    return value.contains(pointer_) ? &value.at(pointer_) : nullptr;
}

nlohmann::json& field_path::make(nlohmann::json& value) const
{
    return value[pointer_];
}

}  // namespace sluice::pipeline
