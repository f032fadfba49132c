// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/gzip_decoder.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t buffer_size = 64 * 1024;
constexpr int gzip_window = 15 + 16;  // the largest window; 16 asks for gzip, not zlib

constexpr std::string_view beginning = "\x1f\x8b";

Bytef* bytes(char* data)
{
    return reinterpret_cast<Bytef*>(data);
}

}  // namespace

bool gzip_decoder::recognizes(std::string_view first) noexcept
{
    return first.starts_with(beginning);
}

bool gzip_decoder::needs_more(std::string_view first) noexcept
{
    return first.size() < beginning.size() && beginning.starts_with(first);
}

gzip_decoder::gzip_decoder(std::string name, std::string_view first)
    : name_(std::move(name)), buffer_(std::max(buffer_size, first.size()))
{
    std::ranges::copy(first, buffer_.begin());
    set_input(first.size());
    if (inflateInit2(&stream_, gzip_window) != Z_OK)
        throw std::bad_alloc();
}

gzip_decoder::~gzip_decoder()
{
    inflateEnd(&stream_);
}

std::size_t gzip_decoder::decode(std::span<char> content)
{
    if (!inside_ && !begin_member())
        return 0;
    stream_.next_in = bytes(input_.data());
    stream_.avail_in = static_cast<uInt>(input_.size());
    stream_.next_out = bytes(content.data());
    stream_.avail_out = static_cast<uInt>(content.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    input_ = input_.last(stream_.avail_in);
    if (result == Z_STREAM_END)
        inside_ = false;
    else if (result != Z_OK && result != Z_BUF_ERROR)
        fail(stream_.msg != nullptr ? stream_.msg : "unknown error");
    full_ = inside_ && stream_.avail_out == 0;
    return content.size() - stream_.avail_out;
}

// False if it has not come yet.
bool gzip_decoder::begin_member()
{
    const auto is_padding = [](char byte) { return byte == 0; };
    const auto begin = std::ranges::find_if_not(input_, is_padding);
    input_ = {begin, input_.end()};
    if (input_.empty())
        return false;
    inflateReset(&stream_);
    inside_ = true;
    return true;
}

void gzip_decoder::check_end() const
{
    if (inside_)
        fail("they end too early");
}

void gzip_decoder::fail(const std::string& what) const
{
    throw std::runtime_error("cannot uncompress the gzip data of " + name_ + ": " + what);
}

}  // namespace sluice::pipeline
