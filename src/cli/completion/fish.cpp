// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "words.hpp"

#include <fmt/format.h>

namespace sluice::cli::completion {

namespace {

std::string in_fish_quotes(std::string_view text)
{
    return in_single_quotes(text, R"(\')");
}

std::string arguments_of(const value& value)
{
    switch (value.kind) {
    case value_kind::none:
        return {};
    case value_kind::word:
        return " -x -a " + in_fish_quotes(fmt::format("{}", fmt::join(value.words, " ")));
    case value_kind::file:
        return " -r -F";
    case value_kind::stage:
        return R"( -x -a '(sluice stages 2>/dev/null | string split -f 1 " ")')";
    case value_kind::other:
        return " -x";
    }
    return {};
}

std::string line_of(const option& option, std::string_view condition)
{
    std::string line = fmt::format("complete -c sluice -n {}", in_fish_quotes(condition));
    if (!option.short_name.empty())
        line += " -s " + option.short_name.substr(1);
    if (!option.long_name.empty())
        line += " -l " + option.long_name.substr(2);
    return line + arguments_of(option.value) + " -d " + in_fish_quotes(option.summary) +
           "\n";
}

}  // namespace

std::string fish_script(const command_line& line)
{
    std::string script = "complete -c sluice -f\n";
    for (const option& option : line.program.options)
        script += line_of(option, "__fish_use_subcommand");
    for (const command& command : line.commands) {
        script += fmt::format(
            "complete -c sluice -n __fish_use_subcommand -a {} -d {}\n",
            command.name,
            in_fish_quotes(command.summary)
        );
        const std::string condition = "__fish_seen_subcommand_from " + command.name;
        for (const option& option : command.options)
            script += line_of(option, condition);
        for (const value& argument : command.arguments)
            script += fmt::format(
                "complete -c sluice -n {}{}\n",
                in_fish_quotes(condition),
                arguments_of(argument)
            );
    }
    return script;
}

}  // namespace sluice::cli::completion
