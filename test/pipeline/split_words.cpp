// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(split_words, stage_fixture)

BOOST_AUTO_TEST_CASE(words_are_runs_of_letters_digits_and_underscores)
{
    BOOST_TEST(
        lines_of(
            "split_words",
            json::object(),
            {"  std::size_t n = 42;", "...", "", "a"}
        ) == (texts{"std", "size_t", "n", "42", "a"})
    );
}

BOOST_AUTO_TEST_CASE(words_in_utf8_stay_whole)
{
    BOOST_TEST(
        lines_of(
            "split_words",
            json::object(),
            {"Stra\xc3\x9f"
             "e, na\xc3\xafve"}
        ) == (texts{
                 "Stra\xc3\x9f"
                 "e",
                 "na\xc3\xafve"
             })
    );
}

BOOST_AUTO_TEST_CASE(lower_changes_ascii_letters)
{
    BOOST_TEST(
        lines_of("split_words", {{"lower", true}}, {"AZ [\xc3\x84]"}) ==
        (texts{"az", "\xc3\x84"})
    );
}

BOOST_AUTO_TEST_CASE(min_length_leaves_out_shorter_ones)
{
    BOOST_TEST(
        lines_of("split_words", {{"min_length", 3}}, {"a ab abc abcd"}) ==
        (texts{"abc", "abcd"})
    );
}

BOOST_AUTO_TEST_CASE(value_is_an_error_that_shows_it)
{
    const auto error = error_of("split_words", json::object(), {element(json{{"n", 1}})});
    BOOST_TEST(holds(error, R"(it takes a text, but got the value {"n":1})"), error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
