// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "words.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace sluice::cli::completion {

namespace {

std::string in_zsh_quotes(std::string_view text)
{
    return in_single_quotes(text, R"('\'')");
}

// Text without effect on the specification of an argument that it is a part of.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char character : text) {
        if (character == ':' || character == '[' || character == ']' || character == '\\')
            result += '\\';
        result += character;
    }
    return result;
}

// What completes a value, such as "MODE:(auto bar)".
std::string action_of(const value& value)
{
    switch (value.kind) {
    case value_kind::none:
        return {};
    case value_kind::word:
        return fmt::format(":value:({})", fmt::join(value.words, " "));
    case value_kind::file:
        return ":file:_files";
    case value_kind::stage:
        return R"sh(:stage:($(sluice stages 2>/dev/null | cut -d " " -f 1)))sh";
    case value_kind::other:
        return ":" + escaped(value.name) + ": ";
    }
    return {};
}

// The names of an option are one: after one of them none is offered again.
std::string specifications_of(const option& option)
{
    const std::string names = names_of(option);
    const bool has_value = option.value.kind != value_kind::none;
    const bool is_repeated = option.summary.find("repeated") != std::string::npos;
    std::string specifications;
    for (const std::string& name : {option.short_name, option.long_name})
        if (!name.empty())
            specifications += " \\\n            " +
                              in_zsh_quotes(
                                  (is_repeated ? "*" : "(" + names + ")") + name +
                                  (has_value && name == option.long_name ? "=" : "") +
                                  "[" + escaped(option.summary) + "]" +
                                  action_of(option.value)
                              );
    return specifications;
}

std::string specifications_of(const std::vector<option>& options)
{
    std::string specifications;
    for (const option& option : options)
        specifications += specifications_of(option);
    return specifications;
}

}  // namespace

std::string zsh_script(const command_line& line)
{
    std::string commands;
    std::string branches;
    for (const command& command : line.commands) {
        commands +=
            "        " +
            in_zsh_quotes(escaped(command.name) + ":" + escaped(command.summary)) + "\n";
        branches += fmt::format(
            "        {})\n        _arguments{}",
            command.name,
            specifications_of(command.options)
        );
        for (std::size_t i = 0; i < command.arguments.size(); ++i)
            branches += " \\\n            " +
                        in_zsh_quotes(
                            std::to_string(i + 1) + action_of(command.arguments[i])
                        );
        branches += " ;;\n";
    }
    return R"script(#compdef sluice
_sluice()
{
    local curcontext=$curcontext state line
    local -a commands=(
)script" + commands +
           R"script(    )
    _arguments -C)script" +
           specifications_of(line.program.options) + R"script( \
            '1: :->command' '*:: :->arguments'
    case $state in
    command) _describe command commands ;;
    arguments)
        case $words[1] in
)script" + branches +
           R"script(        esac ;;
    esac
}
if [[ $funcstack[1] == _sluice ]]; then
    _sluice "$@"
else
    compdef _sluice sluice
fi
)script";
}

}  // namespace sluice::cli::completion
