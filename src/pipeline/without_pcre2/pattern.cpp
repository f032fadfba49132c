// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/pattern.hpp"

#include "pipeline/words.hpp"
#include <sluice/pipeline/stage_options.hpp>

namespace sluice::pipeline {

class pattern::engine
{
};

pattern::pattern(const std::string& written, const char* option)
{
    throw option_error(
        option,
        detail::in_quotes(written),
        "no regular expression, because this program was built without PCRE2; build it "
        "where that is found"
    );
}

bool pattern::is_found(std::string_view /*text*/) const
{
    return false;
}

bool pattern::find(
    std::string_view /*text*/,
    std::vector<std::string_view>& /*found*/
) const
{
    return false;
}

void pattern::expect_replacement(const std::string& /*with*/, const char* /*option*/) {}

std::string pattern::replace_all(
    std::string_view text,
    const std::string& /*with*/
) const
{
    return std::string(text);
}

}  // namespace sluice::pipeline
