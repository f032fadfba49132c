// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/file_sink.hpp"

#include "pipeline/system_text.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

file_sink::file_sink(const file_sink_options& options)
    : path_(io::path_of_result(options.path)),
      is_printed_(options.path == "-"),
      accepts_partial_(options.accept_partial),
      file_(path_)
{
    expect_file("path", options.path);
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
    const bool is_whole = accepts_partial_ || !context.should_stop();
    co_await context.blocking([this, is_whole] { complete(is_whole); });
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
    if (!std::exchange(has_head_, true))
        append(head());
    append(encoded);
}

void file_sink::complete(bool is_whole)
{
    write({});  // the head of an empty input
    const std::lock_guard lock(mutex_);
    if (gzip_)
        put(gzip_->finish());
    if (is_printed_)
        return;
    if (is_whole)
        file_.complete();
    else
        is_partial_ = file_.complete_aside();
}

stage_files file_sink::files() const
{
    return {.written = path_, .written_besides = {io::name_of_partial(path_)}};
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
