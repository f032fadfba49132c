// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/detail/buckets.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace buckets {

using row = std::unique_ptr<int>;
using row_buckets = sluice::detail::buckets<row>;

// Of 0 to 9, 10 to 19, and from 20 on.
sluice::bucketer_options<row> options()
{
    return {
        .length = [](const row& r) { return *r; },
        .boundaries = {10, 20},
        .batch_sizes = {2, 1, 3}
    };
}

}  // namespace buckets

BOOST_AUTO_TEST_SUITE(buckets)

BOOST_AUTO_TEST_CASE(a_boundary_is_the_first_length_of_its_bucket)
{
    const row_buckets all(options(), 1);
    BOOST_TEST(all.size() == 3U);
    BOOST_TEST(all.bucket_of(std::make_unique<int>(0)) == 0U);
    BOOST_TEST(all.bucket_of(std::make_unique<int>(9)) == 0U);
    BOOST_TEST(all.bucket_of(std::make_unique<int>(10)) == 1U);
    BOOST_TEST(all.bucket_of(std::make_unique<int>(19)) == 1U);
    BOOST_TEST(all.bucket_of(std::make_unique<int>(20)) == 2U);
    BOOST_TEST(all.bucket_of(std::make_unique<int>(1000)) == 2U);
}

BOOST_AUTO_TEST_CASE(the_row_that_completes_a_batch_takes_it_out)
{
    row_buckets all(options(), 1);
    BOOST_TEST(all.add(0, std::make_unique<int>(1)).empty());
    BOOST_TEST(all.add(2, std::make_unique<int>(21)).empty());
    BOOST_TEST(all.add(1, std::make_unique<int>(11)).size() == 1U);
    const std::vector<row> batch = all.add(0, std::make_unique<int>(2));
    BOOST_TEST_REQUIRE(batch.size() == 2U);
    BOOST_TEST(*batch[0] == 1);
    BOOST_TEST(*batch[1] == 2);
    BOOST_TEST(all.is_empty(0));
    BOOST_TEST(!all.is_empty(2));
    BOOST_TEST(all.take_rest(2).size() == 1U);
    BOOST_TEST(all.take_rest(2).empty());
}

BOOST_AUTO_TEST_CASE(the_last_worker_is_told_if_all_inputs_have_ended)
{
    row_buckets all(options(), 3);
    BOOST_TEST(!all.worker_ended(true));
    BOOST_TEST(!all.worker_ended(true));
    BOOST_TEST(all.worker_ended(true));
    for (const int other : {0, 1, 2}) {
        BOOST_TEST(!all.worker_ended(other != 0));
        BOOST_TEST(!all.worker_ended(other != 1));
        BOOST_TEST(!all.worker_ended(other != 2));
    }
    BOOST_TEST(!all.worker_ended(true));
    BOOST_TEST(!all.worker_ended(true));
    BOOST_TEST(all.worker_ended(true));
}

BOOST_AUTO_TEST_SUITE_END()
