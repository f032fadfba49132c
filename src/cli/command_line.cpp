// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "command_line.hpp"

#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/version.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace sluice::cli {

using pipeline::detail::in_quotes;
using pipeline::detail::one_of;

namespace {

// What `--help` says behind the options.

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

// Before it CLI11 puts the name of the option.
CLI::ValidationError refusal(const std::string& given, std::string_view expected)
{
    return CLI::ValidationError(
        fmt::format("found {}, expected {}", in_quotes(given), expected)
    );
}

// One that is not empty, as a variable of a shell is that is not set.
std::string parse_name(const std::string& given)
{
    if (given.empty())
        throw refusal(given, "a name");
    return given;
}

void parse_report(const std::string& given, run_arguments& run)
{
    constexpr std::string_view to_file = "json=";
    const bool has_file = given.starts_with(to_file) && given.size() > to_file.size();
    if (!has_file && given != "text" && given != "json" && given != "none")
        throw refusal(given, one_of({"text", "json", "json=FILE", "none"}));
    run.report = has_file ? "json" : given;
    run.report_file = has_file ? given.substr(to_file.size()) : "";
}

// Names with commas between them.
std::vector<std::string> parse_names(const std::string& given)
{
    std::vector<std::string> found;
    std::istringstream rest(parse_name(given));
    for (std::string name; std::getline(rest, name, ',');)
        found.push_back(name);
    return found;
}

std::chrono::nanoseconds parse_limit(const std::string& given)
{
    const auto duration = text::parse_duration(given);
    if (!duration)
        throw refusal(given, "a duration, such as 90s, 250ms or 10m");
    return *duration;
}

std::chrono::nanoseconds parse_linger(const std::string& given)
{
    return given == "forever" ? std::chrono::nanoseconds::max() : parse_limit(given);
}

// As a client writes it into `Host`, but for the port.
std::string parse_host_name(const std::string& given)
{
    if (given.empty() || given.find_first_of(":/* ") != std::string::npos)
        throw refusal(given, "the name of a host, without a port, such as importer");
    return given;
}

// PORT, ADDRESS:PORT or [ADDRESS]:PORT, into the arguments of the page.
void parse_serve(const std::string& given, serve_arguments& result)
{
    const std::size_t colon = given.rfind(':');
    const bool has_address = colon != std::string::npos;
    std::string address = has_address ? given.substr(0, colon) : result.address;
    if (address.starts_with('[') && address.ends_with(']'))
        address = address.substr(1, address.size() - 2);
    const auto port = text::whole_number<unsigned short>(
        has_address ? given.substr(colon + 1) : given
    );
    // As the live page takes it. There a wrong one would be an error of the run.
    boost::system::error_code wrong;
    if (address != "localhost")
        static_cast<void>(boost::asio::ip::make_address(address, wrong));
    if (wrong || !port)
        throw refusal(
            given,
            "[ADDRESS:]PORT with a port up to 65535 and an IP address or localhost, such "
            "as 8080, 0.0.0.0:8080 or [::1]:0"
        );
    result.address = address;
    result.port = port;
}

// An option whose value `parse` makes of what is given.
template <class Value, class Parse>
CLI::Option* add_value(
    CLI::App* to,
    const char* name,
    const std::string& type,
    Value& value,
    Parse parse
)
{
    return to->add_option(name)->type_name(type)->each(
        [&value, parse](const std::string& given) { value = parse(given); }
    );
}

CLI::Option* add_choice(
    CLI::App* to,
    const char* name,
    std::string& value,
    const std::vector<std::string>& known
)
{
    return to->add_option(name, value)
        ->type_name(fmt::format("{}", fmt::join(known, "|")))
        ->check([known](const std::string& given) -> std::string {
            return std::ranges::count(known, given) > 0
                       ? ""
                       : refusal(given, one_of(known)).what();
        });
}

// One that may be repeated, whose arguments are NAME=VALUE.
template <class Add>
CLI::Option* add_pairs(CLI::App* to, const char* name, const char* form, Add add)
{
    return to->add_option(name)->type_name(form)->take_all()->each(
        [form, add](const std::string& given) {
            const std::size_t equals = given.find('=');
            if (equals == std::string::npos || equals == 0)
                throw refusal(given, form);
            add(given.substr(0, equals), given.substr(equals + 1));
        }
    );
}

void add_description(CLI::App* to, description_arguments& description)
{
    add_value(to, "FILE", "", description.file, parse_name)
        ->required()
        ->description("the description; - is standard input");
    add_pairs(
        to,
        "--param",
        "NAME=VALUE",
        [&description](const std::string& name, const std::string& value) {
            description.parameters[name] = value;
        }
    )->description("what ${NAME} stands for; may be repeated");
    add_pairs(
        to,
        "--set",
        "POINTER=VALUE",
        [&description](const std::string& pointer, const std::string& value) {
            description.overrides.push_back({pointer, value});
        }
    )->description("replace or add a value; may be repeated");
}

// All but --serve itself would do nothing without it.
void add_serve(CLI::App* to, serve_arguments& page)
{
    CLI::Option* const serve =
        to->add_option("--serve")
            ->type_name("[ADDRESS:]PORT")
            ->each([&page](const std::string& given) { parse_serve(given, page); })
            ->description("show a page in the browser; port 0 is any free one");
    to->add_option("--allow-host")
        ->type_name("NAME")
        ->take_all()
        ->each([&page](const std::string& given) {
            page.allowed_hosts.push_back(parse_host_name(given));
        })
        ->needs(serve)
        ->description("a name by which the page may be asked for; may be repeated");
    to->add_flag("--control", page.has_control)
        ->needs(serve)
        ->description("let the page drain and stop the pipeline");
    add_value(to, "--linger", "DURATION", page.linger, parse_linger)
        ->needs(serve)
        ->description("keep the page after the end, or `forever`: until Ctrl-C");
}

void add_run(CLI::App* to, description_arguments& description, run_arguments& run)
{
    add_description(to, description);
    to->add_option("--threads")
        ->type_name("N")
        ->each([&description](const std::string& given) {
            description.overrides.push_back({"/threads", given});
        })
        ->description("threads of the event loop; short for --set /threads=N");
    add_value(to, "--runners", "NAMES", run.runners, parse_names)
        ->description("run only these, separated by commas; others run elsewhere");
    add_value(to, "--timeout", "DURATION", run.timeout, parse_limit)
        ->description("stop after this time, as a failure");
    add_value(to, "--drain-limit", "DURATION", run.drain_limit, parse_limit)
        ->description("how long a drain may take; 1m by default");
    to->add_option("--report")
        ->type_name("text|json|json=FILE|none")
        ->each([&run](const std::string& given) { parse_report(given, run); })
        ->description("the summary at the end; text by default");
    add_value(to, "--metrics", "FILE", run.metrics_file, parse_name)
        ->description("a file with metrics for Prometheus, kept current");
    add_value(to, "--trace", "FILE", run.trace_file, parse_name)
        ->description("a file for Perfetto: what each worker did when");
    add_choice(to, "--progress", run.progress, {"auto", "bar", "json", "none"})
        ->description("auto, the default: bar on a terminal, else none");
    add_serve(to, run.serve);
}

void add_queues(CLI::App* to, queues_arguments& queues)
{
    to->add_option("URL", queues.url, "the server, such as redis://localhost")
        ->type_name("")
        ->required();
    add_choice(
        to,
        "ACTION",
        queues.action,
        {"list", "peek", "drain", "requeue", "close", "delete"}
    )
        ->description("what to do; list by default");
    to->add_option("QUEUE", queues.queues, "which of them, by their names")
        ->type_name("");
    to->add_flag("--json", queues.json, "as JSON; of peek and drain a line each");
    to->add_flag("--dead", queues.dead_letters, "peek at or drain dead letters");
    to->add_option("--count", queues.count, "how many; peek: 10 by default, requeue: all")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000'000).description(""));
    to->add_flag("--force", queues.force, "delete also what has elements or is missing");
    to->callback([to, &queues] {
        using names = std::vector<std::string>;
        const auto expect = [&](const char* option, const names& actions) {
            if (to->count(option) > 0 && std::ranges::count(actions, queues.action) == 0)
                throw CLI::RequiresError(option, one_of(actions));
        };
        expect("--json", {"list", "peek", "drain"});
        expect("--dead", {"peek", "drain"});
        expect("--count", {"peek", "requeue"});
        expect("--force", {"delete"});
        if (queues.queues.empty() && queues.action != "list")
            throw CLI::RequiredError("QUEUE");
    });
}

void add_commands(CLI::App& app, command_line& line)
{
    const auto add = [&app](const char* name, const char* summary, const char* footer) {
        return app.add_subcommand(name, summary)
            ->footer(fmt::format("{}\n\n{}", footer, exit_status_text));
    };
    const auto version_text =
        fmt::format("sluice {}.{}.{}", version.major, version.minor, version.patch);
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text);
    app.footer(fmt::format("{}\n\n{}", exit_status_text, more_help));
    description_arguments& description = line.description;
    add_run(add("run", "Run a pipeline", run_footer), description, line.run);
    add_description(
        add("check", "List all mistakes of a description", check_footer),
        description
    );
    add_description(
        add("graph", "Print a pipeline for Graphviz", graph_footer),
        description
    );
    add("stages", "List the stages, or explain one", "Example:\n  sluice stages read")
        ->add_option("NAME", line.stage, "the stage to explain");
    add_queues(
        add("queues", "Show and tend queues on a server", queues_footer),
        line.queues
    );
    add("schema", "Print the JSON Schema of descriptions", schema_footer);
}

