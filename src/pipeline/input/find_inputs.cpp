// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/find_inputs.hpp"

#include "io/io.hpp"
#include "io/result_file.hpp"
#include "io/same_file.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::pipeline {

namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> size_of(const struct stat& status)
{
    if (!S_ISREG(status.st_mode))
        return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
}

// A directory that is not there has no files. Any other error ends the search.
int ends_search(const char* /*directory*/, int error) noexcept
{
    return error == ENOENT ? 0 : 1;
}

// What a pattern stands for; nothing if there is nothing. See glob(3).
std::vector<std::string> expand(
    const std::string& pattern,
    int flags,
    int (*on_error)(const char*, int)
)
{
    struct results : glob_t
    {
        results() : glob_t() {}
        results(const results&) = delete;
        results& operator=(const results&) = delete;
        ~results() { globfree(this); }
    } found;
    const int failure = ::glob(pattern.c_str(), flags, on_error, &found);
    if (failure == GLOB_NOMATCH)
        return {};
    if (failure != 0)
        io::throw_error(errno != 0 ? errno : EIO, "cannot read ", pattern);
    return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

class finder
{
public:
    explicit finder(const std::string& match) : match_(match) {}

    void add(const std::string& name)
    {
        struct stat status{};
        if (name == standard_input) {
            const bool known = ::fstat(STDIN_FILENO, &status) == 0;
            found.push_back({name, known ? size_of(status) : std::nullopt});
        } else if (::stat(name.c_str(), &status) == 0) {
            add_existing(name, status);
        } else if (const int error = errno; error == ENOENT && is_pattern(name)) {
            add_pattern(name);
        } else {
            io::throw_error(error, "cannot read ", name);
        }
    }

    std::vector<found_input> found;

private:
    static bool is_pattern(const std::string& name)
    {
        return name.find_first_of("*?[") != std::string::npos;
    }

    void add_existing(const std::string& path, const struct stat& status)
    {
        if (S_ISDIR(status.st_mode))
            add_directory(path);
        else
            found.push_back({path, size_of(status)});
    }

    void add_pattern(const std::string& pattern)
    {
        const auto paths = expand(pattern, 0, ends_search);
        if (paths.empty())
            throw std::runtime_error(
                fmt::format("no file matches {}", text::printable(pattern))
            );
        for (const std::string& path : paths)
            if (!is_unfinished_result(path))
                add(path == standard_input ? "./" + path : path);  // a file of that name
    }

    void add_directory(const std::string& directory)
    {
        const auto first = static_cast<std::ptrdiff_t>(found.size());
        add_entries(directory);
        if (found.begin() + first == found.end())
            throw std::runtime_error(fmt::format(
                "no file in {} has a name that matches {}",
                text::printable(directory),
                text::printable(match_)
            ));
        std::ranges::sort(found.begin() + first, found.end(), {}, &found_input::path);
    }

    // Not with a recursive iterator, whose errors do not say which directory it was.
    void add_entries(const fs::path& top)
    {
        std::vector<fs::path> directories{top};
        while (!directories.empty()) {
            const fs::path directory = std::move(directories.back());
            directories.pop_back();
            std::error_code error;
            fs::directory_iterator entry(directory, error);
            for (; !error && entry != fs::directory_iterator(); entry.increment(error))
                if (entry->is_directory() && !entry->is_symlink())
                    directories.push_back(entry->path());
                else
                    add_entry(*entry);
            if (error)
                io::throw_error(error.value(), "cannot read ", directory.string());
        }
    }

    void add_entry(const fs::directory_entry& entry)
    {
        const auto name = entry.path().filename();
        if (::fnmatch(match_.c_str(), name.c_str(), 0) == 0 && entry.is_regular_file() &&
            !is_unfinished_result(entry.path()))
            found.push_back({entry.path().string(), entry.file_size()});
    }

    static bool is_unfinished_result(const fs::path& path)
    {
        return io::is_unfinished(path.filename().string());
    }

    const std::string& match_;
};

}  // namespace

bool is_standard_input(const std::string& name)
{
    return name == standard_input || io::descriptor_named(name) == STDIN_FILENO;
}

std::vector<found_input> find_inputs(
    const std::vector<std::string>& names,
    const std::string& match
)
{
    finder inputs(match);
    for (const std::string& name : names)
        inputs.add(name);
    return std::move(inputs.found);
}

std::vector<std::string> find_folders(const std::string& pattern)
{
    auto folders = expand(pattern, GLOB_ONLYDIR | GLOB_NOSORT, nullptr);
    // The flag is a hint only.
    std::erase_if(folders, [](const std::string& each) {
        std::error_code failed;
        return !fs::is_directory(each, failed);
    });
    return folders;
}

}  // namespace sluice::pipeline
