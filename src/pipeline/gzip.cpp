// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/gzip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t buffer_size = 64 * 1024;
constexpr int gzip_window = 15 + 16;  // the largest window; 16 asks for gzip, not zlib
constexpr int usual_memory = 8;

void set_input(z_stream& stream, std::string_view data)
{
    // zlib reads only, but its older interface does not say so.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
}

void set_output(z_stream& stream, char* begin, std::size_t size)
{
    stream.next_out = reinterpret_cast<Bytef*>(begin);
    stream.avail_out = static_cast<uInt>(size);
}

}  // namespace

gzip_encoder::gzip_encoder() : buffer_(buffer_size)
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

std::string gzip_encoder::deflate(std::string_view piece, int flush)
{
    set_input(stream_, piece);
    std::string result;
    do {
        set_output(stream_, buffer_.data(), buffer_.size());
        ::deflate(&stream_, flush);  // fails only if the stream was not made properly
        result.append(buffer_.data(), buffer_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return result;
}

gzip_decoder::gzip_decoder(std::string name)
    : name_(std::move(name)), buffer_(buffer_size)
{
    if (inflateInit2(&stream_, gzip_window) != Z_OK)
        throw std::bad_alloc();
}

std::string_view gzip_decoder::decode(std::string_view& data)
{
    if (is_complete_) {
        // zeros behind a member are padding, which whole blocks of a tape or disk leave
        const auto zeros = std::min(data.find_first_not_of('\0'), data.size());
        data.remove_prefix(zeros);
        used_ += zeros;
        if (data.empty())
            return {};
        inflateReset(&stream_);
        is_complete_ = false;
    }
    set_input(stream_, data);
    set_output(stream_, buffer_.data(), buffer_.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        fail_with_zlib();
    used_ += data.size() - stream_.avail_in;
    data.remove_prefix(data.size() - stream_.avail_in);
    if (result == Z_STREAM_END) {
        is_complete_ = true;
        whole_ = used_;
    }
    return {buffer_.data(), buffer_.size() - stream_.avail_out};
}

void gzip_decoder::fail_with_zlib() const
{
    if (whole_ > 0 && stream_.total_in <= magic.size())
        fail_with_garbage();
    fail(stream_.msg != nullptr ? stream_.msg : "unknown error");
}

void gzip_decoder::check_end() const
{
    if (is_complete_)
        return;
    if (whole_ > 0 && stream_.total_in < magic.size())
        fail_with_garbage();
    fail("they end too early");
}

// What stands there does not even begin as a member does.
void gzip_decoder::fail_with_garbage() const
{
    fail(fmt::format(
        "behind their end at byte {} is something else than more of them and zeros; "
        "if it can go, head -c {} of the file gives them alone",
        whole_,
        whole_
    ));
}

void gzip_decoder::fail(std::string_view what) const
{
    throw std::runtime_error(
        fmt::format("cannot uncompress the gzip data of {}: {}", name_, what)
    );
}

}  // namespace sluice::pipeline
