// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stage_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

BOOST_FIXTURE_TEST_SUITE(unbatch, stage_fixture)

BOOST_AUTO_TEST_CASE(batches_and_arrays_give_their_elements)
{
    std::vector<element> input;
    input.emplace_back(element::list{element("a"), element(json(1))});
    input.emplace_back(element::list());
    input.emplace_back(json{"b", 2});
    const auto result = result_of("unbatch", json::object(), std::move(input));
    BOOST_REQUIRE(result.size() == 4u);
    BOOST_TEST(result[0].text() == "a");
    BOOST_TEST(result[1].to_json() == json(1));
    BOOST_TEST(result[2].text() == "b");
    BOOST_TEST(result[3].to_json() == json(2));
}

BOOST_AUTO_TEST_CASE(anything_else_is_an_error_that_shows_it)
{
    BOOST_TEST(
        error_of("unbatch", json::object(), to_elements({"x"})) ==
        "it takes batches and JSON arrays, but got x"
    );
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
