// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/io.hpp"
#include "pipeline/libraries/gzip.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::pipeline {

// An open file, pipe or standard input; what is compressed with gzip is uncompressed, which
// is decided by its first bytes and not by its name.
class input_file
{
public:
    // Opens it; "-" is standard input. The buffer, of at least 16 bytes, is what it reads
    // into. Throws an error with its name.
    input_file(const std::string& path, std::span<char> buffer);

    // Its name in messages.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    // Whether read() would wait for a writer.
    [[nodiscard]] bool would_wait() const;

    // Whether the last read() found nothing, although the file had said that it would not wait.
    // Such files are rare: some that the kernel makes up.
    [[nodiscard]] bool is_dry() const noexcept { return is_dry_; }

    [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }

    // Reads at most once, and gives the content that is known with that, which may be
    // empty, until the next call; nothing at the end.
    [[nodiscard]] std::optional<std::string_view> read();

    // How many bytes of the file have been read since the last call.
    [[nodiscard]] std::size_t take_progress() noexcept
    {
        return std::exchange(progress_, 0);
    }

    // Whether it was compressed and has given more than `most` times as much as was read of it,
    // if it has given so much that this matters.
    [[nodiscard]] bool expands_beyond(double most) const noexcept;

private:
    [[nodiscard]] bool can_decode() const noexcept;
    [[nodiscard]] bool fill();
    [[nodiscard]] bool decide();
    void expect_whole_file() const;

    const std::string name_;
    const io::unique_descriptor descriptor_;
    const std::span<char> buffer_;
    std::string_view data_;             // read into the buffer, and not given yet
    std::optional<gzip_decoder> gzip_;  // empty: it is not compressed
    bool is_regular_ = false;           // a read never waits for another process
    bool is_decided_ = false;           // whether it is compressed
    bool is_dry_ = false;               // see is_dry()
    off_t size_ = 0;                    // when it was opened; 0 unless it is regular
    std::uint64_t begin_ = 0;           // where reading began
    std::size_t progress_ = 0;          // see take_progress()
    std::uint64_t read_ = 0;            // bytes of the file
    std::uint64_t given_ = 0;           // bytes of its content
};

}  // namespace sluice::pipeline
