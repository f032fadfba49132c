// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "commands.hpp"
#include "io/io.hpp"
#include "pipeline/input/input_list.hpp"
#include "pipeline/words.hpp"
#include "terminal.hpp"
#include "text/printable.hpp"
#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/problem.hpp>
#include <sluice/pipeline/read_description.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <sys/resource.h>
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

// Throws if --param gives one that the description does not name. `asked` are those that it does,
// but for what --set took the place of.
void expect_parameters_are_used(
    const description_arguments& arguments,
    const std::string& description,
    const std::vector<std::string>& asked
)
{
    for (const auto& [name, value] : arguments.parameters) {
        const std::string use = fmt::format("${{{}}}", name);
        if (std::ranges::find(asked, name) != asked.end() ||
            description.find(use) != std::string::npos)
            continue;
        const std::string hint = pipeline::detail::did_you_mean(name, asked);
        throw command_error(fmt::format(
            "sluice: --param {}: no string of {} has {}{}{}",
            text::printable(name),
            display_name(arguments.file),
            text::printable(use),
            hint.empty() ? "" : "; ",
            hint
        ));
    }
}

// Throws an error with all mistakes of the description, one line each, which begins with the
// name of the file.
pipeline::checked_description load_description(
    const command_line& line,
    const pipeline::stage_registry& stages
)
{
    const description_arguments& arguments = line.description;
    const std::string text = read_text(arguments.file);
    std::vector<std::string> asked;
    const auto parameters = [&given = arguments.parameters,
                             &asked](const std::string& parameter
                            ) -> std::optional<std::string> {
        asked.push_back(parameter);
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
        expect_parameters_are_used(arguments, text, asked);
        checked.run_only(line.run.runners);
        return checked;
    } catch (const pipeline::description_error& error) {
        const std::string name = display_name(arguments.file);
        std::vector<std::string> lines;
        for (const pipeline::problem& mistake : error.problems())
            lines.push_back(fmt::format("{}: {}", name, to_string(mistake)));
        throw command_error(fmt::format("{}", fmt::join(lines, "\n")));
    }
}

// Of two readers at a time each would get pieces, and one that comes later nothing.
void expect_one_reader_of_standard_input(
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
    if (uses.size() > 1)
        throw command_error(fmt::format(
            "sluice: standard input is read {}; give all but one of them a file{}",
            fmt::join(uses, " and "),
            has_description ? ""
                            : ", or run them in processes of their own with --runners"
        ));
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
        return print(schema_command(stages));
    if (line.command == "stages")
        return print(stages_command(line.stage, stages));
    auto checked = load_description(line, stages);
    if (line.command == "graph")
        return print(to_dot(checked.description()));
    if (line.command == "run") {
        expect_one_reader_of_standard_input(line.description, checked);
        return run_command(line, std::move(checked));
    }
    const pipeline::pipeline_description& description = checked.description();
    return print(fmt::format(
        "{}: no mistakes; {}, {}\n",
        text::printable(description.name),
        counted(description.queues.size(), "queue"),
        counted(description.runners.size(), "runner")
    ));
}

// An error ends it with a message.
exit_status run_program(const std::vector<std::string>& arguments)
{
    try {
        return execute(parse_command_line(arguments));
    } catch (const command_error& error) {
        show_message(fmt::format("{}\n", error.what()));
        return exit_status::refused;
    } catch (...) {
        const std::string why = text::message_of(std::current_exception());
        show_message(fmt::format("sluice: {}\n", why));
        return exit_status::failed;
    }
}

// The next file that is opened would get the number of a closed standard descriptor. What is
// opened here instead fails every read and write.
void occupy_closed_descriptors()
{
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0)  // open() takes the lowest free one
            static_cast<void>(::open(
                "/dev/null",
                (standard == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC
            ));
}

// By default glibc keeps an arena of up to 128 MiB of addresses for each thread. Where addresses
// are limited, it asks for one in vain at each allocation.
void share_memory_if_limited() noexcept
{
#ifdef M_ARENA_MAX
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        static_cast<void>(::mallopt(M_ARENA_MAX, 1));
#endif
}

// Asio has places from which it cannot report that there is no memory. The program ends there
// with a message; what it was writing is removed by the next run.
[[noreturn]] void end_without_memory() noexcept
{
    try {
        if (const std::exception_ptr cause = std::current_exception())
            std::rethrow_exception(cause);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view message = "sluice: out of memory\n";
        write_best_effort(STDERR_FILENO, message, patience_at_the_end);
        std::_Exit(static_cast<int>(exit_status::failed));
    } catch (...) {
        // a mistake of the program
    }
    std::abort();
}

}  // namespace

}  // namespace sluice::cli

int main(int argc, char** argv)
{
    std::set_terminate(sluice::cli::end_without_memory);
    sluice::cli::occupy_closed_descriptors();
    sluice::cli::share_memory_if_limited();
    // Writing to a closed standard output, and beyond the limit of the size of files, are then
    // errors with a message.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    return static_cast<int>(sluice::cli::run_program({argv + 1, argv + argc}));
}
