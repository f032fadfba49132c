// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "completion.hpp"

#include <CLI/CLI.hpp>

namespace sluice::cli {

namespace {

std::string names_of_commands(const CLI::App& app)
{
    std::string names;
    for (const CLI::App* subcommand :
         app.get_subcommands([](const CLI::App*) { return true; }))
        names += subcommand->get_name() + " ";
    return names;
}

std::string names_of_options(const CLI::App& app)
{
    std::string names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            names += "--" + name + " ";
    return names;
}

}  // namespace

std::string bash_completion(const CLI::App& app)
{
    std::string script = R"script(_sluice()
{
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
    COMPREPLY=()
    case $before in
        --progress) words='auto bar plain json none' ;;
        --report) words='text json json= none' ;;
        --format) words='dot mermaid' ;;
        stages) words="--json $(sluice stages 2>/dev/null | cut -d ' ' -f 1)" ;;
        completion) words='bash' ;;
        sluice) words=')script" +
                         names_of_commands(app) + names_of_options(app) + R"script(' ;;
    esac
    if [[ -z $words && $current == -* ]]; then
        case ${COMP_WORDS[1]} in
)script";
    for (const CLI::App* subcommand :
         app.get_subcommands([](const CLI::App*) { return true; }))
        script += "            " + subcommand->get_name() + ") words='" +
                  names_of_options(*subcommand) + "' ;;\n";
    script += R"script(        esac
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
    return script;
}

}  // namespace sluice::cli
