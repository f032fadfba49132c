// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/redis_ends.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(element_codec)

using sluice::pipeline::element;
using sluice::pipeline::element_codec;
using sluice::pipeline::json_value;

BOOST_AUTO_TEST_CASE(texts_are_their_own_bytes)
{
    for (const char* const text : {"", "a line", "caf\xe9", "{}"}) {
        BOOST_TEST(element_codec::encode(element(text)) == text);
        BOOST_TEST((element_codec::decode(text) == element(text)));
    }
}

BOOST_AUTO_TEST_CASE(text_that_looks_like_a_header_comes_back)
{
    for (const char* const text : {"\1", "\1j\n1", "\1t\nx"})
        BOOST_TEST(
            (element_codec::decode(element_codec::encode(element(text))) == element(text))
        );
}

BOOST_AUTO_TEST_CASE(values_come_back_with_their_numbers_as_written)
{
    const json_value number = sluice::pipeline::written_number("1.10");
    for (const json_value& value :
         {number, json_value("text"), json_value{"a", number}}) {
        const std::string bytes = element_codec::encode(element(value));
        BOOST_TEST((element_codec::decode(bytes) == element(value)));
    }
    BOOST_CHECK_THROW(
        (void)element_codec::encode(element(json_value("\xff"))),
        std::runtime_error
    );
}

BOOST_AUTO_TEST_CASE(what_a_pipeline_does_not_write_is_refused)
{
    for (const char* const bytes : {"\1", "\1j", "\1?\nx", "\1j\n", "\1b\n1:x"})
        BOOST_CHECK_THROW((void)element_codec::decode(bytes), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
