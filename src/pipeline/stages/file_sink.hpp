// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "io/appended_file.hpp"
#include "io/result_file.hpp"
#include "pipeline/libraries/gzip.hpp"
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
    std::string path = "-";
    bool gzip = false;
    bool append = false;
    std::optional<std::chrono::nanoseconds> sync_interval;
    std::optional<byte_size> max_size;
    std::optional<std::uint64_t> keep;
};

// Writes elements into a file: all of a stage but what an element looks like. The file is there
// when all of them have been written, unless they are appended to one.
class file_sink : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] boost::asio::awaitable<void> finish(stage_context& context) final;
    void publish() final;
    [[nodiscard]] stage_files files() const final;

    [[nodiscard]] bool can_acknowledge() const noexcept final
    {
        return appended_ || (is_printed_ && !gzip_);
    }

    [[nodiscard]] std::string partial_result() const final;

    // Without the lock: a worker that is writing has it, perhaps for ever.
    void abandon() noexcept final { file_.discard(); }

protected:
    // Throws option_error if options do not fit. The path "-" stands for stage_context::out().
    // With a separator it is CSV.
    file_sink(const file_sink_options& options, std::optional<char> separator);

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
    void flush();
    void append(const std::string& encoded);
    void put(const std::string& bytes);

    const std::string path_;
    const bool is_printed_;
    const io::append_rules rules_;
    std::mutex mutex_;
    std::atomic<bool> is_partial_ =
        false;                         // its name is that of the result and ".partial"
    std::once_flag opened_;            // or that has failed
    std::exception_ptr open_failure_;  // constant after that
    bool has_head_ = false;            // guarded by mutex_
    bool is_whole_ = false;            // constant after finish()
    output* out_ = nullptr;            // instead of file_, if it is printed
    io::result_file file_;  // guarded by mutex_ when it is open, but for discard()
    std::optional<io::appended_file> appended_;  // instead of it
    std::optional<gzip_encoder> gzip_;           // guarded by mutex_
};

}  // namespace sluice::pipeline
