// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/unnamed_file.hpp"

#include "io/io.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <unistd.h>

namespace sluice::io {

namespace {

std::string temporary_folder()
{
    const char* const chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

// For file systems on which each file has a name at first.
int make_and_unlink(const std::string& folder)
{
    std::string path = folder + "/sluice-XXXXXX";
    const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0)
        ::unlink(path.c_str());
    return descriptor;
}

int make_in(const std::string& folder)
{
    constexpr int flags = O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL;
    const int descriptor = uninterrupted([&] {
        return ::open(folder.c_str(), flags, S_IRUSR | S_IWUSR);
    });
    const bool needs_name = descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR);
    return needs_name ? make_and_unlink(folder) : descriptor;
}

}  // namespace

unnamed_file::unnamed_file()
{
    const std::string folder = temporary_folder();
    name_ = "a temporary file in " + folder;
    descriptor_ = unique_descriptor(make_in(folder));
    if (!descriptor_)
        throw_error(errno, "cannot make ", name_);
}

void unnamed_file::append(std::string_view bytes)
{
    write_all(descriptor_.get(), bytes, name_);
    size_ += bytes.size();
}

void unnamed_file::read(std::uint64_t from, std::span<char> bytes) const
{
    while (!bytes.empty()) {
        const ssize_t count = uninterrupted([&] {
            return ::pread(
                descriptor_.get(),
                bytes.data(),
                bytes.size(),
                static_cast<off_t>(from)
            );
        });
        if (count <= 0)
            throw_error(count < 0 ? errno : EIO, "cannot read ", name_);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        from += static_cast<std::uint64_t>(count);
    }
}

}  // namespace sluice::io
