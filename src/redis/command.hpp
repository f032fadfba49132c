// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

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
        add(first);
        (add(rest), ...);
    }

    void add(std::string_view word)
    {
        ++words_;
        text_ += '$';
        text_ += std::to_string(word.size());
        text_ += "\r\n";
        text_ += word;
        text_ += "\r\n";
    }

    void add(const char* word) { add(std::string_view(word)); }
    void add(const std::string& word) { add(std::string_view(word)); }

    template <std::integral Number>
    void add(Number number)
    {
        add(std::string_view(std::to_string(number)));
    }

    [[nodiscard]] bool empty() const noexcept { return words_ == 0; }

    [[nodiscard]] std::size_t size() const noexcept { return text_.size(); }

    // Puts it behind others that are to be sent.
    void append_to(std::string& bytes) const
    {
        bytes.reserve(bytes.size() + text_.size() + 16);
        bytes += '*';
        bytes += std::to_string(words_);
        bytes += "\r\n";
        bytes += text_;
    }

private:
    std::string text_;
    std::size_t words_ = 0;
};

}  // namespace sluice::redis::detail
