// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/gzip.hpp"
#include "pipeline/stages/result_file.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

struct file_sink_options
{
    std::string path;
    bool gzip = false;
};

// Adds them to those of a stage, whose options derive from file_sink_options.
template <class Options>
stage_options<Options>& add_file_sink_options(stage_options<Options>& options)
{
    // The types are written out, because a member of the base is not deduced as one of Options.
    return options.template required<std::string>("path", &Options::path, "the file")
        .template optional<bool>("gzip", &Options::gzip, "whether it is compressed");
}

// What the sinks have in common that write elements into a file, which is there when all of
// them have been written: all but what an element looks like.
class file_sink : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] boost::asio::awaitable<void> finish(stage_context& context) final;
    void abandon() noexcept final;

protected:
    // Throws option_error if this is no path of a file.
    explicit file_sink(const file_sink_options& options);

private:
    // What these elements are in the file. Called by all workers at the same time.
    [[nodiscard]] virtual std::string encode(std::vector<element>&& elements) = 0;

    // What stands before them. Called once, when the first of them have been encoded, or at
    // the end.
    [[nodiscard]] virtual std::string head() { return {}; }

    void open_once();
    void write(const std::string& encoded);
    void complete();
    void append(const std::string& encoded);

    std::mutex mutex_;
    bool is_open_ = false;              // guarded by mutex_
    bool has_head_ = false;             // guarded by mutex_
    result_file file_;                  // guarded by mutex_
    std::optional<gzip_encoder> gzip_;  // guarded by mutex_
};

}  // namespace sluice::pipeline
