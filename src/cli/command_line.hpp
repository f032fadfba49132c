// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/pipeline/read_description.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sluice::cli {

// The exit status of the program.
enum class exit_status : int
{
    done = 0,
    failed = 1,   // a stage failed, the timeout expired, or output could not be written
    refused = 2,  // a wrong command line, or a description that cannot be run
    interrupted = 130  // SIGINT, SIGTERM or SIGHUP; what shells report for the first
};

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
    std::vector<pipeline::description_override> overrides;
    std::map<std::string, std::string> parameters;  // before those of the environment
};

// The live page.
struct serve_arguments
{
    std::string address = "127.0.0.1";
    std::optional<unsigned short> port;              // --serve; empty: no page
    bool has_control = false;                        // --control
    std::vector<std::string> allowed_hosts;          // --allow-host
    std::optional<std::chrono::nanoseconds> linger;  // --linger; max: no limit
};

struct run_arguments
{
    std::vector<std::string> runners;  // those that run here; empty: all
    std::optional<std::chrono::nanoseconds> timeout;
    std::chrono::nanoseconds drain_limit = std::chrono::minutes(1);
    std::string progress = "auto";  // auto, bar, json or none
    std::string report = "text";    // text, json or none
    std::string report_file;        // of json; empty: standard error
    std::string metrics_file;       // empty: none
    std::string trace_file;         // empty: none
    serve_arguments serve;
};

struct queues_arguments
{
    std::string url;
    std::string action = "list";       // or peek, drain, requeue, close, delete
    std::vector<std::string> queues;   // by name; empty: all
    bool json = false;                 // of list, peek and drain
    bool dead_letters = false;         // of peek and drain
    std::optional<std::size_t> count;  // of peek and requeue
    bool force = false;                // of delete
};

// The name of a command, and the arguments that belong to it.
struct command_line
{
    std::string command;                // empty: only `answer` is printed
    description_arguments description;  // of run, check and graph
    run_arguments run;
    std::string stage;  // of stages; empty: all
    queues_arguments queues;
    std::string answer;  // help or the version
};

// Takes the arguments without the name of the program. Throws command_error for a command
// line that makes no sense. Reads and writes nothing.
[[nodiscard]] command_line parse_command_line(const std::vector<std::string>& arguments);

// The error for a name that is not one of the `known` names of its kind. It suggests the nearest
// one, or else the command that lists them.
[[nodiscard]] command_error unknown_name(
    const std::string& kind,
    const std::string& name,
    const std::vector<std::string>& known,
    const std::string& list_command
);

}  // namespace sluice::cli
