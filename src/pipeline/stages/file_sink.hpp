// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/appended_file.hpp"
#include "io/result_file.hpp"
#include "pipeline/gzip.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

struct file_sink_options
{
    std::string path;
    bool gzip = false;
    bool append = false;
    std::optional<std::chrono::nanoseconds> sync_interval;
    std::optional<byte_size> max_size;
    std::optional<std::uint64_t> keep;
};

// Adds them to those of a stage, whose options derive from file_sink_options.
template <class Options>
stage_options<Options>& add_file_sink_options(stage_options<Options>& options)
{
    // The types are written out, because a member of the base is not deduced as one of Options.
    return options
        .template required<std::string>(
            "path",
            &Options::path,
            "the file; \"-\": standard output"
        )
        .template optional<bool>("gzip", &Options::gzip, "whether it is compressed")
        .template optional<bool>(
            "append",
            &Options::append,
            "whether elements are appended to the file at once, for input without an end"
        )
        .template optional<std::optional<std::chrono::nanoseconds>>(
            "sync_interval",
            &Options::sync_interval,
            "with append: when the disk has what was written, at the latest, else 5s"
        )
        .template optional<std::optional<byte_size>>(
            "max_size",
            &Options::max_size,
            "with append: a file that would be larger gets a number, and a new one begins"
        )
        .template optional<std::optional<std::uint64_t>>(
            "keep",
            &Options::keep,
            "with max_size: how many files with numbers are kept, else 5",
            {.minimum = 1, .maximum = 100}
        );
}

// What "append" means, for the details of a stage.
constexpr const char* append_details = R"(

With "append" elements are added to the file while the pipeline runs, for input without an end. What
was taken at a time is written at once, and a kill of the process loses none of it. A crash of the
machine loses at most what was written within "sync_interval". With "max_size" a full file is renamed
to its name and ".1", that one to ".2", up to "keep". A file that another program has renamed is begun
anew. A record at its end that a kill has cut is cut off, so do not name a file whose last line lacks
its end. One process at a time may append. "gzip" is refused.)";

// What the sinks have in common that write elements into a file: all but what an element looks
// like. The file is there when all of them have been written, unless they are appended to one.
class file_sink : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] boost::asio::awaitable<void> finish(stage_context& context) final;
    [[nodiscard]] stage_files files() const final;

    [[nodiscard]] bool can_acknowledge() const noexcept final
    {
        return appended_.has_value();
    }

    [[nodiscard]] std::string partial_result() const final;

    // Without the lock: a worker that is writing has it, perhaps for ever.
    void abandon() noexcept final { file_.discard(); }

protected:
    // Throws option_error if options do not fit.
    explicit file_sink(
        const file_sink_options& options,
        io::record_end end = io::record_end::newline
    );

private:
    // What these elements are in the file, at least one. Throws what is wrong with one of them.
    // Called by all workers at the same time.
    [[nodiscard]] virtual std::string encode(std::vector<element>&& elements) = 0;

    // What stands before them in a file. Called when they have been encoded, or at the end.
    [[nodiscard]] virtual std::string head() { return {}; }

    [[nodiscard]] std::string encode_or_say_where(std::vector<element>&& elements);
    void open_first(const stage_context& context);
    void open(const stage_context& context) noexcept;
    void write(const std::string& encoded);
    void complete(bool is_whole);
    void append(const std::string& encoded);

    const std::string path_;
    const io::append_rules rules_;
    std::mutex mutex_;
    std::atomic<bool> is_partial_ =
        false;                         // its name is that of the result and ".partial"
    std::once_flag opened_;            // or that has failed
    std::exception_ptr open_failure_;  // constant after that
    bool has_head_ = false;            // guarded by mutex_
    io::result_file file_;  // guarded by mutex_ when it is open, but for discard()
    std::optional<io::appended_file> appended_;  // instead of it
    std::optional<gzip_encoder> gzip_;           // guarded by mutex_
};

}  // namespace sluice::pipeline
