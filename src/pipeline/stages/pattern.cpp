// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/pattern.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <boost/regex/pending/unicode_iterator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace sluice::pipeline {

namespace {

[[noreturn]] void fail(const boost::regex& pattern, const std::string& text)
{
    throw std::runtime_error(fmt::format(
        "matching the pattern {} would take too many steps for a text of {} "
        "characters, which begins {}; a pattern with fewer * and + that can match the "
        "same is quicker",
        detail::in_quotes(pattern.str()),
        text::with_separators(text.size()),
        detail::in_quotes(text)
    ));
}

// The characters of UTF-8, without a copy.
using byte_position = std::string::const_iterator;
using character_position = boost::u8_to_u32_iterator<byte_position, wchar_t>;

bool is_utf8(const std::string& text)
{
    return text::valid_beginning(text).size() == text.size();
}

bool is_ascii(const std::string& text)
{
    return std::ranges::none_of(text, [](char byte) {
        return static_cast<unsigned char>(byte) >= 0x80;
    });
}

std::pair<character_position, character_position> characters_of(const std::string& text)
{
    const byte_position begin = text.begin();
    const byte_position end = text.end();
    return {{begin, begin, end}, {end, begin, end}};
}

std::wstring to_wide(const std::string& text)
{
    const auto [begin, end] = characters_of(text);
    return {begin, end};
}

std::string text_between(byte_position begin, byte_position end)
{
    return {begin, end};
}

std::string text_between(character_position begin, character_position end)
{
    return {begin.base(), end.base()};
}

template <class Position, class Regex>
std::optional<pattern::groups> find_groups(
    Position begin,
    Position end,
    const Regex& regex,
    const std::vector<std::string>& names
)
{
    boost::match_results<Position> found;
    if (!boost::regex_search(begin, end, found, regex))
        return std::nullopt;
    pattern::groups groups;
    for (const std::string& name : names)
        if (const auto& group = found[name]; group.matched)
            groups.emplace_back(name, text_between(group.first, group.second));
    return groups;
}

std::string replaced(
    byte_position begin,
    byte_position end,
    const boost::regex& regex,
    const std::string& with
)
{
    std::string out;
    boost::regex_replace(std::back_inserter(out), begin, end, regex, with);
    return out;
}

std::string replaced(
    character_position begin,
    character_position end,
    const boost::wregex& regex,
    const std::string& with
)
{
    std::string out;
    const boost::utf8_output_iterator last(std::back_inserter(out));
    boost::regex_replace(last, begin, end, regex, to_wide(with));
    return out;
}

std::vector<std::string> group_names(const std::string& written)
{
    // An escaped character, a set of characters, or the beginning of a group.
    static const boost::regex part(
        R"(\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?(?:<(\w+)>|'(\w+)'))"
    );
    std::vector<std::string> names;
    for (boost::sregex_iterator at(written.begin(), written.end(), part), end; at != end;
         ++at)
        for (const int group : {1, 2})
            if ((*at)[group].matched)
                names.push_back((*at)[group]);
    return names;
}

// The engine takes \p{L} for lower case letters, and \u00e9 for a capital and four characters. It
// knows \p{alpha}, and nothing is escaped between \Q and \E.
void expect_known_escapes(const std::string& written, const char* option)
{
    static const boost::regex escape(
        R"(\\Q.*?(?:\\E|$)|\\(?:([pP](?!\{[a-z]{2,}\})|[uU])|.))"
    );
    for (boost::sregex_iterator at(written.begin(), written.end(), escape), end;
         at != end;
         ++at)
        if ((*at)[1].matched)
            throw option_error(
                option,
                detail::in_quotes(written),
                fmt::format(
                    "a regular expression without \\{}, which is not known; write the "
                    "characters themselves, or a class of ASCII such as [[:alpha:]]",
                    (*at)[1].str()
                )
            );
}

}  // namespace

pattern::pattern(const std::string& written, const char* option)
try : bytes_(written), names_(group_names(written)) {
    expect_known_escapes(written, option);
    if (is_utf8(written))
        characters_.emplace(to_wide(written));
} catch (const boost::regex_error& error) {
    std::string reason = error.what();
    reason.resize(std::min(reason.find("  The error occurred"), reason.size()));
    throw option_error(
        option,
        detail::in_quotes(written),
        fmt::format("a regular expression ({})", reason)
    );
}

// In ASCII both are the same, and bytes are faster.
bool pattern::finds_characters_in(const std::string& text) const
{
    return characters_ && !is_ascii(text) && is_utf8(text);
}

template <class Work>
auto pattern::search(const std::string& text, bool by_character, Work work) const
{
    try {
        if (!by_character)
            return work(text.begin(), text.end(), bytes_);
        const auto [begin, end] = characters_of(text);
        return work(begin, end, *characters_);
    } catch (const boost::regex_error&) {
        fail(bytes_, text);
    }
}

bool pattern::is_found(const std::string& text) const
{
    const auto work = [](auto begin, auto end, const auto& regex) {
        return boost::regex_search(begin, end, regex);
    };
    return search(text, finds_characters_in(text), work);
}

std::optional<pattern::groups> pattern::find(const std::string& text) const
{
    const auto work = [this](auto begin, auto end, const auto& regex) {
        return find_groups(begin, end, regex, names_);
    };
    return search(text, finds_characters_in(text), work);
}

std::string pattern::replace_all(const std::string& text, const std::string& with) const
{
    const auto work = [&with](auto begin, auto end, const auto& regex) {
        return replaced(begin, end, regex, with);
    };
    return search(text, finds_characters_in(text) && is_utf8(with), work);
}

}  // namespace sluice::pipeline
