// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace sluice::cli::completion {

// What can be completed in place of an argument.
enum class value_kind
{
    none,   // there is no argument
    word,   // one of `words`
    file,   // a name of a file
    stage,  // a name of a stage
    other   // nothing that a shell knows
};

struct value
{
    value_kind kind = value_kind::none;
    std::vector<std::string> words;
    std::string name;  // as help has it, such as DURATION
};

struct option
{
    std::string short_name;  // with its dash; empty if there is none
    std::string long_name;   // the same, with two
    std::string summary;
    completion::value value;
};

struct command
{
    std::string name;
    std::string summary;
    std::vector<option> options;
    std::vector<completion::value> arguments;  // what is no option, in this order
};

// The command line as a tree of two levels: the program, and its commands.
struct command_line
{
    command program;
    std::vector<command> commands;
};

[[nodiscard]] command_line words_of(const CLI::App& app);

// The names of an option, apart by blanks.
[[nodiscard]] std::string names_of(const option& option);

// Text between single quotes, in which `quote` stands for a single quote.
[[nodiscard]] std::string in_single_quotes(std::string_view text, std::string_view quote);

// The scripts; each shell has a syntax and helpers of its own.
[[nodiscard]] std::string bash_script(const command_line& line);
[[nodiscard]] std::string fish_script(const command_line& line);
[[nodiscard]] std::string zsh_script(const command_line& line);

}  // namespace sluice::cli::completion
