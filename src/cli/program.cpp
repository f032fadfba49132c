// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "program.hpp"

#include "commands.hpp"
#include "io/io.hpp"
#include "pipeline/input/find_inputs.hpp"
#include "pipeline/words.hpp"
#include "terminal.hpp"
#include "text/printable.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sluice::cli {

using pipeline::detail::counted;
using pipeline::detail::in_quotes;

namespace {

std::string display_name(const std::string& file)
{
    return pipeline::is_standard_input(file) ? "standard input" : text::printable(file);
}

std::string read_text(const std::string& file)
{
    constexpr std::size_t most_mebibytes = 16;
    const io::unique_descriptor input(
        pipeline::is_standard_input(file) ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                          : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)
    );
    std::string text;
    std::array<char, 65536> buffer{};
    ssize_t count = 0;
    while ((count = input ? io::read(input.get(), buffer) : -1) > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
        if (text.size() > most_mebibytes << 20U)
            throw command_error(fmt::format(
                "sluice: {} is too large for a description, which has at most {} MiB",
                display_name(file),
                most_mebibytes
            ));
    }
    if (count == 0)
        return text;
    const std::string why = std::generic_category().message(errno);
    throw command_error(fmt::format("sluice: cannot read {}: {}", display_name(file), why)
    );
}

// Throws an error with all mistakes of the description, one line each, which begins with the
// name of the file.
pipeline::checked_description load_description(
    const command_line& line,
    const pipeline::stage_registry& stages
)
{
    const description_arguments& arguments = line.description;
    const bool is_inline = arguments.file.empty();
    const std::string text = is_inline ? arguments.text : read_text(arguments.file);
    const std::string name = is_inline ? "-e" : display_name(arguments.file);
    const auto parameters = [&given = arguments.parameters](const std::string& parameter
                            ) -> std::optional<std::string> {
        if (const auto found = given.find(parameter); found != given.end())
            return found->second;
        const char* const variable = std::getenv(parameter.c_str());
        return variable != nullptr ? std::optional<std::string>(variable) : std::nullopt;
    };
    try {
        auto checked = pipeline::read_description(
            text,
            stages,
            arguments.overrides,
            parameters,
            remote_addresses()
        );
        checked.run_only(line.run.runners);
        return checked;
    } catch (const pipeline::description_error& error) {
        std::vector<std::string> lines;
        for (const pipeline::problem& mistake : error.problems())
            lines.push_back(fmt::format("{}: {}", name, to_string(mistake)));
        throw command_error(fmt::format("{}", fmt::join(lines, "\n")));
    }
}

// Why it cannot be run in one process: of two readers at a time each would get pieces, and one that
// comes later nothing. Empty if it can.
std::string second_use_of_standard_input(
    const description_arguments& description,
    const pipeline::checked_description& checked
)
{
    std::vector<std::string> uses;
    const bool has_description = pipeline::is_standard_input(description.file);
    if (has_description)
        uses.emplace_back("as the description");
    for (const std::string& runner : checked.readers_of_standard_input())
        uses.push_back("by the runner " + in_quotes(runner));
    if (uses.size() < 2)
        return {};
    return fmt::format(
        "standard input is read {}; give all but one of them a file{}",
        fmt::join(uses, " and "),
        has_description ? "" : ", or run them in processes of their own with --runners"
    );
}

exit_status print(const std::string& text)
{
    io::write_all(STDOUT_FILENO, text, "standard output");
    return exit_status::done;
}

exit_status execute(const command_line& line)
{
    if (line.command.empty())
        return print(line.answer);
    if (line.command == "queues")
        return queues_command(line.queues);
    pipeline::stage_registry stages;
    pipeline::add_builtin_stages(stages);
    if (line.command == "schema")
        return print(pipeline::description_schema(stages).dump(2) + "\n");
    if (line.command == "stages")
        return print(stages_command(line.stage, stages));
    auto checked = load_description(line, stages);
    if (line.command == "graph")
        return print(to_dot(checked.description()));
    const std::string why = second_use_of_standard_input(line.description, checked);
    if (line.command == "run") {
        if (!why.empty())
            throw command_error("sluice: " + why);
        return run_command(line, std::move(checked));
    }
    // It may be right in another file, or with fewer runners.
    if (!why.empty())
        show_message(fmt::format("sluice: a run of it is refused: {}\n", why));
    const pipeline::pipeline_description& description = checked.description();
    return print(fmt::format(
        "{}: no mistakes; {}, {}\n",
        text::printable(description.name),
        counted(description.queues.size(), "queue"),
        counted(description.runners.size(), "runner")
    ));
}

}  // namespace

exit_status run_program(const std::vector<std::string>& arguments)
{
    try {
        return execute(parse_command_line(arguments));
    } catch (const command_error& error) {
        show_message(fmt::format("{}\n", error.what()));
        return exit_status::refused;
    } catch (const std::bad_alloc&) {
        show_message("sluice: out of memory\n");
        return exit_status::failed;
    } catch (const std::exception& error) {
        show_message(fmt::format("sluice: {}\n", error.what()));
        return exit_status::failed;
    }
}

}  // namespace sluice::cli
