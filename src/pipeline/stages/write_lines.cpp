// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/result_file.hpp"
#include "pipeline/gzip.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/system_text.hpp"
#include "pipeline/to_lines.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

// What its lines look like, and where they go.
template <class LineOptions>
struct file_sink_options : LineOptions
{
    std::string path;
    bool gzip = false;
    bool accept_partial = false;
};

using text_options = file_sink_options<line_options>;
using json_options = file_sink_options<json_line_options>;

line_rules rules_of(const text_options& options)
{
    return text_rules(options);
}

line_rules rules_of(const json_options& options)
{
    return json_rules(options);
}

// Writes elements as lines into a file, which is there when all of them have been written.
template <class Options>
class file_sink final : public stage
{
public:
    explicit file_sink(const Options& options)
        : rules_(rules_of(options)),
          path_(options.path),
          accepts_partial_(options.accept_partial),
          file_(options.path)
    {
        expect_no_nul("path", options.path);
        if (options.path.empty() || options.path.ends_with('/'))
            throw option_error(
                "path",
                fmt::format("\"{}\"", options.path),
                "the path of a file"
            );
        if (options.gzip)
            gzip_.emplace();
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        co_await context.blocking([this] { open_once(); });  // also for an empty input
        while (true) {
            std::vector<element> taken = co_await context.read();
            if (taken.empty())
                co_return;
            co_await context.blocking([&] { write(std::move(taken)); });
        }
    }

    asio::awaitable<void> finish(stage_context& context) override
    {
        const bool is_whole = accepts_partial_ || !context.should_stop();
        co_await context.blocking([this, is_whole] { complete(is_whole); });
    }

    [[nodiscard]] stage_files files() const override { return {.written = path_}; }

    // Without the lock: a worker that is writing has it, perhaps for ever.
    void abandon() noexcept override { file_.discard(); }

private:
    void open_once()
    {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(is_open_, true))
            file_.open();
    }

    void write(std::vector<element>&& elements)
    {
        const std::string lines = to_lines(std::move(elements), rules_);
        const std::lock_guard lock(mutex_);
        if (gzip_)
            file_.write(gzip_->encode(lines));
        else
            file_.write(lines);
    }

    void complete(bool is_whole)
    {
        const std::lock_guard lock(mutex_);
        if (gzip_)
            file_.write(gzip_->finish());
        if (is_whole)
            file_.complete();
        else
            file_.complete_aside();
    }

    const line_rules rules_;
    const std::string path_;
    const bool accepts_partial_;
    std::mutex mutex_;
    bool is_open_ = false;              // guarded by mutex_
    io::result_file file_;              // guarded by mutex_, but for discard()
    std::optional<gzip_encoder> gzip_;  // guarded by mutex_
};

constexpr const char* write_lines_details =
    R"(A text is written as it is, a JSON string without quotes, and anything else as JSON.
A text with a newline is an error unless "newlines" says what to do with it.
The file is there when the pipeline has come to its end, and as before if it has not: until
then it has a temporary name in the same directory. A device or a pipe is written to directly.
The result of a run that was drained is not whole. It gets the name of the file and
".partial", unless "accept_partial" is true, which is for inputs without an end.

    { "stage": "write_lines", "from": "lines",
      "options": { "path": "result.txt", "gzip": false } })";

constexpr const char* write_json_lines_details =
    R"(Texts are written as JSON strings, batches as arrays, numbers as they were read. A text that
is not UTF-8 is an error unless "invalid_utf8" is replace.
The file is there when the pipeline has come to its end, and as before if it has not: until
then it has a temporary name in the same directory. A device or a pipe is written to directly.
The result of a run that was drained is not whole. It gets the name of the file and
".partial", unless "accept_partial" is true, which is for inputs without an end.

    { "stage": "write_json_lines", "from": "records",
      "options": { "path": "result.json.gz", "gzip": true } })";

template <class Options>
void add_file_sink(
    stage_registry& stages,
    std::string name,
    std::string summary,
    std::string details,
    stage_options<Options> options
)
{
    stages.add<file_sink<Options>>(
        {.name = std::move(name),
         .summary = std::move(summary),
         .takes = element_kind::any,
         .gives = element_kind::none,
         .details = std::move(details)},
        std::move(options
                      .template required<std::string>("path", &Options::path, "the file")
                      .template optional<bool>(
                          "gzip",
                          &Options::gzip,
                          "whether it is compressed"
                      )
                      .template optional<bool>(
                          "accept_partial",
                          &Options::accept_partial,
                          "whether a run that was drained replaces the file, too"
                      ))
    );
}

}  // namespace

void add_write_lines(stage_registry& stages)
{
    stage_options<text_options> options;
    add_file_sink(
        stages,
        "write_lines",
        "writes each element as a line into a file",
        write_lines_details,
        add_line_options(options)
    );
}

void add_write_json_lines(stage_registry& stages)
{
    stage_options<json_options> options;
    add_file_sink(
        stages,
        "write_json_lines",
        "writes each element as JSON, a line each, into a file",
        write_json_lines_details,
        add_json_line_options(options)
    );
}

}  // namespace sluice::pipeline
