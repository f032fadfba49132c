// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"

#include "io/io.hpp"
#include "pipeline/option_checks.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

io::append_rules rules_of(const file_sink_options& options)
{
    if (options.append && options.path == "-")
        throw option_error("append", "true", R"(false, because there is no "path")");
    if (options.append && options.gzip)
        throw option_error("gzip", "true", R"(false, because "append" is true)");
    io::append_rules rules;
    rules.sync_interval = options.sync_interval.value_or(rules.sync_interval);
    rules.max_size = options.max_size.value_or(byte_size{rules.max_size}).count;
    rules.keep = options.max_size ? options.keep.value_or(rules.keep) : 0;
    return rules;
}

}  // namespace

file_sink::file_sink(const file_sink_options& options, std::optional<char> separator)
    : path_(io::path_of_result(options.path)),
      is_printed_(options.path == "-"),
      rules_(rules_of(options)),
      file_(path_)
{
    expect_file("path", options.path);
    if (options.append)
        appended_.emplace(path_, separator, rules_);
    if (const char* const reason = reason_for_no_gzip();
        options.gzip && reason != nullptr)
        throw option_error("gzip", "true", fmt::format("false, because {}", reason));
    if (options.gzip)
        gzip_.emplace();
}

asio::awaitable<void> file_sink::work(stage_context& context)
{
    co_await context.blocking([&] { open_first(context); });  // also for an empty input
    while (true) {
        std::vector<element> taken = co_await context.read();
        if (taken.empty())
            co_return;
        co_await context.blocking([&] { write(encode_or_say_where(std::move(taken))); });
    }
}

asio::awaitable<void> file_sink::finish(stage_context& context)
{
    co_await context.blocking([&] { flush(); });
    is_whole_ = !context.should_stop();
}

// Its failure is that of all workers. One that went on would fail for another reason, and perhaps
// first.
void file_sink::open_first(const stage_context& context)
{
    std::call_once(opened_, [&] { open(context); });
    if (open_failure_)
        std::rethrow_exception(open_failure_);
}

void file_sink::open(const stage_context& context) noexcept
{
    try {
        if (is_printed_)
            out_ = &context.out();
        else if (appended_)
            appended_->open();
        else
            file_.open(context.stop_token());
    } catch (...) {
        open_failure_ = std::current_exception();
    }
}

std::string file_sink::encode_or_say_where(std::vector<element>&& elements)
{
    try {
        return encode(std::move(elements));
    } catch (const std::runtime_error& error) {
        const std::string name = is_printed_ ? "standard output" : text::printable(path_);
        throw std::runtime_error(fmt::format("cannot write to {}: {}", name, error.what())
        );
    }
}

void file_sink::write(const std::string& encoded)
{
    const std::lock_guard lock(mutex_);
    if (appended_)
        return appended_->write(head(), encoded);
    if (!std::exchange(has_head_, true))
        append(head());
    append(encoded);
}

void file_sink::flush()
{
    write({});  // the head of an empty input
    const std::lock_guard lock(mutex_);
    if (appended_)
        return appended_->sync();
    if (gzip_)
        put(gzip_->finish());
    if (!is_printed_)
        file_.flush();
}

void file_sink::publish()
{
    const std::lock_guard lock(mutex_);
    if (is_printed_ || appended_)
        return;
    if (is_whole_)
        file_.publish();
    else
        is_partial_ = file_.publish_aside();
}

stage_files file_sink::files() const
{
    if (!appended_)
        return {.written = path_, .written_besides = {io::name_of_partial(path_)}};
    stage_files all{.written = path_, .appends = true};
    for (std::uint64_t times = 1; times <= rules_.keep; ++times)
        all.written_besides.push_back(io::name_of_rotated(io::real_path(path_), times));
    return all;
}

std::string file_sink::partial_result() const
{
    return is_partial_ ? io::name_of_partial(path_) : std::string();
}

void file_sink::append(const std::string& encoded)
{
    if (!encoded.empty())
        put(gzip_ ? gzip_->encode(encoded) : encoded);
}

void file_sink::put(const std::string& bytes)
{
    if (is_printed_)
        out_->write(bytes);
    else
        file_.write(bytes);
}

}  // namespace sluice::pipeline
