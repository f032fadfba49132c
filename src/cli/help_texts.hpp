// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// What `--help` says behind the options.
namespace sluice::cli {

// Of the program and of each command.
constexpr auto exit_status_text =
    R"(Exit status: 0 done; 1 failed, the last message on standard error says why;
2 refused, the messages say why, and nothing was done; 130 interrupted.)";

constexpr auto more_help = "`sluice COMMAND --help` explains a command.";

constexpr auto run_footer =
    R"(Relative paths in a description are relative to the current directory. Results go to
standard output, everything else to standard error.

Ctrl-C (SIGINT or SIGTERM) once: sources end, what has been read is processed;
twice, or after the drain limit: everything stops at once. SIGHUP is as Ctrl-C
once.

Examples:
  sluice run word_count.json
  sluice run word_count.json --set /runners/split/workers=4 --timeout 10m
  sluice run errors.json --param INPUT=access.log --report json=report.json
  sluice run distributed.json --runners split --serve 8080)";

constexpr auto check_footer = "Nothing is opened or started.";

constexpr auto graph_footer =
    R"(Example:
  sluice graph word_count.json | dot -Tsvg >word_count.svg)";

constexpr auto queues_footer =
    R"(Queues on a server, which processes share. Without QUEUE, list shows all.

list shows them. The size counts what consumers have, leased, too; the age is
that of the element that leaves next.
peek shows the elements that leave next, or with --dead the dead letters, and why
they are some; all stay where they are.
drain takes out what waits and discards it, or prints it with --json.
requeue puts the dead letters back into their queue, as new elements.
close ends them for all processes once what is left has been taken.
delete removes them, so that a pipeline can run anew, but none that has elements.

Examples:
  sluice queues redis://localhost
  sluice queues redis://localhost peek --dead --count 3 words.lines
  sluice queues redis://localhost drain --dead --json words.lines >dead.jsonl
  sluice queues redis://localhost delete --force words.lines words.words)";

constexpr auto schema_footer =
    "Editors that know JSON Schema complete and check descriptions with it.";

}  // namespace sluice::cli
