// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/words.hpp"

#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/json_value.hpp>
#include <sluice/pipeline/problem.hpp>

#include <fmt/format.h>

#include <cstddef>

namespace sluice::pipeline::detail {

namespace {

constexpr std::size_t longest_quote = 60;

// Parameters and the command line bring bytes that are not UTF-8.
std::string written(const json_value& value)
{
    return to_json_text(value, invalid_utf8::show);
}

}  // namespace

std::string in_quotes(std::string_view text)
{
    const bool cut = text.size() > longest_quote;
    std::string quote = written(std::string(text::cut_to_bytes(text, longest_quote)));
    if (cut)
        quote.insert(quote.size() - 1, "...");
    return quote;
}

std::string runner_title(std::string_view name, std::string_view stage)
{
    std::string title = text::printable(name);
    if (name != stage)
        title.append(" (").append(stage).append(")");
    return title;
}

std::string in_words(const nlohmann::json& value)
{
    if (value.is_structured())
        return value.is_array() ? "an array" : "an object";
    return value.is_string() ? in_quotes(value.get_ref<const std::string&>())
                             : value.dump();
}

std::string in_json(const nlohmann::json& value)
{
    const std::string whole = written(json_value(value));
    const std::string_view beginning = text::cut_to_bytes(whole, longest_quote);
    return fmt::format("{}{}", beginning, beginning.size() < whole.size() ? "..." : "");
}

std::string one_of(const std::vector<std::string>& names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    return list;
}

std::string counted(std::size_t count, std::string_view thing)
{
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
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

std::string pointer_step_to_one_of(std::size_t count, std::size_t index)
{
    return count == 1 ? "" : fmt::format("/{}", index);
}

}  // namespace sluice::pipeline::detail
