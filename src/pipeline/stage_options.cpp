// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_options.hpp>

#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"
#include "text/byte_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

constexpr double two_to_the_63 = 9'223'372'036'854'775'808.0;

bool is_whole(double number)
{
    return number == std::floor(number);
}

std::string range_in_words(const char* number, const option_limits& limits)
{
    if (limits.minimum && limits.maximum)
        return fmt::format(
            "{} from {} to {}",
            number,
            to_json_value(*limits.minimum).dump(),
            to_json_value(*limits.maximum).dump()
        );
    if (limits.minimum)
        return fmt::format(
            "{} of at least {}",
            number,
            to_json_value(*limits.minimum).dump()
        );
    if (limits.maximum)
        return fmt::format(
            "{} of at most {}",
            number,
            to_json_value(*limits.maximum).dump()
        );
    return number;
}

// What an option takes, for one who wrote `found`.
std::string expected_in_words(const option_info& info, const json& found)
{
    const option_limits& limits = info.limits;
    switch (info.type) {
    case option_type::text:
        return limits.choices.empty() ? "a string" : one_of(limits.choices);
    case option_type::texts:
        return limits.choices.empty() ? "a string or an array of strings"
                                      : one_of(limits.choices);
    case option_type::integer: {
        const bool is_too_large = found.is_number() && is_whole(found.get<double>()) &&
                                  std::abs(found.get<double>()) >= two_to_the_63;
        if (is_too_large && !(limits.minimum && limits.maximum))
            return "a whole number between -2^63 and 2^63";
        return range_in_words("a whole number", limits);
    }
    case option_type::number:
        return range_in_words("a number", limits);
    case option_type::flag:
        return "true or false";
    case option_type::duration:
        return "a duration such as \"250ms\", \"1.5s\" or \"2m\", of at most six digits "
               "before the point";
    case option_type::size:
        return "a size such as \"64 MiB\", with B, kB, MB, GB, KiB, MiB or GiB, or a "
               "number of bytes";
    case option_type::json:
        break;
    }
    return "a JSON value";
}

bool is_allowed(const json& value, const option_limits& limits)
{
    if (value.is_array())
        return std::ranges::all_of(value, [&limits](const json& each) {
            return is_allowed(each, limits);
        });
    if (value.is_string())
        return limits.choices.empty() ||
               std::ranges::count(limits.choices, value.get_ref<const std::string&>()) >
                   0;
    if (!value.is_number())
        return true;
    const auto number = value.get<double>();
    return number >= limits.minimum.value_or(number) &&
           number <= limits.maximum.value_or(number);
}

bool is_known(const std::vector<option_info>& infos, const std::string& name)
{
    return std::ranges::find(infos, name, &option_info::name) != infos.end();
}

std::vector<std::string> names_of(const std::vector<option_info>& infos)
{
    std::vector<std::string> names;
    for (const option_info& info : infos)
        names.push_back(info.name);
    return names;
}

}  // namespace

bool read_value(const json& given, std::string& value)
{
    if (given.is_string())
        value = given.get_ref<const std::string&>();
    return given.is_string();
}

bool read_value(const json& given, std::vector<std::string>& value)
{
    if (given.is_string()) {
        value = {given.get<std::string>()};
        return true;
    }
    const auto is_string = [](const json& each) { return each.is_string(); };
    if (!given.is_array() || !std::ranges::all_of(given, is_string))
        return false;
    value = given.get<std::vector<std::string>>();
    return true;
}

// 1e3 and 5.0 are whole numbers in JSON.
bool read_value(const json& given, std::int64_t& value)
{
    if (given.is_number_float()) {
        const auto number = given.get<double>();
        if (!is_whole(number) || number < -two_to_the_63 || number >= two_to_the_63)
            return false;
    } else if (given.is_number_unsigned()) {
        if (!std::in_range<std::int64_t>(given.get<std::uint64_t>()))
            return false;
    } else if (!given.is_number()) {
        return false;
    }
    value = given.get<std::int64_t>();
    return true;
}

bool read_value(const json& given, double& value)
{
    if (given.is_number())
        value = given.get<double>();
    return given.is_number();
}

bool read_value(const json& given, bool& value)
{
    if (given.is_boolean())
        value = given.get<bool>();
    return given.is_boolean();
}

bool read_value(const json& given, std::chrono::nanoseconds& value)
{
    const auto parsed = given.is_string()
                            ? parse_duration(given.get_ref<const std::string&>())
                            : std::nullopt;
    value = parsed.value_or(value);
    return parsed.has_value();
}

bool read_value(const json& given, byte_size& value)
{
    std::int64_t number = 0;
    if (given.is_string()) {
        const auto parsed = text::parse_byte_size(given.get_ref<const std::string&>());
        value.count = parsed.value_or(value.count);
        return parsed.has_value();
    }
    if (!read_value(given, number) || number < 0)
        return false;
    value.count = static_cast<std::uint64_t>(number);
    return true;
}

bool read_value(const json& given, json& value)
{
    value = given;
    return true;
}

// Whole numbers without a point, as they are written in a description.
json to_json_value(double value)
{
    const bool is_small = std::abs(value) < 1e15;
    return is_small && is_whole(value) ? json(std::llround(value)) : json(value);
}

json to_json_value(std::chrono::nanoseconds value)
{
    return to_text(value);
}

json to_json_value(byte_size value)
{
    return text::byte_size_text(value.count);
}

void check_names(
    const json& given,
    const std::vector<option_info>& known,
    std::vector<problem>& problems
)
{
    const std::vector<std::string> names = names_of(known);
    for (const auto& [name, value] : given.items())
        if (!is_known(known, name))
            problems.push_back(
                {.pointer = pointer_step(name),
                 .found = in_quotes(name),
                 .expected = names.empty() ? "nothing here" : one_of(names),
                 .hint = did_you_mean(name, names)}
            );
    for (const option_info& info : known)
        if (info.required && !given.contains(info.name))
            problems.push_back(
                {.pointer = pointer_step(info.name),
                 .found = "no " + in_quotes(info.name),
                 .expected = fmt::format("{} ({})", in_quotes(info.name), info.summary)}
            );
}

void check_limits(
    const json& value,
    const option_info& info,
    std::vector<problem>& problems
)
{
    if (is_allowed(value, info.limits))
        return;
    problem mistake = option_problem(info, value);
    if (std::ranges::find(problems, mistake.pointer, &problem::pointer) == problems.end())
        problems.push_back(std::move(mistake));
}

problem option_problem(const option_info& info, const json& found)
{
    return {
        .pointer = pointer_step(info.name),
        .found = in_words(found),
        .expected = expected_in_words(info, found),
        .hint =
            found.is_string()
                ? did_you_mean(found.get_ref<const std::string&>(), info.limits.choices)
                : ""
    };
}

}  // namespace sluice::pipeline::detail
