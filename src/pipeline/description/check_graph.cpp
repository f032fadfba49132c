// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/check_graph.hpp"

#include "io/same_file.hpp"
#include "pipeline/description/part.hpp"
#include "pipeline/input/find_inputs.hpp"
#include <sluice/pipeline/check_structure.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

namespace sluice::pipeline::detail {

namespace {

namespace fs = std::filesystem;

constexpr const char* taken_is_allowed =
    R"(with "acknowledge": "taken" it is allowed, and what it has taken is lost if its process dies)";

bool is_remote(const pipeline_description& description, const std::string& queue)
{
    return std::ranges::any_of(description.queues, [&queue](const auto& each) {
        return each.name == queue && each.type == queue_type::redis;
    });
}

// A stage that recognises elements which come again does so for all that come out of the queue.
void check_keys(part at, const runner_description& runner, bool is_from_server)
{
    constexpr auto expected = "{}, because the stage recognises what is delivered again";
    constexpr auto hint = R"("exactly_once" in "options" asks for it)";
    if (!is_from_server)
        at.note("/from", in_quotes(runner.from), expected, "a queue of type redis").hint =
            hint;
    else if (runner.acknowledge != acknowledgement::written)
        at.note(
              "/acknowledge",
              in_quotes(to_string(runner.acknowledge)),
              expected,
              R"("acknowledge": "written")"
        )
            .hint = hint;
    else if (runner.copies != 1)
        at.note("/copies", fmt::to_string(runner.copies), expected, "one process").hint =
            hint;
}

// Whether a runner would acknowledge what is not safe yet.
void check_acknowledgement(
    part at,
    const pipeline_description& whole,
    const runner_description& runner,
    const stage& work
)
{
    const std::string from = in_quotes(runner.from);
    const bool is_from_server = is_remote(whole, runner.from);
    if (work.needs_keys())
        check_keys(at, runner, is_from_server);
    if (runner.acknowledge != acknowledgement::written && !is_from_server)
        at.note(
            "/acknowledge",
            in_quotes(to_string(runner.acknowledge)),
            R"(no "acknowledge", because it takes from no queue of type redis)"
        );
    if (runner.acknowledge != acknowledgement::written || !is_from_server)
        return;
    if (!work.can_acknowledge())
        at.note(
              "/stage",
              in_quotes(runner.stage) + ", which keeps what it takes until its end",
              "a stage that is done with an element before it takes the next, because {} "
              "is of type redis",
              from
        )
            .hint = taken_is_allowed;
    if (runner.ordered)
        at.note(
            "/ordered",
            "true",
            "false, because elements of a queue of type redis may come again, out of "
            "their order"
        );
    for (std::size_t i = 0; i < runner.to.size(); ++i)
        if (!is_remote(whole, runner.to[i]))
            at.note(
                  "/to" + pointer_step_to_one_of(runner.to.size(), i),
                  in_quotes(runner.to[i]) + ", a queue of this process",
                  "a queue of type redis, because what is taken from {} is acknowledged "
                  "when its results are safe",
                  from
            )
                .hint = taken_is_allowed;
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
        const auto is_parent = [&](const fs::path& each) {
            return each == file.parent_path();
        };
        const auto is_above = [&](const fs::path& each) { return is_within(file, each); };
        return (fits(file, name.filename(), FNM_PERIOD) && has_folder(folders, is_parent)
               ) ||
               (fits(file, source.match) && has_folder(name, is_above));
    });
}

// What the stage of a runner that writes does with the file; null if nothing.
const char* writing_of(const stage_files& files, const std::string& file)
{
    const auto is_among = [&](const std::vector<std::string>& names) {
        return std::ranges::count(names, file, io::real_path) > 0;
    };
    if (files.written.empty())
        return nullptr;
    if (is_among({files.written}))
        return "writes it";
    return is_among(files.written_besides) ? "may write it, too" : nullptr;
}

std::string says_that(const runner_description& runner, const char* does)
{
    return fmt::format("the runner {} {}", in_quotes(runner.name), does);
}

// Two runners that write one file, of which the later is told, and one that writes what another
// finds.
void check_file(
    part at,
    std::size_t index,
    const pipeline_description& whole,
    const made_stages& stages
)
{
    const std::string written = stages[index]->files().written;
    if (written.empty() || !io::can_be_replaced(written))
        return;
    const std::string file = io::real_path(written);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const stage_files other = stages[i]->files();
        const char* does = writing_of(other, file);
        if (does != nullptr && i >= index && io::real_path(other.written) == file)
            does = nullptr;
        if (does == nullptr && finds(other, file))
            does = "reads it";
        if (does != nullptr)
            at.note(
                  "/options/path",
                  in_quotes(written),
                  "a file that no other runner writes or finds"
            )
                .hint = says_that(whole.runners[i], does);
    }
}

}  // namespace

std::vector<problem> check_graph(
    const pipeline_description& description,
    const stage_registry& registry,
    const made_stages& stages
)
{
    std::vector<problem> problems = check_structure(description, registry);
    const auto part_of = [&](std::size_t i) {
        return part{fmt::format("/runners/{}", i), nullptr, problems};
    };
    if (problems.empty())
        for (std::size_t i = 0; i < stages.size(); ++i)
            check_acknowledgement(
                part_of(i),
                description,
                description.runners[i],
                *stages[i]
            );
    if (problems.empty())
        for (std::size_t i = 0; i < stages.size(); ++i)
            check_file(part_of(i), i, description, stages);
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
        const bool is_read = std::ranges::count(files.read, file, io::real_path) > 0 ||
                             finds(files, file);
        if (const char* const writing = writing_of(files, file))
            return says_that(description.runners[i], writing);
        if (is_read)
            return says_that(description.runners[i], "reads it");
    }
    return {};
}

std::vector<problem> check_selection(
    const pipeline_description& description,
    const std::vector<std::string>& runners
)
{
    std::vector<problem> problems;
    const auto part_of = [&](std::string at) {
        return part{std::move(at), nullptr, problems};
    };
    constexpr auto no_runner = "no runner of the name ";
    constexpr auto unreachable =
        "a queue of this process that {} cannot reach from another one";
    constexpr auto together =
        R"("type": "redis", or all of its runners together with {})";
    std::vector<std::string> known;
    for (const runner_description& each : description.runners)
        known.push_back(each.name);
    for (const std::string& name : runners)
        if (std::ranges::count(known, name) == 0)
            part_of("/runners")
                .note("", no_runner + in_quotes(name), "{}", one_of(known))
                .hint = did_you_mean(name, known);
    for (const queue_description& queue : description.queues) {
        std::vector<std::string> users[2];  // elsewhere and here
        for (const runner_description& each : description.runners)
            if (uses_queue(each, queue.name))
                users[std::ranges::count(runners, each.name) > 0 ? 1 : 0].push_back(
                    in_quotes(each.name)
                );
        if (queue.type != queue_type::redis && !users[0].empty() && !users[1].empty())
            part_of("/queues" + pointer_step(queue.name))
                .note(
                    "",
                    fmt::format(unreachable, fmt::join(users[0], ", ")),
                    together,
                    fmt::join(users[1], ", ")
                );
    }
    return problems;
}

bool uses_queue(const runner_description& runner, const std::string& queue)
{
    return runner.from == queue || runner.on_error.to == queue ||
           std::ranges::count(runner.to, queue) > 0;
}

std::string key_on_server(
    const queue_description& queue,
    const pipeline_description& whole
)
{
    return queue.key.empty() ? fmt::format("{}.{}", whole.name, queue.name) : queue.key;
}

}  // namespace sluice::pipeline::detail
