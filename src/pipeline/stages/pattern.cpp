// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/pattern.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sluice::pipeline {

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
