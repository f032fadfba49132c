// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::redis::detail {

// A command in the making: its words, as the protocol of Redis wants them.
class command
{
public:
    command() = default;

    template <class... Words>
    explicit command(std::string_view first, const Words&... rest)
    {
        text_.reserve(256);  // most commands
        add(first);
        (add(rest), ...);
    }

    void add(std::string_view word)
    {
        ++words_;
        append_length(text_, '$', word.size());
        text_.append(word);
        text_.append("\r\n", 2);
    }

    void add(const char* word) { add(std::string_view(word)); }
    void add(const std::string& word) { add(std::string_view(word)); }

    template <std::integral Number>
    void add(Number number)
    {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
        add(std::string_view(digits.begin(), end));
    }

    [[nodiscard]] bool empty() const noexcept { return words_ == 0; }

    [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }

    // Puts it behind others that are to be sent.
    void append_to(std::string& bytes) const
    {
        append_length(bytes, '*', words_);
        bytes.append(text_);
    }

private:
    static void append_length(std::string& bytes, char what, std::size_t length)
    {
        std::array<char, 24> line{what};
        char* end = std::to_chars(line.begin() + 1, line.end() - 2, length).ptr;
        *end++ = '\r';
        *end++ = '\n';
        bytes.append(std::string_view(line.begin(), end));
    }

    std::string text_;
    std::size_t words_ = 0;
};

}  // namespace sluice::redis::detail
