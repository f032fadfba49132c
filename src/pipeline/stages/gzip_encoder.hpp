// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace sluice::pipeline {

// Compresses data that come in pieces, as gzip does.
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
    [[nodiscard]] std::string deflate(std::string_view piece, int flush);

    z_stream stream_{};
};

}  // namespace sluice::pipeline
