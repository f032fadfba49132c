// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

#include <array>
#include <string>
#include <unistd.h>

// What is written into one end is read from the other. Neither end blocks.
class pipe_pair
{
public:
    pipe_pair() { BOOST_REQUIRE(::pipe2(ends_.data(), O_NONBLOCK | O_CLOEXEC) == 0); }
    ~pipe_pair()
    {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    [[nodiscard]] int input() const { return ends_[1]; }
    [[nodiscard]] std::string read() const
    {
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(ends_[0], buffer.data(), buffer.size());
        return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count))
                         : "";
    }
    [[nodiscard]] std::string read_all() const
    {
        std::string all;
        for (std::string part = read(); !part.empty(); part = read())
            all += part;
        return all;
    }

private:
    std::array<int, 2> ends_{};
};
