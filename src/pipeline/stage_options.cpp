// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_options.hpp>

#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

constexpr const char* a_duration =
    R"(a duration such as "250ms", "1.5s" or "2m", of at most six digits before the point)";

std::string as_text(double limit)
{
    const bool whole = limit == std::floor(limit) && std::abs(limit) < 1e15;
    return whole ? std::to_string(std::llround(limit)) : json(limit).dump();
}

bool is_within(const json& given, const option_limits& limits)
{
    const double number = given.get<double>();
    return !(limits.minimum && number < *limits.minimum) &&
           !(limits.maximum && number > *limits.maximum);
}

std::string range_in_words(const option_info& info)
{
    const option_limits& limits = info.limits;
    std::string words = info.type == option_type::integer ? "a whole number" : "a number";
    if (limits.minimum && limits.maximum)
        words += " from " + as_text(*limits.minimum) + " to " + as_text(*limits.maximum);
    else if (limits.minimum)
        words += " of at least " + as_text(*limits.minimum);
    else if (limits.maximum)
        words += " of at most " + as_text(*limits.maximum);
    return words;
}

bool is_choice(const json& given, const std::vector<std::string>& choices)
{
    const auto& text = given.get_ref<const std::string&>();
    return std::find(choices.begin(), choices.end(), text) != choices.end();
}

bool are_choices(const json& given, const std::vector<std::string>& choices)
{
    if (!given.is_array())
        return is_choice(given, choices);
    return std::all_of(given.begin(), given.end(), [&choices](const json& each) {
        return is_choice(each, choices);
    });
}

std::vector<std::string> names_of(const std::vector<option_info>& infos)
{
    std::vector<std::string> names;
    for (const option_info& info : infos)
        names.push_back(info.name);
    return names;
}

}  // namespace

std::optional<std::string> read_value(const json& given, std::string& value)
{
    if (!given.is_string())
        return "a string";
    value = given.get_ref<const std::string&>();
    return std::nullopt;
}

std::optional<std::string> read_value(const json& given, std::vector<std::string>& value)
{
    constexpr const char* expected = "a string or an array of strings";
    if (given.is_string()) {
        value = {given.get<std::string>()};
        return std::nullopt;
    }
    if (!given.is_array())
        return expected;
    value.clear();
    for (const json& each : given) {
        if (!each.is_string())
            return expected;
        value.push_back(each.get<std::string>());
    }
    return std::nullopt;
}

std::optional<std::string> read_value(const json& given, std::int64_t& value)
{
    constexpr const char* expected = "a whole number";
    constexpr const char* too_large = "a whole number between -2^63 and 2^63";
    constexpr double limit = 9'223'372'036'854'775'808.0;
    if (given.is_number_unsigned()) {
        const auto number = given.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return too_large;
        value = static_cast<std::int64_t>(number);
    } else if (given.is_number_integer()) {
        value = given.get<std::int64_t>();
    } else if (given.is_number_float()) {
        // 1e3 and 5.0 are whole numbers in JSON.
        const auto number = given.get<double>();
        if (number != std::floor(number))
            return expected;
        if (number < -limit || number >= limit)
            return too_large;
        value = static_cast<std::int64_t>(number);
    } else {
        return expected;
    }
    return std::nullopt;
}

std::optional<std::string> read_value(const json& given, double& value)
{
    if (!given.is_number())
        return "a number";
    value = given.get<double>();
    return std::nullopt;
}

std::optional<std::string> read_value(const json& given, bool& value)
{
    if (!given.is_boolean())
        return "true or false";
    value = given.get<bool>();
    return std::nullopt;
}

std::optional<std::string> read_value(const json& given, std::chrono::nanoseconds& value)
{
    if (!given.is_string())
        return a_duration;
    const auto parsed = parse_duration(given.get_ref<const std::string&>());
    if (!parsed)
        return a_duration;
    value = *parsed;
    return std::nullopt;
}

std::optional<std::string> read_value(const json& given, json& value)
{
    value = given;
    return std::nullopt;
}

json to_json_value(std::chrono::nanoseconds value)
{
    return to_text(value);
}

void check_names(
    const json& given,
    const std::vector<option_info>& known,
    std::vector<problem>& problems
)
{
    const std::vector<std::string> names = names_of(known);
    for (const auto& [name, value] : given.items()) {
        if (std::find(names.begin(), names.end(), name) != names.end())
            continue;
        problems.push_back(
            {.pointer = pointer_step(name),
             .found = in_quotes(name),
             .expected = names.empty() ? "nothing here" : one_of(names),
             .hint = did_you_mean(name, names)}
        );
    }
    for (const option_info& info : known)
        if (info.required && !given.contains(info.name))
            problems.push_back(
                {.found = "no " + in_quotes(info.name),
                 .expected = in_quotes(info.name) + " (" + info.summary + ")"}
            );
}

std::optional<std::string> check_limits(const json& given, const option_info& info)
{
    switch (info.type) {
    case option_type::integer:
    case option_type::number:
        if (!is_within(given, info.limits))
            return range_in_words(info);
        break;
    case option_type::text:
    case option_type::texts:
        if (!info.limits.choices.empty() && !are_choices(given, info.limits.choices))
            return one_of(info.limits.choices);
        break;
    default:
        break;
    }
    return std::nullopt;
}

problem option_problem(const option_info& info, const json& found, std::string expected)
{
    problem mistake{
        .pointer = pointer_step(info.name),
        .found = in_words(found),
        .expected = std::move(expected)
    };
    if (found.is_string())
        mistake.hint =
            did_you_mean(found.get_ref<const std::string&>(), info.limits.choices);
    return mistake;
}

}  // namespace sluice::pipeline::detail