// CLI11 would report that no command was given.
void refuse_unknown_command(const CLI::App& app, const std::string& name)
{
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({}))
        known.push_back(command->get_name());
    if (std::ranges::find(known, name) == known.end())
        throw unknown_name("command", name, known, "sluice --help");
}

// CLI11 would list it together with its value, or report what it has hidden, such as FILE.
void refuse_unknown_option(const CLI::App& command, const std::string& help)
{
    std::vector<std::string> known;
    for (const CLI::Option* each : command.get_options())
        known.push_back(each->get_name());
    for (const std::string& extra : command.remaining())
        if (extra.size() > 1 && extra.starts_with('-'))
            throw unknown_name("option", extra.substr(0, extra.find('=')), known, help);
}

}  // namespace

command_line parse_command_line(const std::vector<std::string>& arguments)
{
    command_line line;
    CLI::App app{"Runs pipelines described in JSON.", "sluice"};
    add_commands(app, line);
    if (arguments.empty()) {
        const std::string help = app.help();
        throw command_error(help.substr(0, help.find_last_not_of('\n') + 1));
    }
    if (!arguments[0].starts_with('-'))
        refuse_unknown_command(app, arguments[0]);
    try {
        app.parse(std::vector(arguments.rbegin(), arguments.rend()));
        line.command = app.get_subcommands().front()->get_name();
    } catch (const CLI::Success& asked) {  // --help, --version
        std::ostringstream text;
        app.exit(asked, text, text);
        line.answer = text.str();
    } catch (const CLI::ParseError& wrong) {
        std::string help = "sluice --help";
        refuse_unknown_option(app, help);
        for (const CLI::App* given : app.get_subcommands()) {
            help = fmt::format("sluice {} --help", given->get_name());
            refuse_unknown_option(*given, help);
        }
        throw command_error(fmt::format("sluice: {}\nTry `{}`.", wrong.what(), help));
    }
    return line;
}

command_error unknown_name(
    const std::string& kind,
    const std::string& name,
    const std::vector<std::string>& known,
    const std::string& list_command
)
{
    const std::string hint = pipeline::detail::did_you_mean(name, known);
    return command_error(fmt::format(
        "sluice: there is no {} {}; {}",
        kind,
        in_quotes(name),
        hint.empty() ? fmt::format("`{}` lists all", list_command) : hint
    ));
}

}  // namespace sluice::cli
