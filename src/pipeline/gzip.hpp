// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Why not gzread() and gzwrite(): reading waits until a buffer is full, which a live pipe may
// never do, and takes damage between two members for the end; closing after a failure writes
// the mark of a complete file.
namespace sluice::pipeline {

// Compresses data that come in pieces.
class gzip_encoder
{
public:
    gzip_encoder();
    gzip_encoder(const gzip_encoder&) = delete;
    gzip_encoder& operator=(const gzip_encoder&) = delete;
    ~gzip_encoder() { deflateEnd(&stream_); }

    // What can be given of the compressed data with this piece; often nothing.
    [[nodiscard]] std::string encode(std::string_view piece)
    {
        return deflate(piece, Z_NO_FLUSH);
    }

    // The rest of the compressed data.
    [[nodiscard]] std::string finish() { return deflate({}, Z_FINISH); }

private:
    [[nodiscard]] std::string deflate(std::string_view piece, int flush);

    std::vector<char> buffer_;  // what zlib gives at once
    z_stream stream_{};
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
    ~gzip_decoder() { inflateEnd(&stream_); }

    // Decodes what fits into a buffer, where it stays until the next call, and removes what
    // it has used from the data.
    [[nodiscard]] std::string_view decode(std::string_view& data);

    // Whether decode() may give more without more data.
    [[nodiscard]] bool has_output() const noexcept
    {
        return !is_complete_ && stream_.avail_out == 0;
    }

    // Throws if the data end here in the middle.
    void check_end() const;

private:
    [[noreturn]] void fail_with_zlib() const;
    [[noreturn]] void fail_with_garbage() const;
    [[noreturn]] void fail(std::string_view what) const;

    const std::string name_;
    std::vector<char> buffer_;
    z_stream stream_{};
    std::uint64_t used_ = 0;    // compressed bytes
    std::uint64_t whole_ = 0;   // those up to the end of the last whole member
    bool is_complete_ = false;  // a member has ended, and no other has begun
};

}  // namespace sluice::pipeline
