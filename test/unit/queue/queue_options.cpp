// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>

BOOST_AUTO_TEST_SUITE(queue_options)

BOOST_AUTO_TEST_CASE(defaults_are_those_of_the_documentation)
{
    BOOST_TEST(sluice::unbounded == std::numeric_limits<std::size_t>::max());
    const sluice::queue_options options;
    BOOST_TEST(options.capacity == sluice::unbounded);
    BOOST_TEST(options.name == "queue");
    const sluice::shuffle_queue_options shuffle;
    BOOST_TEST(shuffle.capacity == sluice::unbounded);
    BOOST_TEST(shuffle.min_after_dequeue == 0U);
    BOOST_TEST(!shuffle.seed.has_value());
    BOOST_TEST(shuffle.name == "queue");
}

BOOST_AUTO_TEST_CASE(fields_are_given_by_name)
{
    const sluice::shuffle_queue_options options{
        .capacity = 1024,
        .min_after_dequeue = 256,
        .seed = 42,
        .name = "examples"
    };
    BOOST_TEST(options.capacity == 1024U);
    BOOST_TEST(options.min_after_dequeue == 256U);
    BOOST_TEST(options.seed.value() == 42U);
    BOOST_TEST(options.name == "examples");
}

BOOST_AUTO_TEST_SUITE_END()
