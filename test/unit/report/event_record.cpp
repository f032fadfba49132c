// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/event_record.hpp"

#include <boost/algorithm/hex.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace report = sluice::report;

BOOST_AUTO_TEST_SUITE(event_record)

BOOST_AUTO_TEST_CASE(checksum_is_that_of_the_format)
{
    BOOST_TEST(report::masked_checksum("123456789") == 0xc78ab0e5U);
    BOOST_TEST(report::masked_checksum("") == 0xa282ead8U);
}

BOOST_AUTO_TEST_CASE(record_has_length_data_and_two_checksums)
{
    const auto data = boost::algorithm::unhex(
        std::string("09000000000000f83f10072a0d0a0b0a046c6f7373150000803e")
    );
    BOOST_TEST(
        boost::algorithm::hex_lower(report::make_record(data)) ==
        "1a00000000000000129bd82d"
        "09000000000000f83f10072a0d0a0b0a046c6f7373150000803ec9d07b8d"
    );
}

BOOST_AUTO_TEST_CASE(only_whole_records_count)
{
    const std::string first = report::make_record("one");
    const std::string both = first + report::make_record("");

    for (std::size_t size = 0; size <= both.size(); ++size)
        BOOST_TEST(
            report::whole_records(both.substr(0, size)) ==
            (size == both.size()    ? both.size()
             : size >= first.size() ? first.size()
                                    : 0)
        );
}

BOOST_AUTO_TEST_CASE(length_beyond_the_end_is_no_record)
{
    BOOST_TEST(report::whole_records(std::string(100, '\xff')) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
