// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/committed_file.hpp"

#include "io/io.hpp"
#include "io/same_file.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"

#include <boost/crc.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::io {

namespace {

constexpr std::string_view record_suffix = ".commits";
constexpr std::string_view format = "sluice commits 1: ";  // before the title

std::uint32_t checksum_of(std::string_view bytes)
{
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

// A line of the record, without its end.
struct commit_line
{
    std::uint64_t length;    // of the file, with the data of this commit
    std::uint32_t checksum;  // of that data
    std::string_view note;
};

std::string to_text(const commit_line& line)
{
    std::string text = std::to_string(line.length)
                           .append(" ")
                           .append(std::to_string(line.checksum))
                           .append(" ")
                           .append(line.note);
    const std::uint32_t checksum = checksum_of(text);
    return text.append(" ").append(std::to_string(checksum)).append("\n");
}

// Takes a word off the front, or what there is.
std::string_view take_word(std::string_view& text)
{
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

// Takes a line off the front; none if it has no end.
std::optional<std::string_view> take_line(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

// Empty if it is not what to_text() gives.
std::optional<commit_line> line_from(std::string_view text)
{
    const std::size_t space = text.rfind(' ');
    if (space == std::string_view::npos)
        return std::nullopt;
    const std::string_view content = text.substr(0, space);
    if (text::whole_number<std::uint32_t>(text.substr(space + 1)) != checksum_of(content))
        return std::nullopt;
    std::string_view rest = content;
    const auto length = text::whole_number<std::uint64_t>(take_word(rest));
    const auto checksum = text::whole_number<std::uint32_t>(take_word(rest));
    if (!length || !checksum)
        return std::nullopt;
    return commit_line{*length, *checksum, rest};
}

bool has_commit(std::string_view text)
{
    while (const auto line = take_line(text))
        if (line_from(*line))
            return true;
    return false;
}

std::uint64_t size_of(int descriptor, const std::string& name)
{
    struct stat status{};
    if (::fstat(descriptor, &status) != 0)
        throw_error(errno, "cannot stat ", name);
    return static_cast<std::uint64_t>(status.st_size);
}

std::string read_from(
    int descriptor,
    std::uint64_t begin,
    std::uint64_t end,
    const std::string& name
)
{
    std::string bytes(end - begin, '\0');
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = uninterrupted([&] {
            return ::pread(
                descriptor,
                bytes.data() + done,
                bytes.size() - done,
                static_cast<off_t>(begin + done)
            );
        });
        if (count <= 0)
            throw_error(count < 0 ? errno : EIO, "cannot read ", name);
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

void cut(int descriptor, std::uint64_t length, const std::string& name)
{
    const auto size = static_cast<off_t>(length);
    if (uninterrupted([&] { return ::ftruncate(descriptor, size); }) != 0)
        throw_error(errno, "cannot cut off what was not committed of ", name);
}

void flush_to_disk(int descriptor, const std::string& name)
{
    if (uninterrupted([&] { return ::fdatasync(descriptor); }) != 0)
        throw_error(errno, "cannot write to ", name);
}

template <class... Parts>
[[noreturn]] void refuse(const std::string& name, const Parts&... parts)
{
    std::string message = text::printable(name);
    (message.append(parts), ...);
    throw std::runtime_error(message);
}

unique_descriptor open_one(const std::string& name, int create)
{
    constexpr int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    constexpr mode_t for_all_users = 0666;  // less what the umask takes away
    unique_descriptor opened(uninterrupted([&] {
        return ::open(name.c_str(), flags | create, for_all_users);
    }));
    struct stat status{};
    if (!opened || ::fstat(opened.get(), &status) != 0)
        throw_error(errno, "cannot open ", name);
    if (!S_ISREG(status.st_mode))
        refuse(name, " is a device or a pipe, from which nothing can be cut off");
    return opened;
}

}  // namespace

committed_file::committed_file(std::string path) : path_(std::move(path)) {}

void committed_file::open(std::string_view title, const recall& tell)
{
    file_ = open_one(path_, O_CREAT);
    path_ = real_path(path_);  // now that it is there
    record_path_ = name_of_record(path_);
    open_record();
    const std::uint64_t size = size_of(record_.get(), record_path_);
    const std::string text = read_from(record_.get(), 0, size, record_path_);
    if (text.find('\n') == std::string::npos)  // it is new, or was about to be begun
        begin_record(title);
    else
        read_record(text, title, tell);
    cut(file_.get(), length_, path_);
}

// A file with content was not made here if it has no record, and so gets none.
void committed_file::open_record()
{
    const bool is_new = size_of(file_.get(), path_) == 0;
    if (!is_new && ::access(record_path_.c_str(), F_OK) != 0 && errno == ENOENT)
        refuse(
            path_,
            " is there, and no record of what was committed to it; remove it, or "
            "choose another name"
        );
    record_ = open_one(record_path_, is_new ? O_CREAT : 0);
    if (uninterrupted([&] { return ::flock(record_.get(), LOCK_EX | LOCK_NB); }) == 0)
        return;
    if (errno == EWOULDBLOCK)
        refuse(
            path_,
            " is being written by another process, which has its record locked"
        );
    throw_error(errno, "cannot lock ", record_path_);
}

void committed_file::begin_record(std::string_view title)
{
    if (size_of(file_.get(), path_) > 0)
        refuse(
            path_,
            " is there, and its record is empty; remove both, or choose another name"
        );
    cut(record_.get(), 0, record_path_);
    write_all(
        record_.get(),
        std::string(format).append(title).append("\n"),
        record_path_
    );
    flush_to_disk(record_.get(), record_path_);
    sync_folder();
}

void committed_file::read_record(
    const std::string& text,
    std::string_view title,
    const recall& tell
)
{
    std::string_view rest = text;
    const std::string_view head = *take_line(rest);
    if (!head.starts_with(format))
        refuse(
            record_path_,
            " is no record of commits; remove it, or choose another name"
        );
    if (head.substr(format.size()) != title)
        refuse(
            record_path_,
            " is the record of ",
            text::printable(head.substr(format.size())),
            ", not of ",
            text::printable(title)
        );
    std::size_t good = text.size() - rest.size();
    std::uint64_t begin = 0;  // of the data of the last commit
    std::uint32_t checksum = checksum_of({});
    while (const auto line = take_line(rest)) {
        const auto commit = line_from(*line);
        if (!commit || commit->length < length_)
            break;
        begin = std::exchange(length_, commit->length);
        checksum = commit->checksum;
        good = text.size() - rest.size();
        tell(commit->note);
    }
    if (has_commit(std::string_view(text).substr(good)))
        refuse(record_path_, " is damaged in the middle");
    expect_data(begin, checksum);
    cut(record_.get(), good, record_path_);
}

// Only that of the last commit is read; of what is before it the length must do.
void committed_file::expect_data(std::uint64_t begin, std::uint32_t checksum) const
{
    const std::uint64_t size = size_of(file_.get(), path_);
    if (size < length_)
        refuse(
            path_,
            " has ",
            std::to_string(size),
            " bytes, and its record says that ",
            std::to_string(length_),
            " were committed; restore it, or remove both and begin anew"
        );
    if (checksum_of(read_from(file_.get(), begin, length_, path_)) != checksum)
        refuse(
            path_,
            " does not end with what was committed last, so it has been changed; restore "
            "it, or remove it and its record and begin anew"
        );
}

// So that both names are there after a loss of power.
void committed_file::sync_folder() const
{
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    const unique_descriptor opened(
        ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    );
    if (!opened || ::fsync(opened.get()) != 0)
        throw_error(errno, "cannot write to the folder ", folder);
}

bool committed_file::begins_with(std::string_view data) const
{
    return data.size() <= length_ &&
           read_from(file_.get(), 0, data.size(), path_) == data;
}

void committed_file::commit(std::string_view data, std::string_view note)
{
    if (std::exchange(is_broken_, true))
        refuse(path_, " cannot be written to, because that has failed before");
    append(data, note);
    is_broken_ = false;
}

void committed_file::append(std::string_view data, std::string_view note)
{
    if (size_of(file_.get(), path_) != length_)
        refuse(path_, " is being changed by another program");
    write_all(file_.get(), data, path_);
    // Before the record has it: a commit stands for data that is there.
    flush_to_disk(file_.get(), path_);
    const std::uint64_t length = length_ + data.size();
    write_all(record_.get(), to_text({length, checksum_of(data), note}), record_path_);
    flush_to_disk(record_.get(), record_path_);
    length_ = length;
}

std::string name_of_record(const std::string& path)
{
    return real_path(path).append(record_suffix);
}

}  // namespace sluice::io
