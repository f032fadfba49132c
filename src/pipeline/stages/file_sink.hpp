// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/result_file.hpp"
#include "pipeline/gzip.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

struct file_sink_options
{
    std::string path = "-";
    bool gzip = false;
    bool accept_partial = false;
};

// Adds them to those of a stage, whose options derive from file_sink_options.
template <class Options>
stage_options<Options>& add_file_sink_options(stage_options<Options>& options)
{
    // The types are written out, because a member of the base is not deduced as one of Options.
    return options
        .template optional<std::string>(
            "path",
            &Options::path,
            "the file; \"-\": standard output"
        )
        .template optional<bool>("gzip", &Options::gzip, "whether it is compressed")
        .template optional<bool>(
            "accept_partial",
            &Options::accept_partial,
            "whether a run that was drained replaces the file, too"
        );
}

// What the sinks have in common that write elements into a file: all but what an element looks
// like. The file is there when all of them have been written.
class file_sink : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] boost::asio::awaitable<void> finish(stage_context& context) final;
    [[nodiscard]] stage_files files() const final;

    [[nodiscard]] bool can_acknowledge() const noexcept final
    {
        return is_printed_ && !gzip_;
    }

    [[nodiscard]] std::string partial_result() const final;

    // Without the lock: a worker that is writing has it, perhaps for ever.
    void abandon() noexcept final { file_.discard(); }

protected:
    // Throws option_error if the path is none of a file, nor "-", which stands for
    // stage_context::out().
    explicit file_sink(const file_sink_options& options);

private:
    // What these elements are in the file, at least one. Throws what is wrong with one of them.
    // Called by all workers at the same time.
    [[nodiscard]] virtual std::string encode(std::vector<element>&& elements) = 0;

    // What stands before them. Called when the first of them have been encoded, or at the end.
    [[nodiscard]] virtual std::string head() { return {}; }

    [[nodiscard]] std::string encode_or_say_where(std::vector<element>&& elements);
    void open_first(const stage_context& context);
    void open(const stage_context& context) noexcept;
    void write(const std::string& encoded);
    void complete(bool is_whole);
    void append(const std::string& encoded);
    void put(const std::string& bytes);

    const std::string path_;
    const bool is_printed_;
    const bool accepts_partial_;
    std::mutex mutex_;
    std::atomic<bool> is_partial_ =
        false;                         // its name is that of the result and ".partial"
    std::once_flag opened_;            // or that has failed
    std::exception_ptr open_failure_;  // constant after that
    bool has_head_ = false;            // guarded by mutex_
    output* out_ = nullptr;            // instead of file_, if it is printed
    io::result_file file_;  // guarded by mutex_ when it is open, but for discard()
    std::optional<gzip_encoder> gzip_;  // guarded by mutex_
};

}  // namespace sluice::pipeline
