// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "exit_status.hpp"
#include <sluice/pipeline/read_description.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace sluice::cli {

// Ends the program with exit_status::refused and a message of one or more lines.
class command_error : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

// Where a description comes from, and what is changed in it.
struct description_arguments
{
    std::string file;  // "-": standard input
    std::string text;  // instead of a file, if that is empty
    std::vector<pipeline::description_override> overrides;
    std::map<std::string, std::string> parameters;  // before those of the environment
};

// --progress
enum class progress_mode
{
    automatic,  // bar if standard error is a terminal, else none
    bar,        // redrawn in place
    json,       // a JSON object each second, a line each
    none
};

// --report
enum class report_format
{
    text,
    json,
    none
};

struct report_arguments
{
    report_format format = report_format::text;
    std::string file;  // empty: standard error
};

// --serve
struct serve_arguments
{
    std::string address = "127.0.0.1";
    unsigned short port = 0;
    bool has_control = false;                     // --control
    std::vector<std::string> allowed_hosts = {};  // --allow-host
    std::optional<std::chrono::nanoseconds> linger =
        std::nullopt;  // --linger; max: no limit
};

struct run_arguments
{
    description_arguments description;
    std::vector<std::string> runners;  // those that run here; empty: all
    std::optional<std::chrono::nanoseconds> timeout;
    std::chrono::nanoseconds drain_limit = std::chrono::minutes(1);
    progress_mode progress = progress_mode::automatic;
    report_arguments report;
    std::string metrics_file;       // empty: none
    std::string trace_file;         // empty: none
    std::string summary_directory;  // empty: none
    std::optional<serve_arguments> serve = std::nullopt;
};

struct check_arguments
{
    description_arguments description;
};

struct graph_arguments
{
    description_arguments description;
};

struct stages_arguments
{
    std::string name;  // empty: all
    bool json = false;
};

// What `sluice queues` does.
enum class queues_action
{
    list,
    peek,
    drain,
    requeue,
    close,
    remove
};

struct queues_arguments
{
    std::string url;
    queues_action action = queues_action::list;
    std::vector<std::string> queues;  // by name; empty: all
    bool json = false;
    bool dead_letters = false;         // of peek and drain
    std::optional<std::size_t> count;  // of peek and requeue
    bool force = false;                // of delete
};

struct schema_arguments
{
};

// A text that answers the command line itself: help or the version.
struct printed_text
{
    std::string text;
};

using command = std::variant<
    run_arguments,
    check_arguments,
    graph_arguments,
    stages_arguments,
    queues_arguments,
    schema_arguments,
    printed_text>;

// Takes the arguments without the name of the program. Throws command_error for a command
// line that makes no sense. Reads and writes nothing.
[[nodiscard]] command parse_command_line(const std::vector<std::string>& arguments);

// The error for a name that is not one of the `known` names of its kind. It suggests the nearest
// one, or else the command that lists them.
[[nodiscard]] command_error unknown_name(
    const std::string& kind,
    const std::string& name,
    const std::vector<std::string>& known,
    const std::string& list_command
);

}  // namespace sluice::cli
