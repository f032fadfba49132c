// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "fuzz/fuzzing.hpp"
#include "fuzz/stages.hpp"
#include "pipeline/stages/worker_function_stage.hpp"
#include "pipeline/to_lines.hpp"
#include "pipeline/words.hpp"
#include "text/printable.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/problem.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Input: a byte of options, a line with a name, and a text.

namespace sluice::fuzz {

namespace {

using namespace pipeline;

enum : unsigned
{
    lower = 1,
    longer_words = 2
};

std::unique_ptr<stage> split_words(unsigned flags)
{
    nlohmann::json options = {{"lower", (flags & lower) != 0}};
    if ((flags & longer_words) != 0)
        options["min_length"] = 3;
    std::vector<problem> problems;
    auto made = stages().find("split_words")->make(options, problems);
    require(made != nullptr && problems.empty(), "the options are right");
    return made;
}

std::vector<element> applied(const stage& splitter, element given)
{
    std::vector<element> out;
    dynamic_cast<const worker_function_stage&>(splitter).make_function()(
        std::move(given),
        out
    );
    return out;
}

void try_split_words(const stage& splitter, std::string_view text, bool keeps_case)
{
    const std::vector<element> words = applied(splitter, element(text));
    std::size_t at = 0;
    for (const element& word : words) {
        require(!word.text().empty(), "a word has a character");
        if (!keeps_case)
            continue;
        require(
            applied(splitter, word) == std::vector<element>{word},
            "a word consists of one word"
        );
        at = text.find(word.text(), at);
        require(at != text.npos, "words are parts of the text, in their order");
        at += word.text().size();
    }
}

std::string unescaped(std::string_view line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\') {
            text += line[i];
            continue;
        }
        require(++i < line.size(), "a backslash is not the last character");
        const char escaped = line[i];
        text += escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
    }
    return text;
}

void try_to_line(const std::string& text)
{
    require(to_line(text, newline_rule::keep) == text, "a text that is kept stays");
    const std::string line = to_line(text, newline_rule::escape);
    require(line.find_first_of("\r\n") == line.npos, "what is escaped is one line");
    require(unescaped(line) == text, "no other text looks the same");
    const bool has_newline = text.find('\n') != text.npos;
    try {
        require(to_line(text, newline_rule::refuse) == text, "a line stays");
        require(!has_newline, "newlines are refused");
    } catch (const refused_line&) {
        require(has_newline, "only newlines are refused");
    }
    const element list(json_value::array({text}));
    std::string json;
    append_element(list, {.bytes = invalid_utf8::replace}, json);
    require(nlohmann::json::accept(json), "JSON is written, whatever the text");
}

bool is_one_plain_line(const std::string& text)
{
    // The JSON library accepts no control characters in strings, and nothing but UTF-8.
    const std::string quoted = nlohmann::json(text).dump(
        -1,
        ' ',
        false,
        nlohmann::json::error_handler_t::ignore
    );
    std::size_t escapes = 0;
    for (const char c : text)
        escapes += c == '"' || c == '\\' ? 1U : 0U;
    return quoted.size() == text.size() + escapes + 2;
}

void try_printable(std::string_view text)
{
    const std::string shown = text::printable(text);
    require(is_one_plain_line(shown), "what is shown is one line of plain UTF-8");
    require(text::printable(shown) == shown, "what can be shown stays");
    require(is_one_plain_line(detail::in_quotes(text)), "so is what stands in quotes");
    std::string lines = text::printable_lines(text);
    std::erase_if(lines, [](char c) { return c == '\n' || c == '\t'; });
    require(is_one_plain_line(lines), "so are several lines");
}

void try_utf8(std::string_view text, std::size_t most)
{
    const std::string_view cut = text::cut_to_bytes(text, most);
    require(cut.size() <= most && text.starts_with(cut), "a text is cut to a beginning");
    require(
        cut.empty() || cut.size() == text.size() ||
            text::begins_character(text[cut.size()]),
        "a text is cut between characters"
    );
    require(
        text::columns_of(text) <= text.size(),
        "no character has less bytes than columns"
    );
    std::size_t characters = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view first = text::first_character(rest);
        require(!first.empty() && rest.starts_with(first), "characters come one by one");
        characters += text::count_characters(first);
        rest.remove_prefix(first.size());
    }
    require(characters == text::count_characters(text), "each character counts once");
}

}  // namespace

void try_input(std::string_view input)
{
    const unsigned flags = take_byte(input);
    const std::string_view name = take_line(input);
    try_split_words(*split_words(flags), input, (flags & lower) == 0);
    try_to_line(std::string(input));
    try_printable(input);
    try_utf8(input, flags);
    (void)nearest_name(name, {std::string(input.substr(0, 100)), "split_words"});
}

}  // namespace sluice::fuzz
