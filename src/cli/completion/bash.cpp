// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "words.hpp"

#include <fmt/format.h>

namespace sluice::cli::completion {

namespace {

// A branch of the script: after `pattern`, or in that command, complete `words`.
std::string branch(const std::string& pattern, const std::string& words)
{
    return fmt::format("        {}) words={} ;;\n", pattern, words);
}

std::string names_of_all(const std::vector<option>& options)
{
    std::vector<std::string> names;
    for (const option& option : options)
        names.push_back(names_of(option));
    return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::string bash_script(const command_line& line)
{
    std::string commands;
    std::string values;     // by what stands before the cursor
    std::string arguments;  // by the command
    std::string options;    // the same
    for (const command& command : line.commands) {
        commands += command.name + " ";
        options +=
            branch(command.name, fmt::format("'{}'", names_of_all(command.options)));
        for (const value& argument : command.arguments) {  // of which one is known
            if (argument.kind == value_kind::stage)
                arguments += branch(
                    command.name,
                    R"sh("$(sluice stages 2>/dev/null | cut -d ' ' -f 1)")sh"
                );
            else if (argument.kind == value_kind::word)
                arguments += branch(
                    command.name,
                    fmt::format("'{}'", fmt::join(argument.words, " "))
                );
        }
        for (const option& option : command.options)
            if (option.value.kind == value_kind::word)
                values += branch(
                    option.long_name,
                    fmt::format("'{}'", fmt::join(option.value.words, " "))
                );
    }
    return R"script(_sluice()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
    COMPREPLY=()
    # bash makes a word of its own of the sign in --format=dot
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $before in
)script" + values +
           R"script(    esac
    if ((COMP_CWORD == 1)); then
        words=')script" +
           commands + names_of_all(line.program.options) + R"script('
    elif [[ -z $words && $current == -* ]]; then
        case ${COMP_WORDS[1]} in
)script" + options +
           R"script(        esac
    elif [[ -z $words ]]; then
        case ${COMP_WORDS[1]} in
)script" + arguments +
           R"script(        esac
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _sluice sluice
)script";
}

}  // namespace sluice::cli::completion
