// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/event_file.hpp"

#include "io/io.hpp"
#include "report/event_record.hpp"

#include <fcntl.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <unistd.h>

namespace sluice::report {

namespace {

error_code last_error() noexcept
{
    return {errno, boost::system::system_category()};
}

std::string host_name()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0')
        return "localhost";
    return name.data();
}

// The number tells the files of this process apart.
std::string file_name()
{
    static std::atomic<unsigned> files = 0;
    std::array<char, 32> seconds{};
    std::snprintf(
        seconds.data(),
        seconds.size(),
        "%010lld",
        static_cast<long long>(std::time(nullptr))
    );
    return "events.out.tfevents." + std::string(seconds.data()) + '.' + host_name() +
           '.' + std::to_string(::getpid()) + '.' + std::to_string(files++);
}

int open_new(const std::filesystem::path& path)
{
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
    return io::uninterrupted([&] { return ::open(path.c_str(), flags, 0666); });
}

}  // namespace

event_file::event_file(const std::filesystem::path& directory)
{
    std::error_code not_made;
    std::filesystem::create_directories(directory, not_made);
    if (not_made)
        throw system_error(
            error_code(not_made),
            "cannot make the directory " + directory.string()
        );
    // A process in another container may have the same name, number and time.
    do {
        path_ = directory / file_name();
        descriptor_ = open_new(path_);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0)
        throw system_error(last_error(), "cannot make the file " + path_.string());
}

event_file::~event_file()
{
    ::close(descriptor_);
}

error_code event_file::write(const std::string& records, std::size_t& written) noexcept
{
    while (written < records.size()) {
        const ssize_t count = io::uninterrupted([&] {
            return ::write(descriptor_, &records[written], records.size() - written);
        });
        if (count < 0)
            return last_error();
        written += static_cast<std::size_t>(count);
    }
    return {};
}

error_code event_file::append(std::string& records) noexcept
{
    if (broken_)
        return broken_;
    std::size_t written = 0;
    const error_code error = write(records, written);
    if (error) {
        // What follows half a record could not be read.
        const auto whole = whole_records(std::string_view(records).substr(0, written));
        const off_t end = ::lseek(descriptor_, 0, SEEK_CUR);
        const auto half = static_cast<off_t>(written - whole);
        if (half > 0 && (end < half || ::ftruncate(descriptor_, end - half) != 0))
            broken_ = error;
        written = whole;
    }
    records.erase(0, written);
    return error;
}

}  // namespace sluice::report
