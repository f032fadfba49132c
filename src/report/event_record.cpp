// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/event_record.hpp"

#include "report/wire.hpp"

#include <boost/crc.hpp>

#include <bit>

namespace sluice::report {

namespace {

constexpr std::size_t length_size = 8;
constexpr std::size_t checksum_size = 4;
constexpr std::size_t frame_size = length_size + 2 * checksum_size;

std::uint64_t read_length(std::string_view bytes) noexcept
{
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < length_size; ++i)
        length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
    return length;
}

}  // namespace

std::uint32_t masked_checksum(std::string_view bytes)
{
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc32c;
    crc32c.process_bytes(bytes.data(), bytes.size());
    return std::rotr(static_cast<std::uint32_t>(crc32c.checksum()), 15) + 0xA282EAD8U;
}

std::string make_record(std::string_view data)
{
    std::string record;
    record.reserve(data.size() + frame_size);
    wire::append_fixed(record, std::uint64_t{data.size()});
    wire::append_fixed(record, masked_checksum(record));
    record.append(data);
    wire::append_fixed(record, masked_checksum(data));
    return record;
}

std::size_t whole_records(std::string_view bytes) noexcept
{
    std::size_t whole = 0;
    while (bytes.size() - whole >= frame_size) {
        const std::uint64_t length = read_length(bytes.substr(whole));
        if (bytes.size() - whole - frame_size < length)
            break;
        whole += frame_size + length;
    }
    return whole;
}

}  // namespace sluice::report
