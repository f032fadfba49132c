// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/data/value_view.hpp"

#include "pipeline/data/json_text.hpp"
#include "text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace sluice::pipeline {

namespace {

bool begins_number(char c) noexcept
{
    return c == '-' || text::is_digit(c);
}

char first_of(std::string_view json) noexcept
{
    return json.empty() ? '\0' : json.front();
}

// A whole number of few digits, as most are; nothing if it is something else.
std::optional<std::int64_t> short_whole(std::string_view text) noexcept
{
    constexpr std::size_t most_digits = 18;  // so that none is too large
    if (text.empty() || text.size() > most_digits ||
        (text.front() == '0' && text.size() > 1))
        return std::nullopt;
    std::int64_t whole = 0;
    for (const char c : text) {
        if (!text::is_digit(c))
            return std::nullopt;
        whole = 10 * whole + (c - '0');
    }
    return whole;
}

// Of a number that no double holds: whether it is too large, and not so small that it is zero: by
// the place of its first digit.
bool is_too_large(std::string_view digits) noexcept
{
    const auto end = std::min(digits.find_first_of("eE"), digits.size());
    const std::string_view mantissa = digits.substr(0, end);
    const auto place_of = [&](std::size_t found) {
        return static_cast<std::int64_t>(std::min(found, end));
    };
    std::string_view power = digits.substr(std::min(end + 1, digits.size()));
    if (power.starts_with('+'))
        power.remove_prefix(1);
    std::int32_t exponent = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec ==
        std::errc::result_out_of_range)
        return !power.starts_with('-');
    return place_of(mantissa.find('.')) - place_of(mantissa.find_first_of("123456789")) +
               exponent >
           0;
}

// Apart, so that it costs the short ones nothing. The grammar of JSON has neither 007 nor .5 nor 1.
// nor +1, which from_chars() takes in part.
[[gnu::noinline]] std::optional<number> parse_any(std::string_view text) noexcept
{
    const char* const end = text.data() + text.size();
    std::string_view digits = text;
    if (digits.starts_with('-'))
        digits.remove_prefix(1);
    if (digits.empty() || !text::is_digit(digits.front()) ||
        !text::is_digit(digits.back()) ||
        (digits.front() == '0' && digits.size() > 1 && text::is_digit(digits[1])))
        return std::nullopt;
    std::int64_t whole = 0;
    if (const auto [rest, error] = std::from_chars(text.data(), end, whole);
        rest == end && error == std::errc() && text != "-0")
        return number(whole);
    std::uint64_t large = 0;
    if (const auto [rest, error] = std::from_chars(text.data(), end, large);
        rest == end && error == std::errc())
        return number(large);
    const auto point = digits.find('.');
    if (point != digits.npos && !text::is_digit(digits[point + 1]))
        return std::nullopt;
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (rest != end || error == std::errc::invalid_argument || !std::isfinite(value))
        return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        if (is_too_large(digits))
            return std::nullopt;
        value = 0;
    }
    return number(value);
}

}  // namespace

std::optional<number> number::parse(std::string_view text) noexcept
{
    const auto whole = short_whole(text);
    return whole ? number(*whole) : parse_any(text);
}

bool value_view::is_null() const noexcept
{
    switch (is_) {
    case form::json:
        return first_of(bytes_) == 'n';
    case form::computed:
        return computed_->is_null();
    default:
        return false;
    }
}

bool value_view::is_string() const noexcept
{
    switch (is_) {
    case form::text:
        return true;
    case form::json:
        return first_of(bytes_) == '"';
    case form::computed:
        return computed_->is_string();
    default:
        return false;
    }
}

bool value_view::is_object() const noexcept
{
    return is_ == form::computed ? computed_->is_object()
                                 : is_ == form::json && first_of(bytes_) == '{';
}

bool value_view::is_array() const noexcept
{
    return is_ == form::computed ? computed_->is_array()
                                 : is_ == form::json && first_of(bytes_) == '[';
}

std::optional<bool> value_view::as_flag() const noexcept
{
    if (is_ == form::json && (first_of(bytes_) == 't' || first_of(bytes_) == 'f'))
        return bytes_.front() == 't';
    if (is_ == form::computed && computed_->is_boolean())
        return computed_->get<bool>();
    return std::nullopt;
}

std::optional<number> value_view::as_number() const noexcept
{
    if (is_ == form::json)
        return begins_number(first_of(bytes_)) ? number::parse(bytes_) : std::nullopt;
    if (is_ != form::computed || !pipeline::is_number(*computed_))
        return std::nullopt;
    if (computed_->is_number_unsigned()) {
        const auto value = computed_->get<std::uint64_t>();
        if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
            return number(value);
        return number(static_cast<std::int64_t>(value));
    }
    if (computed_->is_number_integer())
        return number(computed_->get<std::int64_t>());
    if (computed_->is_number_float())
        return number(computed_->get<double>());
    const auto& written = computed_->get_binary();
    return number::parse({reinterpret_cast<const char*>(written.data()), written.size()});
}

std::string_view value_view::string(std::string& scratch) const
{
    switch (is_) {
    case form::json:
        return json_string(bytes_, scratch);
    case form::computed:
        return computed_->get_ref<const std::string&>();
    default:
        return bytes_;
    }
}

value_view value_view::member(std::string_view name) const
{
    std::string scratch;
    std::string_view rest = bytes_;
    if (is_ == form::json)
        while (const auto next = take_json_member(rest))
            if (json_string(next->name, scratch) == name)
                return of_json(next->value);
    if (is_ != form::computed || !computed_->is_object())
        return {};
    for (const auto& [key, value] : computed_->get_ref<const json_value::object_t&>())
        if (key == name)
            return value_view(value);
    return {};
}

value_view value_view::item(std::size_t index) const
{
    std::string_view rest = bytes_;
    if (is_ == form::json)
        while (const auto next = take_json_item(rest))
            if (index-- == 0)
                return of_json(*next);
    if (is_ != form::computed || !computed_->is_array() || index >= computed_->size())
        return {};
    return value_view((*computed_)[index]);
}

json_value value_view::to_json() const
{
    switch (is_) {
    case form::text:
        return std::string(bytes_);
    case form::json:
        return parse_json(bytes_);
    case form::computed:
        return *computed_;
    default:
        return nullptr;
    }
}

std::string_view value_view::written(std::string& scratch, invalid_utf8 rule) const
{
    if (is_string())
        return string(scratch);
    if (is_ == form::json)
        return bytes_;
    scratch.clear();
    append_json(scratch, rule);
    return scratch;
}

void value_view::append_json(std::string& out, invalid_utf8 rule) const
{
    switch (is_) {
    case form::text:
        return append_json_string(bytes_, out, rule);
    case form::json:
        out += bytes_;
        return;
    case form::computed:
        pipeline::append_json(*computed_, out, rule);
        return;
    default:
        out += "null";
    }
}

void value_view::append_compact(std::string& out, invalid_utf8 rule) const
{
    if (is_ != form::json)
        return append_json(out, rule);
    const bool may_differ = is_object() || is_array() ||
                            (is_string() &&
                             !is_plain_text(bytes_.substr(1, bytes_.size() - 2)));
    if (may_differ)
        pipeline::append_json(parse_json(bytes_), out, rule);
    else
        out += bytes_;
}

}  // namespace sluice::pipeline
