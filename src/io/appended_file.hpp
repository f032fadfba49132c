// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/io.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace sluice::io {

struct append_rules
{
    std::chrono::nanoseconds sync_interval = std::chrono::seconds(5);
    std::uint64_t max_size = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t keep = 5;  // how many files of that size
};

// A result that is appended to a file, for input without an end.
/*
 * What is written is in the file at once, and on the disk after `sync_interval`, for which it has a
 * thread. A file that would become larger than `max_size` is renamed to `path`.1, that one to
 * `path`.2 and so on, up to `keep`. One that another program has renamed or removed is begun anew.
 *
 * The file is locked, so that no two processes write it. A record at its end that is not complete
 * is of a process that was killed, and is cut off.
 *
 * All errors name the path. Thread safety: none.
 */
class appended_file
{
public:
    // Opens nothing yet. With a separator the file is CSV, whose records may have newlines in
    // fields in quotes.
    appended_file(std::string path, std::optional<char> separator, append_rules rules);

    // Opens the file, or makes it.
    void open();

    // Appends whole records. A file begins with the head.
    void write(std::string_view head, std::string_view records);

    // Waits until the disk has all of it.
    void sync();

private:
    void open_file();
    [[nodiscard]] std::uint64_t cut_incomplete(std::uint64_t size);
    [[nodiscard]] std::uint64_t size_of_file() const;
    [[nodiscard]] std::uint64_t size_of_whole(std::string_view head);
    void expect_head(std::string_view head, std::uint64_t size) const;
    void append(std::string_view records, std::uint64_t size);
    void rotate();
    void sync_now();
    void sync_at_times(const std::stop_token& stop);

    std::string path_;
    const std::optional<char> separator_;
    const append_rules rules_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    unique_descriptor file_;    // guarded by mutex_
    bool is_known_ = false;     // what is in file_ is whole; guarded by mutex_
    bool is_unsynced_ = false;  // guarded by mutex_
    int failure_ = 0;           // of an attempt to sync; guarded by mutex_
    std::jthread syncing_;      // the last member, because it uses the others
};

// The name of a file that was renamed so many times.
[[nodiscard]] std::string name_of_rotated(const std::string& path, std::uint64_t times);

}  // namespace sluice::io
