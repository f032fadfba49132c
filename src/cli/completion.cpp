// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "completion.hpp"

#include "completion/words.hpp"

namespace sluice::cli {

std::string completion_script(shell shell, const CLI::App& app)
{
    const completion::command_line line = completion::words_of(app);
    switch (shell) {
    case shell::bash:
        return completion::bash_script(line);
    case shell::fish:
        return completion::fish_script(line);
    case shell::zsh:
        return completion::zsh_script(line);
    }
    return {};
}

}  // namespace sluice::cli
