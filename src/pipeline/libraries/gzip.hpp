// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// With igzip, the fast part of ISA-L.
namespace sluice::pipeline {

// Null where this program can compress and uncompress; else why it cannot, such as "it was built
// without igzip".
[[nodiscard]] const char* reason_for_no_gzip() noexcept;

// Compresses data that come in pieces.
class gzip_encoder
{
public:
    gzip_encoder();
    gzip_encoder(const gzip_encoder&) = delete;
    gzip_encoder& operator=(const gzip_encoder&) = delete;
    ~gzip_encoder();

    // What can be given of the compressed data with this piece; often nothing.
    [[nodiscard]] std::string encode(std::string_view piece);

    // The rest of the compressed data.
    [[nodiscard]] std::string finish();

private:
    struct stream;

    std::unique_ptr<stream> stream_;
};

// Uncompresses gzip data, also of several members in a row, as `cat a.gz b.gz` gives.
class gzip_decoder
{
public:
    // How gzip data begin.
    static constexpr std::string_view magic = "\x1f\x8b";

    // Takes the name of the file, for messages.
    explicit gzip_decoder(std::string name);
    gzip_decoder(const gzip_decoder&) = delete;
    gzip_decoder& operator=(const gzip_decoder&) = delete;
    ~gzip_decoder();

    // Decodes what fits into a buffer, where it stays until the next call, and removes what
    // it has used from the data.
    [[nodiscard]] std::string_view decode(std::string_view& data);

    // Whether decode() may give more without more data.
    [[nodiscard]] bool has_output() const noexcept { return has_output_; }

    // Throws if the data end here in the middle.
    void check_end() const;

private:
    struct state;

    void check_magic(std::string_view data) const;
    [[noreturn]] void fail_with_garbage() const;
    [[noreturn]] void fail(std::string_view what) const;

    const std::string name_;
    std::vector<char> buffer_;
    std::unique_ptr<state> state_;
    std::uint64_t used_ = 0;    // compressed bytes
    std::uint64_t whole_ = 0;   // those up to the end of the last whole member
    std::uint64_t member_ = 0;  // those of the member that is not whole
    bool is_complete_ = false;  // a member has ended, and no other has begun
    bool has_output_ = false;
};

}  // namespace sluice::pipeline
