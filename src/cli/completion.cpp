// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "completion.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace sluice::cli {

namespace {

std::string names_of_options(const CLI::App& app)
{
    std::string names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names += "--" + name + " ";
    return names;
}

// The alternatives in the type of an option, such as "text|json|json=FILE".
std::string values_of(const CLI::Option& option)
{
    std::string values = option.get_type_name();
    if (values.find('|') == std::string::npos)
        return {};
    std::ranges::replace(values, '|', ' ');
    if (const std::size_t file = values.find("FILE"); file != std::string::npos)
        values.erase(file, 4);
    return values;
}

}  // namespace

std::string bash_completion(const CLI::App& app)
{
    std::string commands;
    std::string options;
    std::string values;
    for (const CLI::App* subcommand :
         app.get_subcommands([](const CLI::App*) { return true; })) {
        const std::string name = subcommand->get_name();
        commands += name + " ";
        options += fmt::format(
            "{:12}{}) words='{}' ;;\n",
            "",
            name,
            names_of_options(*subcommand)
        );
        for (const CLI::Option* option : subcommand->get_options())
            if (const std::string words = values_of(*option); !words.empty())
                values +=
                    fmt::format("{:8}{}) words='{}' ;;\n", "", option->get_name(), words);
    }
    return R"script(_sluice()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
    COMPREPLY=()
    case $before in
)script" + values +
           R"script(        stages) words="--json $(sluice stages 2>/dev/null | cut -d ' ' -f 1)" ;;
        completion) words='bash' ;;
        sluice) words=')script" +
           commands + names_of_options(app) + R"script(' ;;
    esac
    if [[ -z $words && $current == -* ]]; then
        case ${COMP_WORDS[1]} in
)script" + options +
           R"script(        esac
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    else
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _sluice sluice
)script";
}

}  // namespace sluice::cli
