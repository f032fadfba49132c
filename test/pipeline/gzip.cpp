// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/gzip.hpp"

#include <boost/crc.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <sys/mman.h>

namespace gzip {

using namespace sluice::pipeline;
using namespace std::string_view_literals;

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

// Zeros of which no copy is in memory: the kernel has one page for all of them.
class many_zeros
{
public:
    explicit many_zeros(std::size_t size)
        : size_(size),
          begin_(::mmap(
              nullptr,
              size,
              PROT_READ,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1,
              0
          ))
    {
        BOOST_REQUIRE(begin_ != MAP_FAILED);
    }

    many_zeros(const many_zeros&) = delete;
    many_zeros& operator=(const many_zeros&) = delete;
    ~many_zeros() { ::munmap(begin_, size_); }

    [[nodiscard]] std::string_view text() const
    {
        return {static_cast<const char*>(begin_), size_};
    }

private:
    std::size_t size_;
    void* begin_;
};

// A member whose header has all that may stand in one.
std::string with_long_header(std::string member)
{
    constexpr std::string_view header = "\x1f\x8b\x08\x1e\0\0\0\0\0\xff"
                                        "\x03\0xyz"
                                        "name\0comment\0"sv;
    boost::crc_32_type crc;
    crc.process_bytes(header.data(), header.size());
    std::string result(header);
    result += static_cast<char>(crc.checksum() & 0xffU);
    result += static_cast<char>((crc.checksum() >> 8U) & 0xffU);
    return result + member.substr(10);
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

// Most of the time of these passes in the library, which a sanitizer does not see.
BOOST_AUTO_TEST_CASE(
    piece_of_more_than_4_gib_comes_back_whole,
    *boost::unit_test::enable_if<SLUICE_SLOWDOWN == 1>()
)
{
    constexpr std::size_t size = (std::size_t{1} << 32U) + 100;
    const many_zeros zeros(size);
    gzip_encoder encoder;
    std::string data = encoder.encode(zeros.text());
    data += encoder.finish();
    gzip_decoder decoder("file");
    std::size_t decoded = 0;
    for (std::string_view rest = data; !rest.empty() || decoder.has_output();)
        decoded += decoder.decode(rest).size();
    decoder.check_end();
    BOOST_TEST(decoded == size);
}

BOOST_AUTO_TEST_CASE(
    text_before_4_gib_is_found_behind_them,
    *boost::unit_test::enable_if<SLUICE_SLOWDOWN == 1>()
)
{
    const many_zeros zeros((std::size_t{1} << 32U) - 10);
    gzip_encoder encoder;
    std::string data = encoder.encode(zeros.text());
    std::string end;
    for (int i = 0; i < 1000; ++i)
        end += "line " + std::to_string(i % 50) + "\n";
    data += encoder.encode(end);
    data += encoder.finish();
    gzip_decoder decoder("file");
    std::string last;
    for (std::string_view rest = data; !rest.empty() || decoder.has_output();) {
        last += decoder.decode(rest);
        last.erase(0, last.size() - std::min(last.size(), end.size()));
    }
    decoder.check_end();
    BOOST_TEST((last == end));
}

BOOST_AUTO_TEST_CASE(header_that_comes_byte_by_byte_is_left_out)
{
    gzip_encoder encoder;
    std::string data = encoder.encode("text");
    data = with_long_header(data + encoder.finish());
    BOOST_TEST(decoded(data) == "text");
    gzip_decoder decoder("file");
    std::string result;
    for (const char& byte : data)
        for (std::string_view rest(&byte, 1); !rest.empty();)
            result += decoder.decode(rest);
    decoder.check_end();
    BOOST_TEST(result == "text");
}

BOOST_AUTO_TEST_SUITE_END()
