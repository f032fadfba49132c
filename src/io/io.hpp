// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

// File descriptors, system calls on them, repeated for as long as a signal interrupts them, and
// whether two names, or a name and a descriptor, stand for one file.
namespace sluice::io {

// Owns a file descriptor; -1 is none.
class unique_descriptor
{
public:
    unique_descriptor() = default;
    explicit unique_descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
    unique_descriptor(unique_descriptor&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1))
    {
    }

    unique_descriptor& operator=(unique_descriptor&& other) noexcept
    {
        unique_descriptor(std::move(other)).swap(*this);
        return *this;
    }

    ~unique_descriptor()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    [[nodiscard]] explicit operator bool() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] int get() const noexcept { return descriptor_; }
    [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }

private:
    void swap(unique_descriptor& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
    }

    int descriptor_ = -1;
};

// A template in this header, because the component report uses it, too, which is built without
// libfmt.
//
// Calls a system call until no signal interrupts it, and gives its result.
template <class Call>
auto uninterrupted(const Call& call)
{
    auto result = call();
    while (result == -1 && errno == EINTR)
        result = call();
    return result;
}

// How many links are followed from a path to its file: as many as the kernel follows.
inline constexpr int most_links = 40;

// As read(2): 0 is the end, -1 a failure that errno names.
[[nodiscard]] ssize_t read(int descriptor, std::span<char> bytes) noexcept;

// As write(2): may write less than all, -1 is a failure that errno names.
[[nodiscard]] ssize_t write(int descriptor, std::string_view bytes) noexcept;

// Writes all of it, waiting for room if the descriptor does not block. Throws an error that
// names the file.
void write_all(int descriptor, std::string_view bytes, const std::string& name);

// Waits until one of the descriptors is ready.
void wait_for_any(std::span<pollfd> descriptors) noexcept;

// Whether the descriptor becomes ready for the events of poll(2) in that time; a negative
// time is unlimited. One that has failed is ready: the next call on it reports the failure.
[[nodiscard]] bool is_ready_within(
    std::chrono::milliseconds time,
    int descriptor,
    short events
) noexcept;

// Throws a std::system_error with a number of errno; the name is put behind `what`.
[[noreturn]] void throw_error(
    int error,
    std::string_view what,
    std::string_view name = {}
);

// A file, whatever it is called.
struct file_identity
{
    dev_t device = 0;
    ino_t inode = 0;

    friend bool operator==(const file_identity&, const file_identity&) = default;
};

[[nodiscard]] file_identity identity_of(const struct stat& status) noexcept;

// Follows links. Empty if there is no such file, or if it may not be looked at.
[[nodiscard]] std::optional<file_identity> identity_of(const std::string& path) noexcept;

// Whether the status is that of what the descriptor has open.
[[nodiscard]] bool is_open_as(int descriptor, const struct stat& status) noexcept;

// The descriptor of this process that a path is another name of, such as 1 for /dev/stdout,
// /dev/fd/1 and /proc/self/fd/1. Empty for any other path. Opens nothing.
[[nodiscard]] std::optional<int> descriptor_named(const std::string& path);

// The absolute path to which all links of a path lead; the file need not be there.
[[nodiscard]] std::string real_path(const std::string& path);

// Whether writing to a path replaces what is there: not if that is a device, a pipe or a
// descriptor.
[[nodiscard]] bool can_be_replaced(const std::string& path);

}  // namespace sluice::io
