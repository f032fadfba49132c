// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cerrno>
#include <string>
#include <unistd.h>

namespace calls = sluice::io;
using namespace std::chrono_literals;

namespace io {

struct open_pipe
{
    open_pipe()
    {
        std::array<int, 2> ends{};
        BOOST_REQUIRE(::pipe(ends.data()) == 0);
        read = calls::unique_descriptor(ends[0]);
        write = calls::unique_descriptor(ends[1]);
    }

    calls::unique_descriptor read;
    calls::unique_descriptor write;
};

}  // namespace io

BOOST_AUTO_TEST_SUITE(io)

BOOST_AUTO_TEST_CASE(interrupted_call_is_repeated_and_its_result_given)
{
    int calls = 0;
    const auto interrupted_twice = [&calls] {
        errno = EINTR;
        return ++calls < 3 ? -1 : 7;
    };
    BOOST_TEST(calls::uninterrupted(interrupted_twice) == 7);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(failed_call_is_not_repeated)
{
    int calls = 0;
    const auto fails = [&calls] {
        ++calls;
        errno = EAGAIN;
        return -1;
    };
    BOOST_TEST(calls::uninterrupted(fails) == -1);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(pipe_is_readable_once_it_holds_data_and_at_its_end)
{
    open_pipe pipe;
    BOOST_TEST(!calls::is_ready_within(0ms, pipe.read.get(), POLLIN));
    calls::write_all(pipe.write.get(), "ab", "the pipe");
    BOOST_TEST(calls::is_ready_within(0ms, pipe.read.get(), POLLIN));
    std::array<char, 8> bytes{};
    BOOST_TEST(calls::read(pipe.read.get(), bytes) == 2);
    pipe.write = {};
    BOOST_TEST(calls::is_ready_within(0ms, pipe.read.get(), POLLIN));
    BOOST_TEST(calls::read(pipe.read.get(), bytes) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
