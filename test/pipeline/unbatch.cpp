// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(unbatch, stage_fixture)

BOOST_AUTO_TEST_CASE(arrays_give_their_elements)
{
    std::vector<element> input;
    input.emplace_back(json{"a", 1});
    input.emplace_back(json::array());
    input.emplace_back(json::array({json{"b"}}));
    const auto result = result_of("unbatch", json::object(), std::move(input));
    BOOST_REQUIRE(result.size() == 3u);
    BOOST_TEST(result[0].text() == "a");
    BOOST_TEST(result[1].to_json() == json(1));
    BOOST_TEST(result[2].to_json() == json({"b"}));
}

BOOST_AUTO_TEST_CASE(anything_else_is_an_error_that_shows_it)
{
    BOOST_TEST(
        error_of("unbatch", json::object(), to_elements({"x"})) ==
        "it takes arrays, but got x"
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
