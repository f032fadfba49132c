// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <zlib.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline {

// Uncompresses gzip data, also of several members in a row, as `cat a.gz b.gz` gives. Zeros
// behind a member, which some devices fill their blocks with, are left out.
class gzip_decoder
{
public:
    // Whether this is how gzip data begin.
    [[nodiscard]] static bool recognizes(std::string_view first) noexcept;

    // Whether these are too few bytes to tell.
    [[nodiscard]] static bool needs_more(std::string_view first) noexcept;

    // Takes the name for messages, and the first bytes.
    gzip_decoder(std::string name, std::string_view first);

    gzip_decoder(const gzip_decoder&) = delete;
    gzip_decoder& operator=(const gzip_decoder&) = delete;
    ~gzip_decoder();

    // Whether there is something to decode.
    [[nodiscard]] bool has_input() const noexcept { return full_ || !input_.empty(); }

    // Where the next compressed bytes go, when has_input() is false; set_input() says how
    // many they are.
    [[nodiscard]] std::span<char> buffer() noexcept { return buffer_; }
    void set_input(std::size_t count) noexcept { input_ = buffer().first(count); }

    // Decodes as much as there is, or fits; gives the number of bytes, which may be 0.
    [[nodiscard]] std::size_t decode(std::span<char> content);

    // Throws if the data end in the middle.
    void check_end() const;

private:
    [[nodiscard]] bool begin_member();
    [[noreturn]] void fail(const std::string& what) const;

    std::string name_;
    std::vector<char> buffer_;
    std::span<char> input_;  // what is left in buffer_
    z_stream stream_{};
    bool inside_ = true;  // a member, and not behind one
    bool full_ = false;   // the last content was filled, so zlib may hold more of it
};

}  // namespace sluice::pipeline
