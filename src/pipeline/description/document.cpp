// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/document.hpp"

#include "pipeline/description/part.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <sstream>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

// Builds the document out of what the parser reports.
class document_builder : public nlohmann::json_sax<json>
{
public:
    document_builder(std::string_view text, std::vector<problem>& problems)
        : text_(text), stream_(std::string(text)), problems_(problems)
    {
    }

    [[nodiscard]] std::optional<document> build()
    {
        // The parser would take it for the end of the text.
        if (const std::size_t end = text_.find('\0') + 1; end > 0) {
            note(end, fmt::format("a byte 0 in column {}", column_of(end)), "JSON");
            return std::nullopt;
        }
        if (!json::sax_parse(stream_, this))
            return std::nullopt;
        return std::move(result_);
    }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(std::int64_t value) override { return add(value); }
    bool number_unsigned(std::uint64_t value) override { return add(value); }
    bool number_float(double value, const std::string&) override { return add(value); }
    bool string(std::string& value) override { return add(std::move(value)); }
    bool binary(json::binary_t&) override { return false; }  // not in JSON texts
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(std::string& name) override
    {
        const bool is_new = !open_.back().where->members.contains(name);
        open_.back().step = std::move(name);
        add_place();
        const std::string found = in_quotes(open_.back().step) + " a second time";
        if (!is_new && problems_.size() < most_problems)
            note(read(), found, "each name once in an object; remove one of the two");
        return true;
    }

    bool parse_error(
        std::size_t read,
        const std::string& token,
        const json::exception& error
    ) override
    {
        const std::string message = without_token(error.what());
        constexpr int number_overflow = 406;
        std::string found = "the end of the text";
        if (read <= text_.size())
            found = fmt::format("{} in column {}", in_quotes(token), column_of(read));
        if (error.id == number_overflow)
            note(read, found, "a number of at most 1.797e308");
        else
            note(read, found, "JSON; " + message.substr(message.find(": ") + 2));
        return false;
    }

private:
    // An object or array that has not ended.
    struct container
    {
        json* value;
        place* where;
        std::string step;  // to its member that was begun last
    };

    // How many bytes the parser has read, which only the stream knows.
    std::size_t read()
    {
        return text_.size() - static_cast<std::size_t>(stream_.rdbuf()->in_avail());
    }

    // The line of the byte before; a newline still belongs to its line.
    std::size_t line_of(std::size_t end)
    {
        for (; passed_ + 1 < std::min(end, text_.size()); ++passed_)
            line_ += text_[passed_] == '\n' ? 1U : 0U;
        return line_;
    }

    // Of the byte before, from 1, in characters.
    [[nodiscard]] std::ptrdiff_t column_of(std::size_t end) const
    {
        const std::size_t begin = text_.substr(0, end - 1).rfind('\n') + 1;
        const std::string_view line = text_.substr(begin, end - begin);
        return std::ranges::count_if(line, text::begins_character);
    }

    // A hint may follow what is expected; see part.
    void note(std::size_t end, std::string found, const std::string& expected)
    {
        std::string pointer;
        for (const container& each : open_)
            pointer += each.where->members.empty() ? "" : pointer_step(each.step);
        part{pointer, nullptr, problems_}.note("", std::move(found), "{}", expected);
        problems_.back().line = line_of(end);
    }

    // The place of the value that begins.
    place& add_place()
    {
        place& added = open_.empty() ? result_.root
                                     : open_.back().where->members[open_.back().step];
        added = {line_of(read()), ++result_.count, {}};
        return added;
    }

    container put(json value)
    {
        json* at = &result_.values;
        if (!open_.empty()) {
            auto& [outer, where, step] = open_.back();
            if (outer->is_array())
                step = std::to_string(outer->size());
            at = outer->is_array() ? &outer->emplace_back() : &(*outer)[step];
        }
        *at = std::move(value);
        return {at, &add_place(), {}};
    }

    bool add(json value)
    {
        put(std::move(value));
        return true;
    }

    bool open(json empty)
    {
        constexpr auto found = "an array or object inside of {} others";
        constexpr auto deepest = deepest_nesting;
        if (open_.size() == deepest) {
            const auto most = fmt::format("at most {} levels", deepest);
            note(read(), fmt::format(found, deepest), most);
            return false;
        }
        open_.push_back(put(std::move(empty)));
        return true;
    }

    bool close()
    {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    std::istringstream stream_;
    std::vector<problem>& problems_;
    std::size_t passed_ = 0;  // bytes whose newlines line_ has counted
    std::size_t line_ = 1;
    document result_;
    std::vector<container> open_;  // from the outermost
};

void forget_lines(place& where)
{
    where.line = 0;
    for (auto& [name, member] : where.members)
        forget_lines(member);
}

// A JSON text, or else a string as it is: `4` and `"4"` differ, `5s` needs no quotes.
document value_of(const std::string& text)
{
    std::vector<problem> problems;
    auto parsed = parse_document(text, problems);
    if (!parsed || !problems.empty())
        return {.values = text};
    forget_lines(parsed->root);
    return *std::move(parsed);
}

// Where in an array a step leads: to the only runner of that name, or else the only one of that
// stage, to an index, or to the end. Nothing if nowhere; then it adds the names that there are.
std::optional<std::size_t> index_in(
    const json& array,
    const std::string& step,
    std::vector<std::string>& names
)
{
    for (const char* const member : {"name", "stage"}) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < array.size(); ++i)
            if (array[i].is_object() && array[i].contains(member)) {
                names.push_back(text_of(array[i][member]));
                if (names.back() == step)
                    found.push_back(i);
            }
        if (found.size() == 1)
            return found.front();
    }
    if (step == "-")
        return array.size();
    const auto index = text::whole_number<std::size_t>(step);
    const bool is_plain = index && std::to_string(*index) == step;
    return is_plain && *index <= array.size() ? index : std::nullopt;
}

