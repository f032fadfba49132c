// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/check_graph.hpp"

#include "io/io.hpp"
#include "pipeline/description/part.hpp"
#include "pipeline/input/input_list.hpp"
#include <sluice/pipeline/check_structure.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

namespace sluice::pipeline::detail {

namespace {

namespace fs = std::filesystem;

bool is_remote(const pipeline_description& whole, const std::string& queue)
{
    return std::ranges::any_of(whole.queues, [&queue](const auto& each) {
        return each.name == queue && each.type == queue_type::redis;
    });
}

// Whether a runner would acknowledge what is not safe yet.
void check_acknowledgement(
    part at,
    const pipeline_description& whole,
    const runner_description& runner,
    const stage& work
)
{
    constexpr auto none =
        R"(no "acknowledge", because it takes from no queue of type redis)";
    constexpr auto again = "false, because elements of a queue of type redis may come "
                           "again, out of their order";
    constexpr auto done =
        R"(a stage that is done with an element before it takes the next, because {} is of type redis; with "acknowledge": "taken" it is allowed, and what it has taken is lost if its process dies)";
    constexpr auto safe =
        R"(a queue of type redis, because what is taken from {} is acknowledged when its results are safe; with "acknowledge": "taken" it is allowed, and what it has taken is lost if its process dies)";
    const std::string from = in_quotes(runner.from);
    const bool is_from_server = is_remote(whole, runner.from);
    const bool is_written = runner.acknowledge == acknowledgement::written;
    if (!is_written && !is_from_server)
        at.note("/acknowledge", in_quotes(to_string(runner.acknowledge)), none);
    if (!is_written || !is_from_server)
        return;
    const std::string keeps = in_quotes(runner.stage) +
                              ", which keeps what it takes until its end";
    if (!work.can_acknowledge())
        at.note("/stage", keeps, done, from);
    if (runner.ordered)
        at.note("/ordered", "true", again);
    for (std::size_t i = 0; i < runner.to.size(); ++i) {
        const std::string to = in_quotes(runner.to[i]) + ", a queue of this process";
        if (!is_remote(whole, runner.to[i]))
            at.note("/to" + pointer_step_to_one_of(runner.to.size(), i), to, safe, from);
    }
}

// Whether the file is in the folder or below.
bool is_within(const fs::path& file, const fs::path& folder)
{
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

bool fits(const fs::path& file, const std::string& pattern, int flags = 0)
{
    return ::fnmatch(pattern.c_str(), file.filename().c_str(), flags) == 0;
}

// Whether one of the folders for which a pattern stands is such.
template <class Predicate>
bool has_folder(const fs::path& pattern, Predicate is_such)
{
    return std::ranges::any_of(find_folders(pattern), is_such, io::real_path);
}

// Whether a source finds a file by the name of a folder, by a pattern, or in a folder for which a
// pattern stands. A file that is named itself may be replaced: it is complete before, and read
// before.
bool finds(const stage_files& source, const fs::path& file)
{
    return std::ranges::any_of(source.read, [&](const fs::path& name) {
        std::error_code failed;
        if (fs::is_directory(name, failed))
            return fits(file, source.match) && is_within(file, io::real_path(name));
        if (fs::exists(name, failed))
            return false;
        const fs::path folders = name.has_parent_path() ? name.parent_path() : ".";
        const auto is_parent = [&](const auto& each) {
            return each == file.parent_path();
        };
        const auto is_above = [&](const auto& each) { return is_within(file, each); };
        if (fits(file, name.filename(), FNM_PERIOD) && has_folder(folders, is_parent))
            return true;
        return fits(file, source.match) && has_folder(name, is_above);
    });
}

bool is_among(const std::vector<std::string>& names, const std::string& file)
{
    return std::ranges::count(names, file, io::real_path) > 0;
}

// What a stage that writes does with the file; null if nothing.
const char* writing_of(const stage_files& files, const std::string& file)
{
    if (!files.written.empty() && io::real_path(files.written) == file)
        return "writes it";
    return is_among(files.written_besides, file) ? "may write it, too" : nullptr;
}

std::string says_that(const runner_description& runner, const char* does)
{
    return fmt::format("the runner {} {}", in_quotes(runner.name), does);
}

// The file that a runner writes must not be one that another writes or finds.
void check_file(
    part at,
    std::size_t index,
    const pipeline_description& whole,
    const made_stages& stages
)
{
    constexpr auto expected = "a file that no other runner writes or finds; {}";
    const stage_files own = stages[index]->files();
    const std::string& written = own.written;
    if (written.empty() || !io::can_be_replaced(written))
        return;
    const std::string file = io::real_path(written);
    const std::string found = in_quotes(written);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const stage_files other = stages[i]->files();
        const char* does = writing_of(other, file);
        // Of two that write one file the later one is told.
        if (does != nullptr && i >= index && io::real_path(other.written) == file)
            does = nullptr;
        if (does == nullptr &&
            (finds(other, file) || (own.appends && is_among(other.read, file))))
            does = "reads it";
        if (does != nullptr)
            at.note("/options/path", found, expected, says_that(whole.runners[i], does));
    }
}

}  // namespace

std::vector<problem> check_graph(
    const pipeline_description& whole,
    const stage_registry& registry,
    const made_stages& stages
)
{
    std::vector<problem> problems = check_structure(whole, registry);
    const auto part_of = [&](std::size_t i) {
        return part{fmt::format("/runners/{}", i), nullptr, problems};
    };
    const bool has_structure = problems.empty();
    for (std::size_t i = 0; i < stages.size() && has_structure; ++i)
        check_acknowledgement(part_of(i), whole, whole.runners[i], *stages[i]);
    const bool is_safe = problems.empty();
    for (std::size_t i = 0; i < stages.size() && is_safe; ++i)
        check_file(part_of(i), i, whole, stages);
    return problems;
}

std::string use_of_file(
    const std::string& path,
    const pipeline_description& whole,
    const made_stages& stages
)
{
    const std::string file = io::real_path(path);
    for (std::size_t i = 0; i < stages.size() && io::can_be_replaced(path); ++i) {
        const stage_files files = stages[i]->files();
        if (const char* const writing = writing_of(files, file))
            return says_that(whole.runners[i], writing);
        if (is_among(files.read, file) || finds(files, file))
            return says_that(whole.runners[i], "reads it");
    }
    return {};
}

std::string key_on_server(
    const queue_description& queue,
    const pipeline_description& whole
)
{
    return queue.key.empty() ? fmt::format("{}.{}", whole.name, queue.name) : queue.key;
}

}  // namespace sluice::pipeline::detail
