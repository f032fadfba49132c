// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/unique_descriptor.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace sluice::io {

// A result that grows by commits: what one of them adds is in the file as a whole or, after the
// process was killed or the power failed, not at all.
/*
 * Beside the file is its record, which has the name of the file and ".commits". A commit appends
 * its data to the file, waits until the disk has it, and appends a line to the record: how long the
 * file is now, a checksum of the data, a note of the caller's, and a checksum of the line. When the
 * disk has that line, the data is committed. Data behind the last commit, and a line that is not
 * complete, are of a process that was killed; they are cut off when the file is opened.
 *
 * The record is locked while the file is open, so that no two processes add to it. A link is
 * followed, and the record is beside the file to which it leads.
 *
 * All errors name one of the files. After an error nothing can be committed any more, because it is
 * unknown what the disk has; open it anew. Thread safety: none.
 */
class committed_file
{
public:
    using recall = std::function<void(std::string_view note)>;

    // Opens nothing yet.
    explicit committed_file(std::string path);

    // Opens the file, or makes it, and calls `tell` with the note of each commit, in their order.
    // The title is what the record says of itself in its first line; it must be the same each time.
    // Throws what `tell` throws.
    void open(std::string_view title, const recall& tell);

    // Adds data. Returns when the disk has it, and the note. Neither title nor note have newlines.
    void commit(std::string_view data, std::string_view note);

    // Whether nothing has been added to it.
    [[nodiscard]] bool is_empty() const noexcept { return length_ == 0; }

    // Whether what is committed begins with this.
    [[nodiscard]] bool begins_with(std::string_view data) const;

private:
    void open_record();
    void begin_record(std::string_view title);
    void read_record(const std::string& text, std::string_view title, const recall& tell);
    void expect_data(std::uint64_t begin, std::uint32_t checksum) const;
    void sync_folder() const;
    void append(std::string_view data, std::string_view note);

    std::string path_;
    std::string record_path_;
    unique_descriptor file_;
    unique_descriptor record_;
    std::uint64_t length_ = 0;  // how much of the file is committed
    bool is_broken_ = false;    // a commit has failed
};

// Where the record of a file is.
[[nodiscard]] std::string name_of_record(const std::string& path);

}  // namespace sluice::io
