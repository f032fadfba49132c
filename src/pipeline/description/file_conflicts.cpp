// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/file_conflicts.hpp"

#include "io/same_file.hpp"
#include "pipeline/input/find_inputs.hpp"
#include "pipeline/words.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>

namespace sluice::pipeline::detail {

namespace {

namespace fs = std::filesystem;

// Whether the file is in the folder or below.
bool is_within(const fs::path& file, const fs::path& folder)
{
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

// Whether one of the folders for which a pattern stands is such.
template <class Predicate>
bool has_folder(const fs::path& pattern, Predicate is_such)
{
    return std::ranges::any_of(find_folders(pattern), is_such, io::real_path);
}

// Whether the file is one of those for which a pattern stands, or will be when it is there.
bool is_matched(const fs::path& file, const fs::path& pattern)
{
    const fs::path name = pattern.filename();
    const fs::path folders = pattern.has_parent_path() ? pattern.parent_path() : ".";
    return ::fnmatch(name.c_str(), file.filename().c_str(), FNM_PERIOD) == 0 &&
           has_folder(folders, [&](const fs::path& each) {
               return each == file.parent_path();
           });
}

// A pattern may stand for a folder, whose files are then read.
bool is_in_matched_folder(const fs::path& file, const fs::path& pattern)
{
    return has_folder(pattern, [&](const fs::path& each) {
        return is_within(file, each);
    });
}

// Whether a source finds a file by the name of a folder or by a pattern. A file that is named
// itself may be replaced: it is complete before, and read before.
bool finds(const stage_files& source, const fs::path& file)
{
    const bool fits = ::fnmatch(source.match.c_str(), file.filename().c_str(), 0) == 0;
    return std::ranges::any_of(source.read, [&](const std::string& name) {
        std::error_code failed;
        if (fs::is_directory(name, failed))
            return fits && is_within(file, io::real_path(name));
        if (fs::exists(name, failed))
            return false;
        return is_matched(file, name) || (fits && is_in_matched_folder(file, name));
    });
}

bool reads(const stage_files& source, const std::string& file)
{
    return finds(source, file) ||
           std::ranges::count(source.read, file, io::real_path) > 0;
}

std::string says_that(const runner_description& runner, const char* does)
{
    return fmt::format("the runner {} {}", in_quotes(runner.name), does);
}

// What a stage that writes does with the file; null if nothing.
const char* writing_of(const stage_files& files, const std::string& file)
{
    if (files.written.empty())
        return nullptr;
    if (io::real_path(files.written) == file)
        return "writes it";
    const bool may_write =
        std::ranges::count(files.written_besides, file, io::real_path) > 0;
    return may_write ? "may write it, too" : nullptr;
}

problem conflict(std::size_t runner, const std::string& written, std::string hint)
{
    return {
        .pointer = fmt::format("/runners/{}/options/path", runner),
        .found = in_quotes(written),
        .expected = "a file that no other runner writes or finds",
        .hint = std::move(hint)
    };
}

}  // namespace

std::vector<problem> find_file_conflicts(
    const pipeline_description& description,
    const made_stages& stages
)
{
    std::vector<problem> problems;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::string written = stages[i]->files().written;
        if (written.empty() || !io::can_be_replaced(written))
            continue;
        const std::string file = io::real_path(written);
        for (std::size_t j = 0; j < stages.size(); ++j) {
            const stage_files other = stages[j]->files();
            const char* const writing = writing_of(other, file);
            const runner_description& runner = description.runners[j];
            // Of two that write one file the later one is told.
            if (writing != nullptr && (j < i || io::real_path(other.written) != file))
                problems.push_back(conflict(i, written, says_that(runner, writing)));
            else if (finds(other, file))
                problems.push_back(conflict(i, written, says_that(runner, "reads it")));
        }
    }
    return problems;
}

std::string use_of_file(
    const std::string& path,
    const pipeline_description& description,
    const made_stages& stages
)
{
    if (!io::can_be_replaced(path))
        return {};
    const std::string file = io::real_path(path);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const stage_files files = stages[i]->files();
        if (const char* const writing = writing_of(files, file))
            return says_that(description.runners[i], writing);
        if (reads(files, file))
            return says_that(description.runners[i], "reads it");
    }
    return {};
}

}  // namespace sluice::pipeline::detail
