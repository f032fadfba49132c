// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace sluice::test {

/// Why: stages read and write files; each test has a folder of its own, which goes with it.
class temporary_folder
{
public:
    temporary_folder()
    {
        std::string name = std::filesystem::temp_directory_path() / "sluice_test_XXXXXX";
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("cannot make a temporary folder");
        path_ = name;
    }

    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() { std::filesystem::remove_all(path_); }

    /// The path of a file in it.
    [[nodiscard]] std::string path(const std::string& name = "") const
    {
        return (path_ / name).string();
    }

    /// Writes a file, and the folders it is in.
    std::string write(const std::string& name, const std::string& content) const
    {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }

    [[nodiscard]] std::string read(const std::string& name) const
    {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    /// The names of all entries, sorted by nothing.
    [[nodiscard]] std::size_t entries() const
    {
        using iterator = std::filesystem::directory_iterator;
        return static_cast<std::size_t>(std::distance(iterator(path_), iterator()));
    }

private:
    std::filesystem::path path_;
};

}  // namespace sluice::test
