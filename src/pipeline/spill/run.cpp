// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/run.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace sluice::pipeline::spill {

namespace {

constexpr std::size_t write_size = 256 * 1024;
constexpr std::size_t read_size = 64 * 1024;

// Seven bits a byte, the lowest first; the last byte has no highest bit.
void append_size(std::string& out, std::size_t size)
{
    for (; size >= 0x80; size >>= 7U)
        out += static_cast<char>(size | 0x80U);
    out += static_cast<char>(size);
}

}  // namespace

run_writer::run_writer(std::shared_ptr<io::unnamed_file> file)
    : file_(std::move(file)), begin_(file_->size())
{
}

void run_writer::add(std::string_view key, std::string_view value)
{
    append_size(buffer_, key.size());
    append_size(buffer_, value.size());
    buffer_ += key;
    buffer_ += value;
    if (buffer_.size() >= write_size)
        write();
}

run run_writer::finish()
{
    write();
    return {.file = file_, .begin = begin_, .end = file_->size()};
}

void run_writer::write()
{
    file_->append(buffer_);
    buffer_.clear();
}

run_reader::run_reader(run read) : read_(std::move(read)) {}

bool run_reader::next()
{
    if (from_ == to_ && read_.begin == read_.end)
        return false;
    const std::size_t key_size = take_size();
    const std::size_t value_size = take_size();
    const std::string_view both = take(key_size + value_size);
    key_ = both.substr(0, key_size);
    value_ = both.substr(key_size);
    return true;
}

// What append_size() has put there.
std::size_t run_reader::take_size()
{
    std::size_t size = 0;
    unsigned char byte = 0x80;
    for (unsigned shift = 0; (byte & 0x80U) != 0; shift += 7) {
        byte = static_cast<unsigned char>(take(1).front());
        size |= (byte & std::size_t{0x7f}) << shift;
    }
    return size;
}

std::string_view run_reader::take(std::size_t size)
{
    if (to_ - from_ < size)
        need(size);
    const std::string_view taken(buffer_.data() + from_, size);
    from_ += size;
    return taken;
}

// Makes sure that so many bytes are in the buffer, one behind the other.
void run_reader::need(std::size_t size)
{
    std::copy(
        buffer_.begin() + static_cast<std::ptrdiff_t>(from_),
        buffer_.begin() + static_cast<std::ptrdiff_t>(to_),
        buffer_.begin()
    );
    to_ -= std::exchange(from_, 0);
    const std::size_t room = std::max(size, read_size);
    if (buffer_.size() < room)
        buffer_.resize(room);
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(buffer_.size() - to_, read_.end - read_.begin)
    );
    read_.file->read(read_.begin, std::span(buffer_).subspan(to_, count));
    read_.begin += count;
    to_ += count;
}

}  // namespace sluice::pipeline::spill