// For a step that is none of the names.
std::string hint_for(const std::string& step, std::vector<std::string> names)
{
    if (const std::string nearest = did_you_mean(step, names); !nearest.empty())
        return nearest;
    std::ranges::sort(names);
    const auto twice = std::ranges::unique(names);
    names.erase(twice.begin(), twice.end());
    return names.empty() ? "" : fmt::format("known names: {}", fmt::join(names, ", "));
}

// Replaces parameters in a value and all that it has.
class parameter_replacement
{
public:
    parameter_replacement(const parameter_lookup& lookup, std::vector<problem>& problems)
        : lookup_(lookup), problems_(problems)
    {
    }

    void replace_in(json& value)
    {
        if (value.is_string())
            value = replaced(value.get_ref<const std::string&>());
        if (value.is_structured())
            for (const auto& [step, member] : value.items()) {
                pointer_.push_back(step);
                replace_in(member);
                pointer_.pop_back();
            }
    }

private:
    std::string replaced(std::string_view rest)
    {
        std::string result;
        for (auto at = rest.find("${"); at != rest.npos; at = rest.find("${")) {
            const std::string_view behind = rest.substr(at + 2);
            const std::string name(behind.substr(0, behind.find('}')));
            const bool is_name = name.size() < behind.size() && is_parameter_name(name);
            const bool is_doubled = is_name && at > 0 && rest[at - 1] == '$';
            result += rest.substr(0, is_doubled ? at - 1 : at);
            result += is_doubled ? "${" + name + "}" : is_name ? value_of(name) : "${";
            rest = is_name ? behind.substr(name.size() + 1) : behind;
        }
        return result.append(rest);
    }

    std::string value_of(const std::string& name)
    {
        if (auto value = lookup_(name))
            return *std::move(value);
        constexpr auto found = "${{{}}}, which has no value";
        constexpr auto expected = "a parameter or a variable of the environment of that "
                                  "name; write $${{{}}} if this is no parameter";
        part{pointer_.to_string(), nullptr, problems_}
            .note("", fmt::format(found, name), expected, name);
        return {};
    }

    const parameter_lookup& lookup_;
    std::vector<problem>& problems_;
    json::json_pointer pointer_;  // to the value
};

}  // namespace

std::optional<document> parse_document(
    std::string_view text,
    std::vector<problem>& problems
)
{
    return document_builder(text, problems).build();
}

void document::set(const description_override& change, std::vector<problem>& problems)
{
    const auto steps = pointer_steps(change.pointer);
    part at{change.pointer, nullptr, problems};
    if (!steps || steps->empty() || steps->size() > deepest_nesting) {
        constexpr auto expected = R"(a JSON pointer such as "/runners/0/workers")";
        at.note("", in_quotes(change.pointer) + " to be set", expected);
        return;
    }
    constexpr auto array = "an array of {} elements";
    constexpr auto member =
        R"(a pointer to a member, or "-" for a new one at the end of an array; {})";
    json* value = &values;
    place* where = &root;
    for (const std::string& step : *steps) {
        if (value->is_null())
            *value = json::object();
        std::vector<std::string> names;
        const bool is_array = value->is_array();
        const auto index = is_array ? index_in(*value, step, names) : std::nullopt;
        if (!value->is_object() && !index) {
            const auto what = is_array ? fmt::format(array, value->size())
                                       : in_words(*value);
            const auto found = fmt::format("{}, which has no {}", what, in_quotes(step));
            at.note("", found, member, hint_for(step, std::move(names)));
            return;
        }
        if (index && *index == value->size())
            value->push_back(nullptr);
        value = index ? &(*value)[*index] : &(*value)[step];
        where = &where->members[index ? std::to_string(*index) : step];
        where->order = where->order == 0 ? ++count : where->order;
    }
    document replacement = value_of(change.value);
    replacement.root.order = where->order;
    *value = std::move(replacement.values);
    *where = std::move(replacement.root);
}

void document::replace_parameters(
    const parameter_lookup& lookup,
    std::vector<problem>& problems
)
{
    parameter_replacement(lookup, problems).replace_in(values);
}

std::vector<std::string> document::names_in(const std::string& member) const
{
    std::map<std::size_t, std::string> by_order;
    if (const auto found = root.members.find(member); found != root.members.end())
        for (const auto& [name, where] : found->second.members)
            by_order.emplace(where.order, name);
    const auto names = std::views::values(by_order);
    return {names.begin(), names.end()};
}

void document::locate(problem& mistake) const
{
    const auto steps =
        pointer_steps(mistake.pointer).value_or(std::vector<std::string>());
    const place* where = &root;
    mistake.pointer.clear();
    for (const std::string& step : steps) {
        const auto found = where->members.find(step);
        if (found == where->members.end())
            break;
        where = &found->second;
        mistake.pointer += pointer_step(step);
    }
    mistake.line = where->line;
}

std::optional<std::vector<std::string>> pointer_steps(const std::string& pointer)
{
    try {
        std::vector<std::string> steps;
        for (json::json_pointer rest(pointer); !rest.empty(); rest.pop_back())
            steps.push_back(rest.back());
        std::ranges::reverse(steps);
        return steps;
    } catch (const json::parse_error&) {
        return std::nullopt;
    }
}

bool is_parameter_name(std::string_view text)
{
    const auto is_in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
               text::is_digit(c);
    };
    return !text.empty() && !text::is_digit(text[0]) &&
           std::ranges::all_of(text, is_in_name);
}

}  // namespace sluice::pipeline::detail
