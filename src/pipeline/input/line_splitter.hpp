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
            begin(piece.substr(0, end));
            piece.remove_prefix(end + 1);
            if (begun_.ends_with('\r'))
                begun_.pop_back();
            if (!std::exchange(is_dropped_, false))
                line(std::exchange(begun_, {}));
        }
        begin(piece);
    }

    // The text has ended: calls `line` with what is left, if anything is.
    template <class Line>
    void finish(const Line& line)
    {
        if (!begun_.empty())
            line(std::exchange(begun_, {}));
        is_dropped_ = false;
    }

    // The bytes of the line whose end has not come yet. A carriage return may belong to that.
    [[nodiscard]] std::size_t pending() const noexcept
    {
        return begun_.ends_with('\r') ? begun_.size() - 1 : begun_.size();
    }

    // Leaves that line out, with all that is still to come of it, and gives what had come.
    [[nodiscard]] std::string drop()
    {
        is_dropped_ = true;
        return std::exchange(begun_, {});
    }

private:
    void begin(std::string_view part)
    {
        if (!is_dropped_)
            begun_ += part;
    }

    std::string begun_;        // the line whose end has not come yet
    bool is_dropped_ = false;  // that line
};

}  // namespace sluice::pipeline
