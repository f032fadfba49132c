// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unnamed_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::pipeline::spill {

// Records in the order of their keys, one behind the other in a file.
struct run
{
    std::shared_ptr<const io::unnamed_file> file;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// Appends a run to a file, to which nobody else appends meanwhile.
class run_writer
{
public:
    explicit run_writer(std::shared_ptr<io::unnamed_file> file);

    // @pre the key is not less than the one before.
    void add(std::string_view key, std::string_view value);

    // Writes the rest.
    [[nodiscard]] run finish();

private:
    void write();

    std::shared_ptr<io::unnamed_file> file_;
    std::uint64_t begin_;
    std::string buffer_;
};

// Reads a run, a piece at a time.
class run_reader
{
public:
    explicit run_reader(run read);

    // Goes to the next record, the first one at first; false at the end. What key() and value()
    // gave is gone.
    [[nodiscard]] bool next();

    [[nodiscard]] std::string_view key() const noexcept { return key_; }
    [[nodiscard]] std::string_view value() const noexcept { return value_; }
    void append_value(std::string& out) const { out += value_; }

private:
    [[nodiscard]] std::size_t take_size();
    [[nodiscard]] std::string_view take(std::size_t size);
    void need(std::size_t size);

    run read_;  // what is not in the buffer yet
    std::vector<char> buffer_;
    std::size_t from_ = 0;  // in the buffer
    std::size_t to_ = 0;    // in the buffer
    std::string_view key_;
    std::string_view value_;
};

}  // namespace sluice::pipeline::spill
