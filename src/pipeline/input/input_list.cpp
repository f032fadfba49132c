// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/input/input_list.hpp"

#include "io/io.hpp"
#include "io/result_file.hpp"
#include "pipeline/option_checks.hpp"
#include "text/printable.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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

// The files that are named: files themselves, directories with all they contain whose name
// matches, patterns such as "logs/*.gz", and "-". Those of a directory or a pattern are
// sorted; results that are not complete, also what a killed run has left, are not among them.
// Throws an error with its name if there is nothing behind one of them.
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
            for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
                std::error_code unknown;
                if (!entry->is_symlink(unknown) && entry->is_directory(unknown))
                    directories.push_back(entry->path());
                else
                    add_entry(entry->path());
            }
            if (error)
                io::throw_error(error.value(), "cannot read ", directory.string());
        }
    }

    // A link that leads nowhere is no file.
    void add_entry(const fs::path& path)
    {
        struct stat status{};
        if (::fnmatch(match_.c_str(), path.filename().c_str(), 0) != 0 ||
            is_unfinished_result(path))
            return;
        if (::stat(path.c_str(), &status) == 0) {
            if (S_ISREG(status.st_mode))
                found.push_back({path.string(), size_of(status)});
        } else if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) {
            io::throw_error(errno, "cannot read ", path.string());
        }
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

input_list::input_list(file_options options) : options_(std::move(options))
{
    if (options_.files.empty())
        throw option_error("files", "nothing", "at least one file");
    expect_no_nul("match", options_.match);
    for (std::size_t i = 0; i < options_.files.size(); ++i) {
        std::string& file = options_.files[i];
        if (file.empty())
            throw option_error(
                fmt::format("files/{}", i),
                R"("")",
                "the path of a file or directory"
            );
        expect_no_nul("files", file);
        if (is_standard_input(file))
            file = standard_input;
    }
    const auto inputs = std::ranges::count(options_.files, standard_input);
    if (inputs > 1)
        throw option_error(
            "files",
            "standard input twice",
            R"(standard input at most once, as "-" or by another name)"
        );
    if (inputs == 1 && options_.epochs > 1)
        throw option_error(
            "epochs",
            std::to_string(options_.epochs),
            "1, because standard input can be read only once"
        );
}

std::optional<std::string> input_list::next()
{
    const std::lock_guard lock(mutex_);
    if (!order_)
        find();
    std::vector<std::uint64_t> dealt;
    if (!order_->deal(1, dealt))
        return std::nullopt;
    const std::string& path = inputs_[dealt.front()].path;
    if (path == standard_input)
        claim_.emplace();
    return path;
}

stage_files input_list::files() const
{
    stage_files result{.read = options_.files, .match = options_.match};
    result.reads_standard_input = std::erase(result.read, standard_input) > 0;
    return result;
}

std::optional<double> input_list::progress() const noexcept
{
    const double total = total_.load(std::memory_order_relaxed);
    const auto read = static_cast<double>(read_.load(std::memory_order_relaxed));
    if (total == 0)
        return std::nullopt;
    return std::min(1.0, read / total);  // a file may have grown meanwhile
}

std::optional<std::size_t> input_list::parts() const noexcept
{
    const std::size_t parts = parts_.load(std::memory_order_relaxed);
    return parts > 0 ? std::optional(parts) : std::nullopt;
}

void input_list::find()
{
    finder inputs(options_.match);
    for (const std::string& name : options_.files)
        inputs.add(name);
    inputs_ = std::move(inputs.found);
    order_.emplace(inputs_.size(), options_);
    const auto epochs = static_cast<std::uint64_t>(options_.epochs);
    const std::size_t files = inputs_.size();
    const std::size_t most = std::numeric_limits<std::size_t>::max() / files;
    parts_.store(files * std::min<std::size_t>(epochs, most), std::memory_order_relaxed);
    double sum = 0;
    for (const found_input& each : inputs_) {
        if (!each.size)
            return;
        sum += static_cast<double>(*each.size);
    }
    total_.store(sum * static_cast<double>(epochs), std::memory_order_relaxed);
}

}  // namespace sluice::pipeline
