// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/gzip.hpp"
#include "pipeline/stages/result_file.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_options.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sluice::pipeline {

// The options of the sinks that write a file.
struct file_sink_options
{
    std::string path;
    bool gzip = false;
};

[[nodiscard]] stage_options<file_sink_options> describe_file_sink_options();

// Writes elements as lines into a file, which is there when all of them have been written.
class file_sink : public stage
{
public:
    [[nodiscard]] boost::asio::awaitable<void> work(stage_context& context) final;
    [[nodiscard]] boost::asio::awaitable<void> finish(stage_context& context) final;
    void abandon() noexcept final;

protected:
    file_sink(const file_sink_options& options, line_format format);

private:
    void open_once();
    void write(std::vector<element>&& elements);
    void complete();

    const line_format format_;
    std::mutex mutex_;
    bool is_open_ = false;              // guarded by mutex_
    result_file file_;                  // guarded by mutex_
    std::optional<gzip_encoder> gzip_;  // guarded by mutex_
};

}  // namespace sluice::pipeline
