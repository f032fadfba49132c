// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <csignal>
#include <stdexcept>
#include <sys/resource.h>

namespace sluice::test {

/// Why: a full disk in any folder and for any user. No file may grow beyond so many bytes.
class limited_file_size
{
public:
    explicit limited_file_size(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);  // for writes of this thread
        set(bytes);
    }

    limited_file_size(const limited_file_size&) = delete;
    limited_file_size& operator=(const limited_file_size&) = delete;

    ~limited_file_size()
    {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

    void set(rlim_t bytes) const
    {
        const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
            throw std::runtime_error("cannot limit the size of files");
    }

    /// The disk has room again.
    void lift() const { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

}  // namespace sluice::test
