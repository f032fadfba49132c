// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_fields.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

// What the fields mean, a line each.
constexpr std::string_view meanings_in_queues = R"(
type: the order in which elements leave; redis: on a server, which processes share
url: the address of the server, such as redis://localhost or unix:/run/redis.sock
key: its name on the server; by default the name of the pipeline, a dot, and its own
capacity: how much it holds before producers have to wait: a number of elements, or a text with a number of bytes, such as "64 MiB"
capacity of redis: how many elements it holds, over all processes, before producers have to wait; those count, too, that are taken and not acknowledged
kind: the order in which elements leave
memory: how many bytes its elements take before producers have to wait; a larger element passes alone
overflow: what happens to an element that finds the queue full: it waits, or the one that would leave next is dropped for it, or it is dropped itself
min_after_dequeue: how many elements stay stored, so that there is a choice; below the capacity
seed: makes the order the same each time
by: a JSON pointer to what values are compared by; empty: the whole
lease: how long nothing is heard of a process before others get what it has taken
max_deliveries: how often an element is delivered before it becomes a dead letter; 0: without limit
retry_delay: how long an element waits for its second delivery, and twice as long for each further one; 0s: not at all
max_retry_delay: no such wait is longer
)";

constexpr std::string_view meanings_in_runners = R"(
name: its name; by default that of the stage
stage: the name of a stage
options: options of the stage
from: the queue it takes from
to: the queue it puts into, or several, each of which gets every element
workers: how many run at the same time
ordered: whether results keep the order of the input although several workers compute
on_error: what happens to elements that the stage cannot process: fail, skip, or an object with the queue "to" which they go
acknowledge: of elements from a queue on a server: when they are done; when what was made of them is written, or as soon as they are taken
copies: how many processes run it, all of which have to end before a queue on a server is closed that it puts into
)";

// The meaning of the field of a name.
std::string meaning(std::string_view lines, const std::string& name)
{
    const std::size_t begin = lines.find("\n" + name + ": ") + name.size() + 3;
    return std::string(lines.substr(begin, lines.find('\n', begin) - begin));
}

// The oldest element is known only where elements leave in the order in which they came.
std::vector<std::string> names_of_overflow(queue_type type)
{
    if (type == queue_type::fifo || type == queue_type::padding)
        return names_of<overflow>();
    return {to_string(overflow::wait), to_string(overflow::drop_newest)};
}

stage_options<queue_description> make_queue_fields(queue_type type)
{
    using queue = queue_description;
    const auto is = [](const char* name) { return meaning(meanings_in_queues, name); };
    const option_limits elements{.minimum = 0, .maximum = double{most_elements}};
    const option_limits deliveries{.minimum = 0, .maximum = 1e9};
    const option_limits kinds{.choices = {"fifo", "shuffle", "priority"}};
    const option_limits rules{.choices = names_of_overflow(type)};
    constexpr auto least = &queue::min_after_dequeue;
    constexpr auto most = &queue::max_deliveries;
    stage_options<queue> fields;
    fields.optional("type", &queue::type, is("type"), {.choices = {to_string(type)}});
    if (type == queue_type::redis)
        return fields.required("url", &queue::url, is("url"))
            .optional("key", &queue::key, is("key"))
            .unbound<json>("capacity", is("capacity of redis"), queue().capacity)
            .optional("kind", &queue::kind, is("kind"), kinds)
            .optional("min_after_dequeue", least, is("min_after_dequeue"), elements)
            .optional("by", &queue::by, is("by"))
            .optional("lease", &queue::lease, is("lease"))
            .optional("max_deliveries", most, is("max_deliveries"), deliveries)
            .optional("retry_delay", &queue::retry_delay, is("retry_delay"))
            .optional("max_retry_delay", &queue::max_retry_delay, is("max_retry_delay"));
    fields.unbound<json>("capacity", is("capacity"), queue().capacity)
        .optional("memory", &queue::memory, is("memory"))
        .optional("overflow", &queue::overflow, is("overflow"), rules);
    if (type == queue_type::shuffle)
        fields.optional("min_after_dequeue", least, is("min_after_dequeue"), elements)
            .optional("seed", &queue::seed, is("seed"), {.minimum = 0});
    if (type == queue_type::priority)
        fields.optional("by", &queue::by, is("by"));
    return fields;
}

}  // namespace

stage_options<pipeline_description> fields_of_pipeline()
{
    using whole = pipeline_description;
    constexpr auto threads = "threads of the event loop; 0: one for each processor";
    return stage_options<whole>()
        .optional("name", &whole::name, "its name in reports")
        .unbound<std::string>("description", "a text for readers", "")
        .optional("threads", &whole::threads, threads, {.minimum = 0, .maximum = 1024})
        .unbound<json>("coordinator", "how it ends", json::object())
        .unbound<json>("queues", "the queues by name", json::object())
        .unbound<json>("runners", "an array of runners")
        .unbound<std::string>("$schema", "what an editor checks it with", "");
}

stage_options<pipeline_description> fields_of_coordinator()
{
    constexpr auto grace = &pipeline_description::stop_grace_period;
    return stage_options<pipeline_description>()
        .optional("stop_grace_period", grace, "how long a stop waits for the runners");
}

const stage_options<queue_description>& fields_of_queue(queue_type type)
{
    static const auto all = [] {
        std::vector<stage_options<queue_description>> fields;
        for (std::size_t i = 0; i < names_of<queue_type>().size(); ++i)
            fields.push_back(make_queue_fields(static_cast<queue_type>(i)));
        return fields;
    }();
    return all.at(static_cast<std::size_t>(type));
}

stage_options<runner_description> fields_of_runner(const stage_registry& stages)
{
    using runner = runner_description;
    const auto is = [](const char* name) { return meaning(meanings_in_runners, name); };
    const option_limits workers{.minimum = 1, .maximum = 1024};
    const option_limits moments{.choices = names_of<acknowledgement>()};
    const option_limits copies{.minimum = 1, .maximum = 100'000};
    return stage_options<runner>()
        .optional("name", &runner::name, is("name"))
        .required("stage", &runner::stage, is("stage"), {.choices = stages.names()})
        .optional("options", &runner::options, is("options"))
        .optional("from", &runner::from, is("from"))
        .optional("to", &runner::to, is("to"))
        .optional("workers", &runner::workers, is("workers"), workers)
        .optional("ordered", &runner::ordered, is("ordered"))
        .unbound<json>("on_error", is("on_error"), to_string(error_action::fail))
        .optional("acknowledge", &runner::acknowledge, is("acknowledge"), moments)
        .optional("copies", &runner::copies, is("copies"), copies);
}

}  // namespace sluice::pipeline::detail

namespace sluice::pipeline {

using detail::name_of;

const char* to_string(error_action action) noexcept
{
    static constexpr const char* names[] = {"fail", "skip", "to"};
    return name_of(action, names);
}

const char* to_string(queue_type type) noexcept
{
    static constexpr const char* names[] =
        {"fifo", "shuffle", "priority", "padding", "redis"};
    return name_of(type, names);
}

const char* to_string(acknowledgement when) noexcept
{
    static constexpr const char* names[] = {"written", "taken"};
    return name_of(when, names);
}

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

const char* sluice::to_string(overflow rule) noexcept
{
    static constexpr const char* names[] = {"wait", "drop_oldest", "drop_newest"};
    return pipeline::detail::name_of(rule, names);
}
