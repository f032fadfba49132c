// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "words.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <sstream>

namespace sluice::cli::completion {

namespace {

// The alternatives in the type of an option, such as "text|json|json=FILE"; of the last one a
// shell completes what stands before the name of the file.
std::vector<std::string> alternatives_in(const std::string& type)
{
    std::vector<std::string> found;
    if (type.find('|') == std::string::npos)
        return found;
    std::istringstream words(type);
    for (std::string word; std::getline(words, word, '|');) {
        if (const std::size_t file = word.find("FILE"); file != std::string::npos)
            word.erase(file);
        found.push_back(word);
    }
    return found;
}

value value_of(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    const std::string name = option.get_positional() ? option.get_name() : type;
    if (option.get_items_expected_max() == 0)
        return {};
    if (auto words = alternatives_in(type); !words.empty())
        return {.kind = value_kind::word, .words = std::move(words), .name = name};
    if (name == "FILE" || name == "DIR")
        return {.kind = value_kind::file, .words = {}, .name = name};
    if (name == "NAME")
        return {.kind = value_kind::stage, .words = {}, .name = name};
    return {.kind = value_kind::other, .words = {}, .name = name};
}

command words_of_command(const CLI::App& app)
{
    command words{
        .name = app.get_name(),
        .summary = app.get_description(),
        .options = {},
        .arguments = {}
    };
    for (const CLI::Option* given : app.get_options()) {
        if (given->get_positional()) {
            words.arguments.push_back(value_of(*given));
            continue;
        }
        option known{
            .short_name = {},
            .long_name = {},
            .summary = given->get_description(),
            .value = value_of(*given)
        };
        if (!given->get_snames().empty())
            known.short_name = "-" + given->get_snames().front();
        if (!given->get_lnames().empty())
            known.long_name = "--" + given->get_lnames().front();
        words.options.push_back(std::move(known));
    }
    return words;
}

}  // namespace

command_line words_of(const CLI::App& app)
{
    command_line line{.program = words_of_command(app), .commands = {}};
    for (const CLI::App* command :
         app.get_subcommands([](const CLI::App*) { return true; }))
        line.commands.push_back(words_of_command(*command));
    return line;
}

std::string names_of(const option& option)
{
    const bool has_both = !option.short_name.empty() && !option.long_name.empty();
    return option.short_name + (has_both ? " " : "") + option.long_name;
}

std::string in_single_quotes(std::string_view text, std::string_view quote)
{
    std::string quoted = "'";
    for (const char character : text)
        if (character == '\'')
            quoted += quote;
        else
            quoted += character;
    return quoted + "'";
}

}  // namespace sluice::cli::completion
