// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/stage_options.hpp>

#include "pipeline/words.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <cmath>

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
    const auto text = [](std::optional<double> limit) {
        return limit ? to_json_value(*limit).dump() : "";
    };
    const std::string least = text(limits.minimum);
    const std::string most = text(limits.maximum);
    if (least.empty())
        return most.empty() ? number : fmt::format("{} of at most {}", number, most);
    return most.empty() ? fmt::format("{} of at least {}", number, least)
                        : fmt::format("{} from {} to {}", number, least, most);
}

// What an option takes, for one who wrote `found`.
std::string expected_in_words(const option_info& info, const json& found)
{
    const option_limits& limits = info.limits;
    if (!limits.choices.empty())
        return one_of(limits.choices);
    switch (info.type) {
    case option_type::text:
        return "a string";
    case option_type::texts:
        return "a string or an array of strings";
    case option_type::integer:
        if (const double number = found.is_number() ? found.get<double>() : 0;
            is_whole(number) && std::abs(number) >= two_to_the_63 &&
            !(limits.minimum && limits.maximum))
            return "a whole number between -2^63 and 2^63";
        return range_in_words("a whole number", limits);
    case option_type::number:
        return range_in_words("a number", limits);
    case option_type::flag:
        return "true or false";
    case option_type::duration:
        return R"(a duration such as "250ms", "1.5s" or "2m", of at most six digits before the point)";
    case option_type::size:
        return R"(a size such as "64 MiB", with B, kB, MB, GB, KiB, MiB or GiB, or a number of bytes)";
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
    if (!value.is_number())
        return limits.choices.empty() || !value.is_string() ||
               std::ranges::count(limits.choices, text_of(value)) > 0;
    const auto number = value.get<double>();
    return number >= limits.minimum.value_or(number) &&
           number <= limits.maximum.value_or(number);
}

template <class T>
bool read_if(bool is_of_type, const json& given, T& value)
{
    if (is_of_type)
        given.get_to(value);
    return is_of_type;
}

}  // namespace

problem problem_of(const option_error& wrong)
{
    return {
        .pointer = "/" + wrong.option(),
        .found = wrong.found(),
        .expected = wrong.what()
    };
}

std::string text_of(const json& value)
{
    return value.is_string() ? value.get<std::string>() : "";
}

bool read_value(const json& given, std::string& value)
{
    return read_if(given.is_string(), given, value);
}

bool read_value(const json& given, texts& value)
{
    if (given.is_string())
        value = {text_of(given)};
    const bool are_texts = given.is_array() &&
                           std::ranges::all_of(given, &json::is_string);
    return read_if(are_texts, given, value) || given.is_string();
}

// 1e3 and 5.0 are whole numbers in JSON.
bool read_value(const json& given, std::int64_t& value)
{
    const double number = given.is_number_float() ? given.get<double>() : 0;
    bool fits = given.is_number() && is_whole(number) && number >= -two_to_the_63 &&
                number < two_to_the_63;
    if (given.is_number_unsigned())
        fits = std::in_range<std::int64_t>(given.get<std::uint64_t>());
    return read_if(fits, given, value);
}

bool read_value(const json& given, double& value)
{
    return read_if(given.is_number(), given, value);
}

bool read_value(const json& given, bool& value)
{
    return read_if(given.is_boolean(), given, value);
}

bool read_value(const json& given, nanoseconds& value)
{
    const auto parsed = text::parse_duration(text_of(given));
    value = parsed.value_or(value);
    return parsed.has_value();
}

bool read_value(const json& given, byte_size& value)
{
    if (!given.is_string())
        return read_value(given, value.count);
    const auto parsed = text::parse_byte_size(text_of(given));
    value.count = parsed.value_or(value.count);
    return parsed.has_value();
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

json to_json_value(nanoseconds value)
{
    return text::duration_text(value);
}

json to_json_value(byte_size value)
{
    return text::byte_size_text(value.count);
}

namespace {

// Whether another option is there without which this one would do nothing.
bool has_needed(
    const json& given,
    const std::vector<option_info>& known,
    const option_limits& limits
)
{
    const auto is_there = [&](const std::string& name) {
        const auto info = std::ranges::find(known, name, &option_info::name);
        const json value = info != known.end() ? given.value(name, info->default_value)
                                               : json();
        if (!limits.needed_text.empty())
            return value == limits.needed_text;
        const bool is_none = value == 0 && info->default_value == 0;
        return !value.empty() && value != false && !is_none;
    };
    return limits.needs.empty() || std::ranges::any_of(limits.needs, is_there);
}

std::string needed_in_words(const option_limits& limits)
{
    std::vector<std::string> names;
    std::ranges::transform(limits.needs, std::back_inserter(names), in_quotes);
    return limits.needed_text.empty()
               ? "there is " + one_of(names)
               : fmt::format("{} is {}", one_of(names), in_quotes(limits.needed_text));
}

// Adds the names of an object that are not known, or missing.
void check_names(
    const json& given,
    const std::vector<option_info>& known,
    std::vector<problem>& problems
)
{
    std::vector<std::string> names;
    for (const option_info& info : known)
        names.push_back(info.name);
    for (const auto& [name, value] : given.items())
        if (std::ranges::count(names, name) == 0)
            problems.push_back(
                {.pointer = pointer_step(name),
                 .found = in_quotes(name),
                 .expected = names.empty() ? "nothing here" : one_of(names),
                 .hint = did_you_mean(name, names)}
            );
    for (const auto& [name, type, summary, required, default_value, limits] : known)
        if (required && !given.contains(name))
            problems.push_back(
                {.pointer = pointer_step(name),
                 .found = "no " + in_quotes(name),
                 .expected = fmt::format("{} ({})", in_quotes(name), summary)}
            );
        else if (given.contains(name) && !has_needed(given, known, limits))
            problems.push_back(
                {.pointer = pointer_step(name),
                 .found = in_json(given.at(name)),
                 .expected = "no such option, unless " + needed_in_words(limits)}
            );
}

// Adds a problem if the value is of another type, or outside of the limits. Null is no value.
void check_value(
    const json& value,
    bool is_of_type,
    const option_info& info,
    std::vector<problem>& problems
)
{
    if (is_of_type && is_allowed(value, info.limits))
        return;
    problems.push_back(
        {.pointer = pointer_step(info.name),
         .found = in_words(value),
         .expected = expected_in_words(info, value),
         .hint = did_you_mean(text_of(value), info.limits.choices)}
    );
}

}  // namespace

void option_table::add(
    const option_access& access,
    offset member,
    std::string_view name,
    std::string_view summary,
    const option_limits& limits,
    bool required,
    const json& default_value
)
{
    infos_.push_back(
        {std::string(name),
         access.type,
         std::string(summary),
         required,
         default_value,
         limits}
    );
    members_.push_back({&access, member});
}

void option_table::read(const json& given, void* options, std::vector<problem>& problems)
    const
{
    check_names(given, infos_, problems);
    for (std::size_t i = 0; i < infos_.size(); ++i)
        if (const auto found = given.find(infos_[i].name); found != given.end()) {
            const auto& [access, at] = members_[i];
            void* const member = at ? static_cast<char*>(options) + *at : nullptr;
            check_value(*found, access->read(*found, member), infos_[i], problems);
        }
}

void option_table::check(const void* options, std::vector<problem>& problems) const
{
    const auto* const begin = static_cast<const char*>(options);
    for (std::size_t i = 0; i < infos_.size(); ++i)
        if (const auto& [access, at] = members_[i]; at)
            check_value(access->write(begin + *at), true, infos_[i], problems);
}

}  // namespace sluice::pipeline::detail
