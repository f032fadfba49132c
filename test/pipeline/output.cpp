// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/output.hpp>

#include "pipeline/stage_fixture.hpp"
#include "support/run_threads.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace sluice::test {

namespace output {

// Both ends of a pipe.
struct open_pipe
{
    open_pipe() { BOOST_REQUIRE(::pipe(ends.data()) == 0); }
    ~open_pipe()
    {
        ::close(ends[0]);
        ::close(ends[1]);
    }

    // Reads until so many bytes have come.
    [[nodiscard]] std::string read(std::size_t size) const
    {
        std::string result(size, '\0');
        std::size_t got = 0;
        while (got < size) {
            const auto count = ::read(ends[0], result.data() + got, size - got);
            if (count <= 0)
                break;
            got += static_cast<std::size_t>(count);
        }
        result.resize(got);
        return result;
    }

    std::array<int, 2> ends{};
};

}  // namespace output

BOOST_AUTO_TEST_SUITE(output)

BOOST_AUTO_TEST_CASE(descriptor_output_waits_for_room_in_a_non_blocking_pipe)
{
    open_pipe pipe;
    BOOST_REQUIRE(::fcntl(pipe.ends[1], F_SETFL, O_NONBLOCK) == 0);
    pipeline::descriptor_output out(pipe.ends[1], "the pipe");
    const std::string data(1'000'000, 'x');
    std::jthread writer([&] { out.write(data); });
    BOOST_TEST((pipe.read(data.size()) == data));
}

BOOST_AUTO_TEST_CASE(descriptor_output_names_itself_in_errors)
{
    const int full = ::open("/dev/full", O_WRONLY);
    BOOST_REQUIRE(full >= 0);
    pipeline::descriptor_output out(full, "the full device");
    BOOST_CHECK_EXCEPTION(out.write("x"), std::system_error, [](const auto& error) {
        return error.code() == std::errc::no_space_on_device &&
               holds(error.what(), "cannot write to the full device");
    });
    ::close(full);
}

BOOST_AUTO_TEST_CASE(what_several_threads_write_is_not_mixed)
{
    pipeline::memory_output out;
    run_threads(4, [&](std::size_t) {
        for (int i = 0; i < 100; ++i)
            out.write("a line\n");
    });
    const std::string text = out.text();
    BOOST_TEST(text.size() == 400 * std::string("a line\n").size());
    for (std::size_t at = 0; at < text.size(); at += 7)
        BOOST_REQUIRE(text.compare(at, 7, "a line\n") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
