// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/key_set.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>
#include <stdexcept>
#include <string>

namespace key_set {

using namespace sluice::pipeline;

BOOST_AUTO_TEST_SUITE(key_set)

BOOST_AUTO_TEST_CASE(keys_that_came_in_together_are_one_run)
{
    const auto runs = runs_of({{5, 3}, {5, 1}, {5, 2}, {5, 9}, {6, 10}});
    BOOST_TEST(to_text(runs) == "5:1+3,5:9+1,6:10+1");
    BOOST_TEST((runs_from("5:1+3,5:9+1,6:10+1") == runs));
    BOOST_TEST(to_text({}).empty());
    BOOST_TEST(runs_from("").empty());
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused)
{
    for (const std::string text : {"5", "5:1", "5:1+", "5:1+x", "5:1+3x", ",", "a:1+1"})
        BOOST_CHECK_THROW((void)runs_from(text), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(same_number_at_another_time_is_another_element)
{
    sluice::pipeline::key_set keys;
    keys.add({{5, 1}, 3});
    BOOST_TEST(keys.contains({5, 3}));
    BOOST_TEST(!keys.contains({5, 4}));
    BOOST_TEST(!keys.contains({5, 0}));
    BOOST_TEST(!keys.contains({6, 2}));
    BOOST_TEST(!keys.contains({4, 2}));
}

BOOST_AUTO_TEST_CASE(neighbours_become_one_entry_in_any_order)
{
    sluice::pipeline::key_set keys;
    keys.add({{5, 1}, 2});
    keys.add({{5, 5}, 2});
    BOOST_TEST(keys.entries() == 2u);
    keys.add({{5, 3}, 2});
    BOOST_TEST(keys.entries() == 1u);
    BOOST_TEST(keys.contains({5, 6}));
    keys.add({{6, 7}, 1});
    BOOST_TEST(keys.entries() == 2u);
}

BOOST_AUTO_TEST_CASE(it_has_what_a_plain_set_has)
{
    std::mt19937 random(7);
    sluice::pipeline::key_set keys;
    std::set<element_key> plain;
    for (int i = 0; i < 2000; ++i) {
        const element_key key{random() % 3, random() % 500};
        BOOST_REQUIRE(keys.contains(key) == plain.contains(key));
        if (plain.insert(key).second)
            keys.add({key});
    }
    BOOST_TEST(keys.entries() < 300u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace key_set
