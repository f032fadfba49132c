// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "option_values.hpp"

#include "pipeline/description/document.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>

#include <CLI/Error.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <tuple>

namespace sluice::cli {

using pipeline::detail::in_quotes;
using pipeline::detail::parse_duration;
using namespace std::chrono_literals;

namespace {

CLI::ValidationError refusal(const std::string& given, std::string_view expected)
{
    return CLI::ValidationError(
        fmt::format("found {}, expected {}", in_quotes(given), expected)
    );
}

// Both parts of NAME=VALUE.
std::pair<std::string, std::string> split(
    const std::string& given,
    bool (*is_name)(std::string_view),
    std::string_view expected
)
{
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos ||
        !is_name(std::string_view(given).substr(0, equals)))
        throw refusal(given, expected);
    return {given.substr(0, equals), given.substr(equals + 1)};
}

// As the live page takes it. There a wrong one would be an error of the run.
bool is_address(const std::string& text)
{
    boost::system::error_code ec;
    std::ignore = boost::asio::ip::make_address(text, ec);
    return text == "localhost" || !ec;
}

}  // namespace

std::size_t parse_choice(const std::string& given, const std::vector<std::string>& known)
{
    const auto found = std::ranges::find(known, given);
    if (found == known.end())
        throw refusal(given, pipeline::detail::one_of(known));
    return static_cast<std::size_t>(found - known.begin());
}

pipeline::description_override parse_override(const std::string& given)
{
    const auto is_pointer = [](std::string_view name) { return name.starts_with('/'); };
    auto [pointer, value] = split(
        given,
        is_pointer,
        "POINTER=VALUE with a JSON pointer, such as /runners/0/workers=4"
    );
    return {.pointer = pointer, .value = value};
}

std::pair<std::string, std::string> parse_parameter(const std::string& given)
{
    return split(
        given,
        pipeline::detail::is_parameter_name,
        "NAME=VALUE with a name of letters, digits and _, such as INPUT=access.log"
    );
}

std::string parse_name(const std::string& given)
{
    if (given.empty())
        throw refusal(given, "a name");
    return given;
}

report_arguments parse_report(const std::string& given)
{
    constexpr std::string_view to_file = "json=";
    if (given.starts_with(to_file) && given.size() > to_file.size())
        return {.format = report_format::json, .file = given.substr(to_file.size())};
    constexpr report_format formats[] = {
        report_format::text,
        report_format::json,
        report_format::json,
        report_format::none
    };
    return {
        .format = formats[parse_choice(given, {"text", "json", "json=FILE", "none"})],
        .file = {}
    };
}

std::vector<std::string> parse_names(const std::string& given)
{
    std::vector<std::string> found;
    std::istringstream rest(given);
    for (std::string name; std::getline(rest, name, ',');)
        found.push_back(name);
    if (found.empty() || std::ranges::count(found, "") > 0)
        throw refusal(given, "names with commas between them, such as read,split");
    return found;
}

std::chrono::nanoseconds parse_limit(const std::string& given)
{
    const auto duration = parse_duration(given);
    if (!duration)
        throw refusal(given, "a duration, such as 90s, 250ms or 10m");
    return *duration;
}

std::size_t parse_count(const std::string& given)
{
    const auto count = text::whole_number<std::size_t>(given);
    if (count.value_or(0) == 0)
        throw refusal(given, "a whole number above 0");
    return *count;
}

std::chrono::nanoseconds parse_linger(const std::string& given)
{
    return given == "forever" ? std::chrono::nanoseconds::max() : parse_limit(given);
}

std::string parse_host_name(const std::string& given)
{
    const bool is_name = !given.empty() && std::ranges::all_of(given, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text::is_digit(c) ||
               c == '-' || c == '_' || c == '.';
    });
    if (!is_name)
        throw refusal(given, "the name of a host, without a port, such as importer");
    return given;
}

void parse_serve(const std::string& given, serve_arguments& result)
{
    const std::size_t colon = given.rfind(':');
    const bool has_address = colon != std::string::npos;
    std::string address = has_address ? given.substr(0, colon) : result.address;
    if (address.starts_with('[') && address.ends_with(']'))
        address = address.substr(1, address.size() - 2);
    const auto port = text::whole_number<unsigned short>(
        has_address ? given.substr(colon + 1) : given
    );
    if (!is_address(address) || !port)
        throw refusal(
            given,
            "[ADDRESS:]PORT with a port up to 65535 and an IP address or localhost, such "
            "as 8080, 0.0.0.0:8080 or [::1]:0"
        );
    result.address = address;
    result.port = *port;
}

}  // namespace sluice::cli
