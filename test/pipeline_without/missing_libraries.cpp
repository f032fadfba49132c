// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/pattern.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

// Built without the libraries that pipelines can do without.
BOOST_AUTO_TEST_SUITE(missing_libraries)

BOOST_AUTO_TEST_CASE(pattern_is_refused_with_the_name_of_its_library)
{
    const auto is_told = [](const sluice::pipeline::option_error& error) {
        return error.option() == "matches" && error.found() == "\"^a\"" &&
               error.what() ==
                   std::string("no regular expression, because this program was "
                               "built without PCRE2; build it where that is found");
    };
    BOOST_CHECK_EXCEPTION(
        sluice::pipeline::pattern("^a", "matches"),
        sluice::pipeline::option_error,
        is_told
    );
}

BOOST_AUTO_TEST_SUITE_END()
