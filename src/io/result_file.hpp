// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/io.hpp"

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/stat.h>

namespace sluice::io {

// A path as users give it: "-" is standard output.
[[nodiscard]] std::string path_of_result(std::string given);

// No program reads a named pipe, although this has waited for one as long as it may.
class no_reader : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// A result that appears whole or not at all: a file that gets its name when it is complete.
/*
 * Until then it has a random name in the same folder, which is_unfinished() knows, and is locked.
 * So no reader takes it for input, and it hinders no run after this one. What a process that
 * was killed has left there is not locked, and is removed by the next result in that folder.
 *
 * A file that it replaces leaves it its owner and its permissions, and a link stays. What cannot
 * be replaced is written to as it is: a device, a pipe, a descriptor of this
 * process such as /dev/stdout, and a file that is standard output or error already.
 *
 * All errors name the path, and those of publish_aside() that of the part. Thread safety: none,
 * but see discard().
 */
class result_file
{
public:
    // Opens nothing yet.
    explicit result_file(std::string path);

    result_file(const result_file&) = delete;
    result_file& operator=(const result_file&) = delete;

    ~result_file() { discard(); }

    // Opens it; finds out before any work is done whether its name may be given to it. Waits for
    // nothing: throws no_reader for a named pipe without a reader.
    void open() { open({}); }

    // The same, but waits for the reader of a named pipe, and throws no_reader when the stop comes.
    void open(const std::stop_token& stop);

    // Writes all of it.
    void write(std::string_view data);

    // Removes what is not complete. Any thread, at any time: also while another one writes.
    void discard() noexcept;

    // Waits until the disk has all of it. Nothing is written after that.
    void flush();

    // Gives it its name, after flush().
    void publish();

    // The same with the name `path`.partial, for a result of which a part is missing: what has
    // the name stays. False if it was written to as it is.
    bool publish_aside();

    // All that is left to do.
    void complete()
    {
        flush();
        publish();
    }

private:
    void open_copy(int descriptor);
    void open_as_it_is(bool is_pipe, const std::stop_token& stop);
    void open_folder();
    void expect_replaceable(const struct stat& old) const;
    void create(mode_t permissions);
    void take_over_rights(const struct stat& old) const;
    void remove_stale() const;
    void rename_temporary(const std::string& name, const std::string& path);
    [[nodiscard]] bool take_temporary() noexcept;
    [[noreturn]] void fail(const char* what) const;

    const std::string path_;
    unique_descriptor folder_;  // of what is replaced, and of the temporary file
    std::string name_;          // in that folder
    unique_descriptor descriptor_;
    std::string temporary_;  // its name; constant while it exists
    std::atomic<bool> is_temporary_{false
    };  // the thread that clears it renames or removes it
};

// The name that publish_aside() gives to a result, which stands beside the file to which a link
// leads.
[[nodiscard]] std::string name_of_partial(const std::string& path);

// Whether another user may have put a file of that name, or a link, into a folder where every user
// may put files. The kernel follows such a link unless it is set not to.
[[nodiscard]] bool is_planted(const std::string& path) noexcept;

// Whether a file of that name is a result that is not complete, of any process.
[[nodiscard]] bool is_unfinished(std::string_view name) noexcept;

}  // namespace sluice::io
