// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"

#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

stage_options<file_sink_options> describe_file_sink_options()
{
    stage_options<file_sink_options> options;
    options.required("path", &file_sink_options::path, "the file")
        .optional("gzip", &file_sink_options::gzip, "whether it is compressed");
    return options;
}

file_sink::file_sink(const file_sink_options& options, line_format format)
    : format_(format), file_(options.path)
{
    if (options.path.empty() || options.path.ends_with('/'))
        throw option_error("path", '"' + options.path + '"', "the path of a file");
    if (options.gzip)
        gzip_.emplace();
}

asio::awaitable<void> file_sink::work(stage_context& context)
{
    co_await context.blocking([this] { open_once(); });  // also for an empty input
    while (true) {
        std::vector<element> taken = co_await context.read();
        if (taken.empty())
            co_return;
        co_await context.blocking([&] { write(std::move(taken)); });
    }
}

asio::awaitable<void> file_sink::finish(stage_context& context)
{
    co_await context.blocking([this] { complete(); });
}

void file_sink::abandon() noexcept
{
    // A worker that is writing has the lock, perhaps for ever; then the file stays.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock)
        file_.discard();
}

void file_sink::open_once()
{
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_open_, true))
        file_.open();
}

void file_sink::write(std::vector<element>&& elements)
{
    const std::string lines = to_lines(std::move(elements), format_);
    const std::lock_guard lock(mutex_);
    if (gzip_)
        file_.write(gzip_->encode(lines));
    else
        file_.write(lines);
}

void file_sink::complete()
{
    const std::lock_guard lock(mutex_);
    if (gzip_)
        file_.write(gzip_->finish());
    file_.complete();
}

}  // namespace sluice::pipeline
