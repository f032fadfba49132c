// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/input_file.hpp"

#include "io/io.hpp"
#include "pipeline/input/find_inputs.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <sys/stat.h>
#include <utility>

namespace sluice::pipeline {

namespace {

// Without O_NONBLOCK the opening of a named pipe would wait for its writer.
io::unique_descriptor open_input(const std::string& path)
{
    if (path == standard_input)
        return io::unique_descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    return io::unique_descriptor(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    );
}

}  // namespace

input_file::input_file(const std::string& path)
    : name_(path == standard_input ? "standard input" : path),
      descriptor_(open_input(path))
{
    if (!descriptor_)
        io::throw_error(errno, "cannot open ", name_);
    struct stat status{};
    if (::fstat(descriptor_.get(), &status) != 0)
        io::throw_error(errno, "cannot read ", name_);
    is_regular_ = S_ISREG(status.st_mode);
}

bool input_file::would_wait() const
{
    if (is_regular_ || (gzip_ && gzip_->has_input()))
        return false;
    return !io::is_ready_within({}, descriptor_.get(), POLLIN);
}

std::optional<std::size_t> input_file::read(std::span<char> content)
{
    if (at_start_)
        return read_first(content);
    return gzip_ ? read_gzip(content) : read_raw(content);
}

std::size_t input_file::take_progress() noexcept
{
    return std::exchange(progress_, 0);
}

std::optional<std::size_t> input_file::read_raw(std::span<char> bytes)
{
    const ssize_t got = io::read(descriptor_.get(), bytes);
    if (got == 0)
        return std::nullopt;
    if (got < 0) {
        if (errno == EAGAIN)
            return 0;
        io::throw_error(errno, "cannot read ", name_);
    }
    progress_ += static_cast<std::size_t>(got);
    return static_cast<std::size_t>(got);
}

std::optional<std::size_t> input_file::read_first(std::span<char> content)
{
    std::ranges::copy(first_, content.begin());
    const auto got = read_raw(content.subspan(first_.size()));
    const std::string_view first(content.data(), first_.size() + got.value_or(0));
    if (got && gzip_decoder::needs_more(first)) {
        first_ = first;
        return 0;
    }
    at_start_ = false;
    if (!gzip_decoder::recognizes(first))
        return first.empty() ? std::nullopt : std::optional(first.size());
    gzip_ = std::make_unique<gzip_decoder>(name_, first);
    return 0;
}

std::optional<std::size_t> input_file::read_gzip(std::span<char> content)
{
    if (!gzip_->has_input()) {
        const auto got = read_raw(gzip_->buffer());
        if (!got) {
            gzip_->check_end();
            return std::nullopt;
        }
        gzip_->set_input(*got);
    }
    return gzip_->decode(content);
}

}  // namespace sluice::pipeline
