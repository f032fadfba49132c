// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_fields.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"
#include "text/byte_size.hpp"
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

json one_limit(double limit)
{
    // Whole limits look like whole numbers, and are compared exactly.
    const auto whole = static_cast<std::int64_t>(limit);
    if (static_cast<double>(whole) == limit)
        return whole;
    return limit;
}

json numbers(const char* type, const option_limits& limits)
{
    json schema = {{"type", type}};
    if (limits.minimum)
        schema["minimum"] = one_limit(*limits.minimum);
    if (limits.maximum)
        schema["maximum"] = one_limit(*limits.maximum);
    return schema;
}

json whole_numbers(const option_limits& limits)
{
    json schema = numbers("integer", limits);
    if (!limits.minimum)
        schema["minimum"] = std::numeric_limits<std::int64_t>::min();
    if (!limits.maximum)
        schema["maximum"] = std::numeric_limits<std::int64_t>::max();
    return schema;
}

json strings(const option_limits& limits)
{
    json schema = {{"type", "string"}};
    if (!limits.choices.empty())
        schema["enum"] = limits.choices;
    return schema;
}

json schema_of_value(const option_info& info)
{
    switch (info.type) {
    case option_type::text:
        return strings(info.limits);
    case option_type::texts: {
        const json one = strings(info.limits);
        return {{"anyOf", {one, {{"type", "array"}, {"items", one}}}}};
    }
    case option_type::integer:
        return whole_numbers(info.limits);
    case option_type::number:
        return numbers("number", info.limits);
    case option_type::flag:
        return {{"type", "boolean"}};
    case option_type::duration:
        return {{"type", "string"}, {"pattern", detail::duration_pattern}};
    case option_type::size:
        return {
            {"anyOf",
             {{{"type", "string"}, {"pattern", text::byte_size_pattern}},
              {{"type", "integer"},
               {"minimum", 0},
               {"maximum", std::numeric_limits<std::int64_t>::max()}}}}
        };
    case option_type::json:
        break;
    }
    return json::object();
}

json schema_of_option(const option_info& info)
{
    json schema = {{"description", info.summary}};
    schema.update(schema_of_value(info));
    if (!info.default_value.is_null())
        schema["default"] = info.default_value;
    return schema;
}

// An object with these members and no others.
json schema_of_object(const std::vector<option_info>& infos)
{
    json properties = json::object();
    json required = json::array();
    for (const option_info& info : infos) {
        properties[info.name] = schema_of_option(info);
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
json when(const std::string& key, const std::string& value, json then)
{
    return {
        {"if", {{"properties", {{key, {{"const", value}}}}}, {"required", {key}}}},
        {"then", std::move(then)}
    };
}

json schema_of_capacity(queue_type type)
{
    json elements = {
        {"type", "integer"},
        {"minimum", detail::least_capacity(type)},
        {"maximum", detail::most_elements}
    };
    if (!detail::has_capacity_in_bytes(type))
        return elements;
    return {
        {"anyOf",
         {std::move(elements),
          {{"type", "string"}, {"pattern", text::byte_size_with_unit_pattern}}}}
    };
}

// One with a capacity in bytes has no other limit in bytes.
json schema_of_queue(queue_type type)
{
    json schema = schema_of_object(detail::fields_of_queue(type).infos());
    schema["properties"]["capacity"].update(schema_of_capacity(type));
    if (type == queue_type::redis) {
        json& key = schema["properties"]["key"];
        key.erase("default");  // there is no text for it
        key["minLength"] = 1;
    }
    if (detail::has_capacity_in_bytes(type))
        schema["not"] = {
            {"properties", {{"capacity", {{"type", "string"}}}}},
            {"required", {"capacity", "memory"}}
        };
    return schema;
}

json schema_of_queue()
{
    json types = json::array();
    json rules = json::array();
    for (const queue_type type : detail::queue_types) {
        types.push_back(to_string(type));
        rules.push_back(when("type", to_string(type), schema_of_queue(type)));
    }
    // Without a type it is the first.
    rules.push_back(
        {{"if", {{"not", {{"required", {"type"}}}}}},
         {"then", schema_of_queue(detail::queue_types[0])}}
    );
    return {
        {"type", "object"},
        {"properties", {{"type", {{"enum", std::move(types)}}}}},
        {"allOf", std::move(rules)}
    };
}

json schema_of_queues()
{
    return {
        {"type", "object"},
        {"maxProperties", detail::most_queues},
        {"propertyNames", {{"minLength", 1}, {"maxLength", detail::longest_queue_name}}},
        {"additionalProperties", {{"$ref", "#/$defs/queue"}}}
    };
}

json schema_of_error_policy()
{
    const char* const to = to_string(error_action::divert);
    return {
        {"anyOf",
         {{{"enum", {to_string(error_action::fail), to_string(error_action::skip)}}},
          {{"type", "object"},
           {"properties", {{to, {{"type", "string"}, {"minLength", 1}}}}},
           {"required", {to}},
           {"additionalProperties", false}}}}
    };
}

json schema_of_runner(const stage_registry& stages)
{
    json schema = schema_of_object(detail::fields_of_runner(stages).infos());
    schema["properties"]["options"]["type"] = "object";
    schema["properties"]["on_error"].update(schema_of_error_policy());
    json rules = json::array();
    for (const auto& [name, type] : stages.all()) {
        json options = {{"$ref", "#/$defs/stages" + detail::pointer_step(name)}};
        json then = {{"properties", {{"options", std::move(options)}}}};
        if (std::ranges::any_of(type.options, &option_info::required))
            then["required"] = {"options"};
        rules.push_back(when("stage", name, std::move(then)));
    }
    if (!rules.empty())
        schema["allOf"] = std::move(rules);
    return schema;
}

json schemas_of_stages(const stage_registry& stages)
{
    json schemas = json::object();
    for (const auto& [name, type] : stages.all()) {
        schemas[name] = {{"description", type.summary}};
        schemas[name].update(schema_of_object(type.options));
    }
    return schemas;
}

}  // namespace

nlohmann::ordered_json description_schema(const stage_registry& stages)
{
    json schema = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", "A pipeline of sluice"}
    };
    schema.update(schema_of_object(detail::fields_of_pipeline().infos()));
    json& properties = schema["properties"];
    properties["coordinator"].update(
        schema_of_object(detail::fields_of_coordinator().infos())
    );
    properties["queues"].update(schema_of_queues());
    properties["runners"].update(
        {{"type", "array"},
         {"minItems", 1},
         {"maxItems", detail::most_runners},
         {"items", {{"$ref", "#/$defs/runner"}}}}
    );
    schema["$defs"] = {
        {"queue", schema_of_queue()},
        {"runner", schema_of_runner(stages)},
        {"stages", schemas_of_stages(stages)}
    };
    return schema;
}

}  // namespace sluice::pipeline
