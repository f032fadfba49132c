// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/libraries/gzip.hpp"

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t buffer_size = 64 * 1024;
constexpr std::size_t most_at_once = std::size_t{1} << 30U;  // igzip counts in 32 bits
constexpr std::uint32_t fastest_with_tables = 1;

// igzip reads only, but its interface does not say so.
std::uint8_t* as_bytes(const char* data) noexcept
{
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(data));
}

// A part of some data, as igzip has it.
template <class Stream>
std::size_t set_input(Stream& stream, std::string_view data) noexcept
{
    const std::size_t size = std::min(data.size(), most_at_once);
    stream.next_in = as_bytes(data.data());
    stream.avail_in = static_cast<std::uint32_t>(size);
    return size;
}

template <class Stream>
void set_output(Stream& stream, std::vector<char>& buffer) noexcept
{
    stream.next_out = as_bytes(buffer.data());
    stream.avail_out = static_cast<std::uint32_t>(buffer.size());
}

const char* reason_of(int error) noexcept
{
    switch (error) {
    case ISAL_INVALID_WRAPPER:
        return "incorrect header";
    case ISAL_UNSUPPORTED_METHOD:
        return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM:
        return "incorrect data check";
    default:
        return "invalid data";
    }
}

}  // namespace

const char* reason_for_no_gzip() noexcept
{
    return nullptr;
}

struct gzip_encoder::stream
{
    stream()
    {
        isal_deflate_init(&igzip);
        igzip.level = fastest_with_tables;
        igzip.level_buf = tables.data();
        igzip.level_buf_size = static_cast<std::uint32_t>(tables.size());
        igzip.gzip_flag = IGZIP_GZIP;
    }

    // Gives what fits into the buffer.
    void advance(std::string& out)
    {
        set_output(igzip, buffer);
        if (isal_deflate(&igzip) != COMP_OK)
            throw std::runtime_error("igzip refuses to compress");
        out.append(buffer.data(), buffer.size() - igzip.avail_out);
    }

    std::vector<std::uint8_t> tables = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
    std::vector<char> buffer = std::vector<char>(buffer_size);
    isal_zstream igzip{};
};

gzip_encoder::gzip_encoder() : stream_(std::make_unique<stream>()) {}

gzip_encoder::~gzip_encoder() = default;

std::string gzip_encoder::encode(std::string_view piece)
{
    std::string out;
    while (!piece.empty()) {
        piece.remove_prefix(set_input(stream_->igzip, piece));
        do
            stream_->advance(out);
        while (stream_->igzip.avail_in > 0 || stream_->igzip.avail_out == 0);
    }
    return out;
}

std::string gzip_encoder::finish()
{
    std::string out;
    stream_->igzip.end_of_stream = 1;
    do
        stream_->advance(out);
    while (stream_->igzip.internal_state.state != ZSTATE_END);
    return out;
}

// The header is kept, because it may come in pieces: only then what follows its name is found.
struct gzip_decoder::state
{
    state()
    {
        isal_inflate_init(&igzip);
        begin_member();
    }

    void begin_member()
    {
        isal_inflate_reset(&igzip);
        igzip.crc_flag = ISAL_GZIP;
        isal_gzip_header_init(&header);
        in_header = true;
    }

    // Gives an error of igzip, which is negative.
    int advance()
    {
        if (in_header) {
            const int result = isal_read_gzip_header(&igzip, &header);
            if (result != ISAL_DECOMP_OK)
                return result;
            in_header = false;
        }
        return isal_inflate(&igzip);
    }

    inflate_state igzip{};
    isal_gzip_header header{};
    bool in_header = true;
};

gzip_decoder::gzip_decoder(std::string name)
    : name_(std::move(name)), buffer_(buffer_size), state_(std::make_unique<state>())
{
}

gzip_decoder::~gzip_decoder() = default;

std::string_view gzip_decoder::decode(std::string_view& data)
{
    if (is_complete_) {
        // zeros behind a member are padding, which whole blocks of a tape or disk leave
        const auto zeros = std::min(data.find_first_not_of('\0'), data.size());
        data.remove_prefix(zeros);
        used_ += zeros;
        if (data.empty())
            return {};
        state_->begin_member();
        member_ = 0;
        is_complete_ = false;
    }
    check_magic(data);
    inflate_state& igzip = state_->igzip;
    const std::size_t given = set_input(igzip, data);
    set_output(igzip, buffer_);
    if (const int result = state_->advance(); result < 0)
        fail(reason_of(result));
    const std::size_t taken = given - igzip.avail_in;
    data.remove_prefix(taken);
    used_ += taken;
    member_ += taken;
    is_complete_ = igzip.block_state == ISAL_BLOCK_FINISH;
    has_output_ = !is_complete_ && igzip.avail_out == 0;
    if (is_complete_)
        whole_ = used_;
    return {buffer_.data(), buffer_.size() - igzip.avail_out};
}

// igzip would wait for all of a header.
void gzip_decoder::check_magic(std::string_view data) const
{
    if (member_ >= magic.size())
        return;
    const std::string_view expected = magic.substr(static_cast<std::size_t>(member_));
    const std::size_t both = std::min(expected.size(), data.size());
    if (data.substr(0, both) == expected.substr(0, both))
        return;
    if (whole_ > 0)
        fail_with_garbage();
    fail(reason_of(ISAL_INVALID_WRAPPER));
}

void gzip_decoder::check_end() const
{
    if (is_complete_)
        return;
    if (whole_ > 0 && member_ < magic.size())
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
