// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::pipeline {

// Makes lines of a text that comes in pieces. A line ends with a newline, or with a carriage
// return and a newline; neither belongs to it. The last one may lack its end.
class line_splitter
{
public:
    // Calls `line` with a std::string for each line that is complete with this piece.
    template <class Line>
    void split(std::string_view piece, const Line& line)
    {
        for (auto end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
            begun_ += piece.substr(0, end);
            piece.remove_prefix(end + 1);
            if (begun_.ends_with('\r'))
                begun_.pop_back();
            line(std::exchange(begun_, {}));
        }
        begun_ += piece;
    }

    // The text has ended: calls `line` with what is left, if anything is.
    template <class Line>
    void finish(const Line& line)
    {
        if (!begun_.empty())
            line(std::exchange(begun_, {}));
    }

private:
    std::string begun_;  // the line whose end has not come yet
};

}  // namespace sluice::pipeline
