// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <array>
#include <stdexcept>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace sluice::test {

/// Why: tests of what reads standard input need one that they can write to.
class replaced_input
{
public:
    replaced_input() : original_(::dup(STDIN_FILENO))
    {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0 || ::dup2(ends[0], STDIN_FILENO) < 0)
            throw std::runtime_error("cannot replace standard input");
        ::close(ends[0]);
        writer_ = ends[1];
    }

    replaced_input(const replaced_input&) = delete;
    replaced_input& operator=(const replaced_input&) = delete;

    ~replaced_input()
    {
        end();
        ::dup2(original_, STDIN_FILENO);
        ::close(original_);
    }

    void write(std::string_view data) const
    {
        if (::write(writer_, data.data(), data.size()) != std::ssize(data))
            throw std::runtime_error("cannot write to the pipe");
    }

    /// Whether nothing is left of what has been written.
    [[nodiscard]] static bool is_read()
    {
        int left = 0;
        return ::ioctl(STDIN_FILENO, FIONREAD, &left) == 0 && left == 0;
    }

    void end()
    {
        if (writer_ >= 0)
            ::close(std::exchange(writer_, -1));
    }

private:
    int original_;
    int writer_ = -1;
};

}  // namespace sluice::test
