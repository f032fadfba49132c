// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/gzip_encoder.hpp"

#include <array>
#include <new>

namespace sluice::pipeline {

namespace {

constexpr int gzip_window = 15 + 16;  // the largest window; 16 asks for gzip, not zlib
constexpr int usual_memory = 8;
constexpr std::size_t buffer_size = 64 * 1024;

}  // namespace

gzip_encoder::gzip_encoder()
{
    const int result = deflateInit2(
        &stream_,
        Z_DEFAULT_COMPRESSION,
        Z_DEFLATED,
        gzip_window,
        usual_memory,
        Z_DEFAULT_STRATEGY
    );
    if (result != Z_OK)
        throw std::bad_alloc();
}

gzip_encoder::~gzip_encoder()
{
    deflateEnd(&stream_);
}

std::string gzip_encoder::encode(std::string_view piece)
{
    return deflate(piece, Z_NO_FLUSH);
}

std::string gzip_encoder::finish()
{
    return deflate({}, Z_FINISH);
}

std::string gzip_encoder::deflate(std::string_view piece, int flush)
{
    // zlib reads only, but its older interface does not say so.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    std::string result;
    std::array<char, buffer_size> buffer;
    do {
        stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream_.avail_out = static_cast<uInt>(buffer.size());
        ::deflate(&stream_, flush);  // fails only if the stream was not made properly
        result.append(buffer.data(), buffer.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return result;
}

}  // namespace sluice::pipeline
