// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/pattern.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

boost::regex make_pattern(const std::string& written, const char* option)
{
    try {
        return boost::regex(written);
    } catch (const boost::regex_error& error) {
        std::string reason = error.what();
        reason.resize(std::min(reason.find("  The error occurred"), reason.size()));
        throw option_error(
            option,
            detail::in_quotes(written),
            fmt::format("a regular expression ({})", reason)
        );
    }
}

bool is_found(const boost::regex& pattern, const std::string& text)
{
    boost::smatch found;
    return find(pattern, text, found);
}

bool find(const boost::regex& pattern, const std::string& text, boost::smatch& found)
{
    try {
        return boost::regex_search(text, found, pattern);
    } catch (const boost::regex_error&) {
        fail(pattern, text);
    }
}

std::string replace_all(
    const boost::regex& pattern,
    const std::string& text,
    const std::string& with
)
{
    try {
        return boost::regex_replace(text, pattern, with);
    } catch (const boost::regex_error&) {
        fail(pattern, text);
    }
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

}  // namespace sluice::pipeline
