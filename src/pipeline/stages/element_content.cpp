// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/element_content.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

using json_pointer = json_value::json_pointer;

// The stage that makes one kind of the other.
const char* remedy_for(element_kind expected)
{
    if (expected == element_kind::value)
        return R"(map with "extract" makes a value of a text)";
    return R"(map with "field" gives a text out of a value)";
}

[[noreturn]] void fail(const element& given, const char* what, element_kind expected)
{
    throw std::runtime_error(fmt::format(
        "{} takes a {}, but got the {} {}; {}",
        what,
        to_string(expected),
        to_string(given.kind()),
        shown(given),
        remedy_for(expected)
    ));
}

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
    } catch (const json_value::exception&) {
        throw option_error(
            option,
            detail::in_quotes(written),
            "a JSON pointer, where ~0 stands for ~ and ~1 for /"
        );
    }
}

}  // namespace

void check_text(const element& given, const char* what)
{
    if (!given.is_text())
        fail(given, what, element_kind::text);
}

void check_value(const element& given, const char* what)
{
    if (given.kind() != element_kind::value)
        fail(given, what, element_kind::value);
}

json_value& expect_value(element& given, const char* what)
{
    check_value(given, what);
    return given.value();
}

std::string shown(element given)
{
    constexpr std::size_t most = 120;
    const std::string all = std::move(given).to_text(invalid_utf8::show);
    return fmt::format(
        "{}{}",
        text::cut_to_bytes(all, most),
        all.size() > most ? "..." : ""
    );
}

element from_json(json_value item)
{
    if (item.is_string())
        return element(std::move(item.get_ref<std::string&>()));
    return element(std::move(item));
}

std::optional<std::vector<element>> items_of(element& given)
{
    if (!detail::view_of(given).is_array())
        return std::nullopt;
    std::vector<element> items;
    for (json_value& item : given.value())
        items.push_back(from_json(std::move(item)));
    return items;
}

field_path::field_path(const std::string& written, const char* option)
    : written_(written), pointer_(parse(written, option))
{
    for (json_pointer rest = pointer_; !rest.empty(); rest.pop_back())
        steps_.insert(steps_.begin(), rest.back());
}

bool field_finder::learn(const detail::record_block& block)
{
    if (path_->steps_.size() != 1)
        return false;
    names_ = block.shared_names();  // which keeps their address from being reused
    index_ = names_->find(path_->steps_.front());
    return true;
}

value_view field_path::find_in(const element& value) const
{
    return detail::has_fields(value)
               ? find_behind(1, detail::field_of(value, steps_.front()))
               : find_behind(0, detail::view_of(value));
}

value_view field_path::find_behind(std::size_t steps, value_view found) const
{
    const auto is_index = [](const std::string& step) {
        return std::ranges::all_of(step, text::is_digit) &&
               (step.size() == 1 || (step.size() < 10 && step.front() != '0'));
    };
    for (const std::string& step : std::span(steps_).subspan(steps))
        if (found.is_array())
            found = is_index(step) ? found.item(std::stoul(step)) : value_view();
        else
            found = found.member(step);
    return found;
}

}  // namespace sluice::pipeline
