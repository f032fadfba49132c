// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/input_file.hpp"

#include "pipeline/input/input_list.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::pipeline {

namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t little = 64 * 1024 * 1024;  // bytes that any file may expand to

// Without O_NONBLOCK the opening of a named pipe would wait for its writer.
io::unique_descriptor open_input(const std::string& path)
{
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    return io::unique_descriptor(
        path == standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : ::open(path.c_str(), flags)
    );
}

struct stat status_of(int descriptor, const std::string& name)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0)
        io::throw_error(errno, "cannot read ", name);
    return status;
}

// Standard input may have been read in part.
std::uint64_t position_in(int descriptor) noexcept
{
    const off_t position = ::lseek(descriptor, 0, SEEK_CUR);
    return position > 0 ? static_cast<std::uint64_t>(position) : 0;
}

// A way to compress a file, which its first bytes tell.
struct compression
{
    std::string_view name;   // of its program, too
    std::string_view magic;  // the first bytes; `?` stands for any byte
};

constexpr std::string_view gzip_name = "gzip";

// The magic numbers are those of RFC 1952, RFC 8878, the .xz file format 1.2 and bzip2 1.0.
constexpr std::array<compression, 4> formats{{
    {gzip_name, gzip_decoder::magic},
    {"zstd", "\x28\xb5\x2f\xfd"sv},
    {"xz", "\xfd\x37\x7a\x58\x5a\x00"sv},
    {"bzip2", "BZh?1AY&SY"sv},
}};

// As far as both go.
bool agree(std::string_view bytes, std::string_view magic) noexcept
{
    const auto length = std::min(bytes.size(), magic.size());
    return std::ranges::equal(
        bytes.substr(0, length),
        magic.substr(0, length),
        [](char byte, char wanted) { return wanted == '?' || byte == wanted; }
    );
}

}  // namespace

input_file::input_file(const std::string& path, std::span<char> buffer)
    : name_(path == standard_input ? "standard input" : text::printable(path)),
      descriptor_(open_input(path)),
      buffer_(buffer)
{
    if (!descriptor_)
        io::throw_error(errno, "cannot open ", name_);
    const struct stat status = status_of(descriptor_.get(), name_);
    is_regular_ = S_ISREG(status.st_mode);
    size_ = is_regular_ ? status.st_size : 0;
    begin_ = is_regular_ ? position_in(descriptor_.get()) : 0;
    if (is_regular_ && io::is_open_as(STDOUT_FILENO, status))
        throw std::runtime_error(
            "cannot read " + name_ +
            ": it is standard output as well, and would grow while it is read; write the "
            "results to another file"
        );
}

bool input_file::would_wait() const
{
    return !is_regular_ && !can_decode() &&
           !io::is_ready_within({}, descriptor_.get(), POLLIN);
}

std::optional<std::string_view> input_file::read()
{
    const bool has_ended = !can_decode() && !fill();
    if (has_ended)
        expect_whole_file();
    if (has_ended && gzip_)
        gzip_->check_end();
    if (has_ended && data_.empty())
        return std::nullopt;
    if (!is_decided_ && !has_ended && !decide())
        return "";
    if (!gzip_)
        return std::exchange(data_, {});
    const std::string_view content = gzip_->decode(data_);
    given_ += content.size();
    return content;
}

bool input_file::expands_beyond(double most) const noexcept
{
    return given_ > little &&
           static_cast<double>(given_) / most > static_cast<double>(read_);
}

// False if these are too few bytes to tell.
bool input_file::decide()
{
    is_decided_ = true;
    for (const auto& [name, magic] : formats) {
        if (!agree(data_, magic))
            continue;
        is_decided_ = data_.size() >= magic.size();
        if (!is_decided_)
            continue;
        if (name != gzip_name)
            throw std::runtime_error(fmt::format(
                "cannot read {}: it is compressed with {}, and sources uncompress gzip "
                "only; uncompress it before, or use {} -dc as a command that is the "
                "source",
                name_,
                name,
                name
            ));
        gzip_.emplace(name_);
        break;
    }
    return is_decided_;
}

bool input_file::can_decode() const noexcept
{
    return gzip_ && (!data_.empty() || gzip_->has_output());
}

// Reads once, behind what is left; false at the end.
bool input_file::fill()
{
    const ssize_t got = io::read(descriptor_.get(), buffer_.subspan(data_.size()));
    is_dry_ = got < 0 && errno == EAGAIN;
    if (got < 0 && !is_dry_)
        io::throw_error(errno, "cannot read ", name_);
    if (got > 0) {
        data_ = {buffer_.data(), data_.size() + static_cast<std::size_t>(got)};
        progress_ += static_cast<std::size_t>(got);
        read_ += static_cast<std::size_t>(got);
    }
    return got != 0;
}

// What the kernel makes up, as in /sys, may have fewer bytes than it says, but says the same again.
void input_file::expect_whole_file() const
{
    const auto size = static_cast<std::uint64_t>(size_);
    if (begin_ + read_ >= size || status_of(descriptor_.get(), name_).st_size >= size_)
        return;
    throw std::runtime_error(fmt::format(
        "cannot read {} to its end: it was cut while it was read, after {} of {} bytes; "
        "what rotates it should rename it instead",
        name_,
        text::with_separators(begin_ + read_),
        text::with_separators(size)
    ));
}

}  // namespace sluice::pipeline
