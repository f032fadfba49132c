// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/error_policy.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace sluice::test {

BOOST_AUTO_TEST_SUITE(error_policy)

BOOST_AUTO_TEST_CASE(actions_have_the_names_of_descriptions)
{
    using pipeline::error_action;
    BOOST_TEST(to_string(error_action::fail) == std::string("fail"));
    BOOST_TEST(to_string(error_action::skip) == std::string("skip"));
    BOOST_TEST(to_string(error_action::divert) == std::string("to"));
}

BOOST_AUTO_TEST_CASE(pipeline_fails_by_default)
{
    BOOST_TEST((pipeline::error_policy().action == pipeline::error_action::fail));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
