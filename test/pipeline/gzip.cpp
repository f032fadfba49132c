// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/gzip.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <string_view>

namespace gzip {

using namespace sluice::pipeline;

// Nothing compresses it.
std::string noise(std::size_t size)
{
    std::minstd_rand random(1);
    std::string result;
    while (result.size() < size)
        result.push_back(static_cast<char>(random() % 256));
    return result;
}

std::string decoded(std::string_view data)
{
    gzip_decoder decoder("file");
    std::string result;
    while (!data.empty() || decoder.has_output())
        result += decoder.decode(data);
    decoder.check_end();
    return result;
}

}  // namespace gzip

using namespace gzip;

BOOST_AUTO_TEST_SUITE(gzip)

BOOST_AUTO_TEST_CASE(piece_that_fills_several_buffers_comes_back)
{
    const std::string piece = noise(1'000'000);
    gzip_encoder encoder;
    const std::string now = encoder.encode(piece);
    const std::string whole = now + encoder.finish();
    BOOST_TEST(now.size() > piece.size() / 2);
    BOOST_TEST(whole.size() > piece.size());
    BOOST_TEST((decoded(whole) == piece));
}

BOOST_AUTO_TEST_CASE(nothing_is_a_whole_member)
{
    BOOST_TEST(decoded(gzip_encoder().finish()).empty());
}

BOOST_AUTO_TEST_SUITE_END()
