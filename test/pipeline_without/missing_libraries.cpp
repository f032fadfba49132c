// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/gzip.hpp"
#include "pipeline/libraries/jq_program.hpp"
#include "pipeline/libraries/pattern.hpp"
#include "pipeline/libraries/sqlite_table.hpp"
#include <sluice/pipeline/stage_options.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

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

BOOST_AUTO_TEST_CASE(gzip_data_are_refused_with_the_name_of_the_library)
{
    constexpr std::string_view reason =
        "this program was built without igzip; build it where ISA-L is found";
    BOOST_TEST(sluice::pipeline::reason_for_no_gzip() == reason);
    const auto is_told = [&](const std::runtime_error& error) {
        return error.what() ==
               "cannot uncompress the gzip data of a.gz: " + std::string(reason);
    };
    BOOST_CHECK_EXCEPTION(
        sluice::pipeline::gzip_decoder("a.gz"),
        std::runtime_error,
        is_told
    );
}

BOOST_AUTO_TEST_CASE(program_of_jq_is_refused_with_the_name_of_its_library)
{
    const auto is_told = [](const sluice::pipeline::option_error& error) {
        return error.option() == "program" && error.found() == "\".a\"" &&
               error.what() ==
                   std::string("no program of jq, because this program was built "
                               "without libjq; build it where that is found");
    };
    BOOST_CHECK_EXCEPTION(
        sluice::pipeline::jq_program(".a", "program"),
        sluice::pipeline::option_error,
        is_told
    );
}

BOOST_AUTO_TEST_CASE(database_is_refused_with_the_name_of_its_library)
{
    const auto is_told = [](const sluice::pipeline::option_error& error) {
        return error.option() == "path" && error.found() == "\"a.db\"" &&
               error.what() == std::string("no database, because this program was built "
                                           "without SQLite; build it where that is found"
                               );
    };
    BOOST_CHECK_EXCEPTION(
        sluice::pipeline::sqlite_table({.path = "a.db", .table = "rows"}),
        sluice::pipeline::option_error,
        is_told
    );
}

BOOST_AUTO_TEST_SUITE_END()
