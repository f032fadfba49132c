// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/words.hpp"

#include <sluice/pipeline/problem.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sluice::pipeline::detail {

namespace {

constexpr std::size_t longest_quote = 60;

}  // namespace

std::size_t count_characters(std::string_view utf8)
{
    return static_cast<std::size_t>(std::ranges::count_if(utf8, begins_a_character));
}

std::string in_quotes(std::string_view text)
{
    const bool cut = text.size() > longest_quote;
    if (cut) {
        std::size_t length = longest_quote;
        while (length > 0 && !begins_a_character(text[length]))
            --length;
        text = text.substr(0, length);
    }
    const nlohmann::json json = text;
    std::string quote =
        json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (cut)
        quote.insert(quote.size() - 1, "...");
    return quote;
}

std::string in_words(const nlohmann::json& value)
{
    switch (value.type()) {
    case nlohmann::json::value_t::string:
        return in_quotes(value.get_ref<const std::string&>());
    case nlohmann::json::value_t::array:
        return "an array";
    case nlohmann::json::value_t::object:
        return "an object";
    default:
        return value.dump();
    }
}

std::string one_of(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            list += i + 1 < names.size() ? ", " : " or ";
        list += names[i];
    }
    return list;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known)
{
    const std::string nearest = nearest_name(name, known);
    return nearest.empty() ? "" : fmt::format("did you mean {}?", in_quotes(nearest));
}

std::string pointer_step(std::string_view name)
{
    return (nlohmann::json::json_pointer() / std::string(name)).to_string();
}

}  // namespace sluice::pipeline::detail
