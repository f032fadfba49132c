// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "completion.hpp"

#include <sluice/pipeline/builtin_stages.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <sstream>
#include <utility>

namespace sluice::cli {

namespace {

constexpr const char* bash_script = R"script(_sluice()
{
    local current=${COMP_WORDS[COMP_CWORD]}
    mapfile -t COMPREPLY < <(
        sluice complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
    if ((${#COMPREPLY[@]} == 0)); then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "${current#=}")
    fi
}
complete -F _sluice sluice
)script";

constexpr const char* fish_script = R"script(function __sluice_complete
    set -l found (sluice complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c sluice -f -a '(__sluice_complete)'
)script";

constexpr const char* zsh_script = R"script(#compdef sluice
_sluice()
{
    local -a found=("${(@f)$(sluice complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n $found[1] ]]; then
        local -a described=("${(@)found/$'\t'/:}")
        _describe 'word' described
    else
        _files
    fi
}
if [[ $funcstack[1] == _sluice ]]; then
    _sluice "$@"
else
    compdef _sluice sluice
fi
)script";

// A word that may follow, a tab and a summary.
std::string line_of(const std::string& word, const std::string& summary = {})
{
    return fmt::format("{}\t{}\n", word, summary);
}

// The alternatives in the type of an option, such as "text|json|json=FILE"; of the last one a
// shell completes what stands before the name of the file.
std::string alternatives_in(const std::string& type)
{
    std::string found;
    std::istringstream words(type.find('|') == type.npos ? "" : type);
    for (std::string word; std::getline(words, word, '|');)
        found += line_of(word.substr(0, word.find("FILE")));
    return found;
}

std::string stages()
{
    pipeline::stage_registry known;
    pipeline::add_builtin_stages(known);
    std::string found;
    for (const auto& [name, type] : known.all())
        found += line_of(name, type.summary);
    return found;
}

std::string options_of(const CLI::App& app)
{
    std::string found;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_snames())
            found += line_of("-" + name, option->get_description());
        for (const std::string& name : option->get_lnames())
            found += line_of("--" + name, option->get_description());
    }
    return found;
}

std::string arguments_of(const CLI::App& command)
{
    std::string found;
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional())
            found += option->get_name() == "NAME"
                         ? stages()
                         : alternatives_in(option->get_type_name());
    return found;
}

// What may follow these words, a line each; what is typed of it tells whether it is an option.
std::string lines_behind(
    const CLI::App& app,
    const std::vector<std::string>& words,
    bool is_option
)
{
    std::string commands;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands += line_of(command->get_name(), command->get_description());
        if (words.empty() || command->get_name() != words.front())
            continue;
        const CLI::Option* const option = command->get_option_no_throw(words.back());
        if (option != nullptr && option->get_items_expected_max() > 0)
            return alternatives_in(option->get_type_name());
        return is_option ? options_of(*command) : arguments_of(*command);
    }
    if (!words.empty())
        return {};
    return is_option ? options_of(app) : commands;
}

}  // namespace

const std::vector<std::string> shells{"bash", "fish", "zsh"};

std::string completion_script(std::size_t shell)
{
    constexpr const char* scripts[] = {bash_script, fish_script, zsh_script};
    return scripts[shell];
}

std::string completions_of(const CLI::App& app, std::vector<std::string> line)
{
    if (line.empty())
        line.emplace_back();
    // bash makes a word of its own of the sign in --format=dot, others do not.
    if (line.back() == "=")
        line.back().clear();
    std::erase(line, "=");
    std::string current = std::move(line.back());
    line.pop_back();
    std::string before;
    if (const auto sign = current.find('=');
        current.starts_with("--") && sign != current.npos) {
        before = current.substr(0, sign + 1);
        line.push_back(current.substr(0, sign));
        current.erase(0, sign + 1);
    }
    std::istringstream lines(lines_behind(app, line, current.starts_with('-')));
    std::string found;
    for (std::string each; std::getline(lines, each);)
        if (each.starts_with(current))
            found += before + each + '\n';
    return found;
}

}  // namespace sluice::cli
