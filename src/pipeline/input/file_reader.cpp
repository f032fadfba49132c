// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/file_reader.hpp"

#include <utility>

namespace sluice::pipeline {

namespace {

constexpr std::size_t piece_size = 64 * 1024;
constexpr std::size_t typical_records = piece_size / 32;
constexpr std::size_t cost_of_opening = 512;  // in bytes, so that empty files add up too

}  // namespace

file_reader::file_reader(input_list& inputs, std::unique_ptr<record_parser> parser)
    : inputs_(inputs), parser_(std::move(parser)), buffer_(piece_size)
{
}

file_reader::state file_reader::read(std::vector<element>& out)
{
    out.reserve(typical_records);
    for (std::size_t done = 0; done < piece_size;) {
        if (!file_) {
            if (!open_next())
                return state::end;
            done += cost_of_opening;
        }
        if (file_->would_wait())
            return state::dry;
        done += read_file(out);
    }
    return state::more;
}

void file_reader::wait(const wake_up& signal) const noexcept
{
    signal.wait_readable(file_->descriptor());
}

bool file_reader::open_next()
{
    const auto path = inputs_.next();
    if (!path)
        return false;
    file_.emplace(*path);
    parser_->begin(file_->name());
    return true;
}

std::size_t file_reader::read_file(std::vector<element>& out)
{
    const auto got = file_->read(buffer_);
    inputs_.add_progress(file_->take_progress());
    if (got) {
        parser_->parse({buffer_.data(), *got}, out);
        return *got;
    }
    file_.reset();
    parser_->end(out);
    return 0;
}

}  // namespace sluice::pipeline
