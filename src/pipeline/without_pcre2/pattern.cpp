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

bool pattern::is_found(const std::string& /*text*/) const
{
    return false;
}

std::optional<pattern::groups> pattern::find(const std::string& /*text*/) const
{
    return std::nullopt;
}

void pattern::expect_replacement(const std::string& /*with*/, const char* /*option*/) {}

std::string pattern::replace_all(
    const std::string& text,
    const std::string& /*with*/
) const
{
    return text;
}

}  // namespace sluice::pipeline
