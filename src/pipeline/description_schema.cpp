// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_fields.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace {

using json = nlohmann::ordered_json;

// What a schema says of the values of an option.
json schema_of_value(const option_info& info)
{
    using whole = std::numeric_limits<std::int64_t>;
    const nlohmann::json smallest = whole::min();
    const nlohmann::json largest = whole::max();
    const auto& [minimum, maximum, choices, needs, needed_text] = info.limits;
    json text = {{"type", "string"}};
    if (!choices.empty())
        text["enum"] = choices;
    json number = {{"type", info.type == option_type::integer ? "integer" : "number"}};
    // Whole limits look like whole numbers, and are compared exactly.
    if (minimum || info.type == option_type::integer)
        number["minimum"] = minimum ? detail::to_json_value(*minimum) : smallest;
    if (maximum || info.type == option_type::integer)
        number["maximum"] = maximum ? detail::to_json_value(*maximum) : largest;
    switch (info.type) {
    case option_type::text:
        return text;
    case option_type::texts:
        return {{"anyOf", {text, {{"type", "array"}, {"items", text}}}}};
    case option_type::integer:
    case option_type::number:
        return number;
    case option_type::flag:
        return {{"type", "boolean"}};
    case option_type::duration:
        return {{"type", "string"}, {"pattern", text::duration_pattern}};
    case option_type::size:
        text["pattern"] = text::byte_size_pattern;
        number = {{"type", "integer"}, {"minimum", 0}, {"maximum", largest}};
        return {{"anyOf", {text, number}}};
    case option_type::json:
        break;
    }
    return json::object();
}

// An object with these members and no others.
json schema_of_object(const std::vector<option_info>& infos)
{
    json properties = json::object();
    json required = json::array();
    for (const option_info& info : infos) {
        json& schema = properties[info.name] = {{"description", info.summary}};
        schema.update(schema_of_value(info));
        if (!info.default_value.is_null())
            schema["default"] = info.default_value;
        if (info.required)
            required.push_back(info.name);
    }
    json schema = {{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty())
        schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
}

// What counts for an object whose member `key` is `value`.
json when(const char* key, const std::string& value, json then)
{
    json is_value = {{"properties", {{key, {{"const", value}}}}}, {"required", {key}}};
    return {{"if", std::move(is_value)}, {"then", std::move(then)}};
}

// One with a capacity in bytes has no other limit in bytes.
json schema_of_queue(queue_type type)
{
    json schema = schema_of_object(detail::fields_of_queue(type).infos());
    json& capacity = schema["properties"]["capacity"];
    json elements = json::parse(R"({"type": "integer", "minimum": 0, "maximum": 0})");
    elements["minimum"] = detail::least_capacity(type);
    elements["maximum"] = detail::most_elements;
    const json bytes = {
        {"type", "string"},
        {"pattern", text::byte_size_with_unit_pattern}
    };
    if (type == queue_type::redis) {
        capacity.update(elements);
        schema["properties"]["key"].erase("default");  // there is no text for it
        schema["properties"]["key"]["minLength"] = 1;
    } else {
        capacity["anyOf"] = {elements, bytes};
        schema["not"] = json::parse(R"({"properties": {"capacity": {"type": "string"}},
                                        "required": ["capacity", "memory"]})");
    }
    return schema;
}

json schema_of_queue()
{
    const auto types = detail::names_of<queue_type>();
    json schema = {{"type", "object"}, {"properties", {{"type", {{"enum", types}}}}}};
    for (std::size_t i = 0; i < types.size(); ++i)
        schema["allOf"].push_back(
            when("type", types[i], schema_of_queue(static_cast<queue_type>(i)))
        );
    json without_type = json::parse(R"({"if": {"not": {"required": ["type"]}}})");
    without_type["then"] = schema_of_queue(queue_type::fifo);
    schema["allOf"].push_back(std::move(without_type));
    return schema;
}

json schema_of_runner(const stage_registry& stages)
{
    json schema = schema_of_object(detail::fields_of_runner(stages).infos());
    schema["properties"]["options"]["type"] = "object";
    schema["properties"]["on_error"].update(json::parse(R"({"anyOf": [
        {"enum": ["fail", "skip"]},
        {"type": "object", "properties": {"to": {"type": "string", "minLength": 1}},
         "required": ["to"], "additionalProperties": false}]})"));
    for (const auto& [name, type] : stages.all()) {
        const json options = {{"$ref", "#/$defs/stages" + detail::pointer_step(name)}};
        json then = {{"properties", {{"options", options}}}};
        if (std::ranges::any_of(type.options, &option_info::required))
            then["required"] = {"options"};
        schema["allOf"].push_back(when("stage", name, std::move(then)));
    }
    return schema;
}

}  // namespace

nlohmann::ordered_json description_schema(const stage_registry& stages)
{
    json schema = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", "A pipeline of sluice"}
    };
    schema.update(schema_of_object(detail::fields_of_pipeline().infos()));
    const auto coordinator = detail::fields_of_coordinator().infos();
    json& properties = schema["properties"];
    properties["coordinator"].update(schema_of_object(coordinator));
    properties["queues"].update(json::parse(R"({"type": "object", "maxProperties": 0,
        "propertyNames": {"minLength": 1, "maxLength": 0},
        "additionalProperties": {"$ref": "#/$defs/queue"}})"));
    properties["queues"]["maxProperties"] = detail::most_queues;
    properties["queues"]["propertyNames"]["maxLength"] = detail::longest_queue_name;
    properties["runners"].update(json::parse(R"({"type": "array", "minItems": 1,
        "maxItems": 0, "items": {"$ref": "#/$defs/runner"}})"));
    properties["runners"]["maxItems"] = detail::most_runners;
    json& parts = schema["$defs"] = {{"queue", schema_of_queue()}};
    parts["runner"] = schema_of_runner(stages);
    parts["stages"] = json::object();
    for (const auto& [name, type] : stages.all()) {
        parts["stages"][name] = {{"description", type.summary}};
        parts["stages"][name].update(schema_of_object(type.options));
    }
    return schema;
}

}  // namespace sluice::pipeline
