// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/error.hpp>

#include <filesystem>
#include <string>

namespace sluice::report {

// A file of records that is new and that always ends with a whole record, but while it is being
// written to. For one thread at a time.
class event_file
{
public:
    // Makes the directory and the file. Throws system_error with the path.
    explicit event_file(const std::filesystem::path& directory);
    ~event_file();

    event_file(const event_file&) = delete;
    event_file& operator=(const event_file&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    // Appends records, and removes from them those that are in the file. After an error the rest
    // can be tried again.
    [[nodiscard]] error_code append(std::string& records) noexcept;

private:
    [[nodiscard]] error_code write(
        const std::string& records,
        std::size_t& written
    ) noexcept;

    std::filesystem::path path_;
    int descriptor_ = -1;
    error_code broken_;  // it could not be cut back: nothing may follow what is there
};

}  // namespace sluice::report
