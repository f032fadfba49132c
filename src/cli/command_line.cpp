// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "command_line.hpp"

#include "help_texts.hpp"
#include "pipeline/description/document.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"
#include "text/number.hpp"
#include <sluice/version.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace sluice::cli {

using pipeline::detail::in_quotes;
using pipeline::detail::one_of;

namespace {

// The names of an option's values, in the order of their enumerators. Help shows them.
using value_names = std::vector<std::string>;

const value_names progress_modes{"auto", "bar", "json", "none"};
const value_names queues_actions{"list", "peek", "drain", "requeue", "close", "delete"};

// Before it CLI11 puts the name of the option.
CLI::ValidationError refusal(const std::string& given, std::string_view expected)
{
    return CLI::ValidationError(
        fmt::format("found {}, expected {}", in_quotes(given), expected)
    );
}

// Both parts of NAME=VALUE.
std::pair<std::string, std::string> split(
    const std::string& given,
    bool (*is_name)(std::string_view),
    std::string_view expected
)
{
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos ||
        !is_name(std::string_view(given).substr(0, equals)))
        throw refusal(given, expected);
    return {given.substr(0, equals), given.substr(equals + 1)};
}

bool is_pointer(std::string_view name)
{
    return name.starts_with('/');
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
    if (given.starts_with(to_file) && given.size() > to_file.size())
        run.report_file = given.substr(to_file.size());
    else if (given != "text" && given != "json" && given != "none")
        throw refusal(given, one_of({"text", "json", "json=FILE", "none"}));
    run.report = given == "text"   ? report_format::text
                 : given == "none" ? report_format::none
                                   : report_format::json;
}

std::vector<std::string> parse_names(const std::string& given)
{
    std::vector<std::string> found;
    std::istringstream rest(given);
    for (std::string name; std::getline(rest, name, ',');)
        found.push_back(name);
    if (found.empty() || given.ends_with(',') || std::ranges::count(found, "") > 0)
        throw refusal(given, "names with commas between them, such as read,split");
    return found;
}

std::chrono::nanoseconds parse_limit(const std::string& given)
{
    const auto duration = pipeline::detail::parse_duration(given);
    if (!duration)
        throw refusal(given, "a duration, such as 90s, 250ms or 10m");
    return *duration;
}

std::size_t parse_count(const std::string& given)
{
    const auto count = text::whole_number<std::size_t>(given);
    if (count.value_or(0) == 0)
        throw refusal(given, "a whole number above 0");
    return *count;
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

// As the live page takes it. There a wrong one would be an error of the run.
bool is_address(const std::string& text)
{
    boost::system::error_code ec;
    std::ignore = boost::asio::ip::make_address(text, ec);
    return text == "localhost" || !ec;
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
    if (!is_address(address) || !port)
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

template <class Value>
CLI::Option* add_choice(
    CLI::App* to,
    const char* name,
    const value_names& known,
    Value& value
)
{
    return to->add_option(name)
        ->type_name(fmt::to_string(fmt::join(known, "|")))
        ->each([&known, &value](const std::string& given) {
            const auto found = std::ranges::find(known, given);
            if (found == known.end())
                throw refusal(given, one_of(known));
            value = static_cast<Value>(found - known.begin());
        });
}

void add_description(CLI::App* to, description_arguments& description)
{
    CLI::Option* const file = to->add_option("FILE", description.file)
                                  ->type_name("")
                                  ->description("the description; - is standard input");
    CLI::Option* const text = to->add_option("-e", description.text)
                                  ->type_name("JSON")
                                  ->excludes(file)
                                  ->description("the description itself, and no FILE");
    to->parse_complete_callback([file, text] {
        if (file->empty() && text->empty())
            throw CLI::RequiredError("FILE or -e");
    });
    to->add_option("--param")
        ->type_name("NAME=VALUE")
        ->take_all()
        ->each([&description](const std::string& given) {
            constexpr auto expected = "NAME=VALUE with a name of letters, digits and _, "
                                      "such as INPUT=access.log";
            const auto [name, value] =
                split(given, pipeline::detail::is_parameter_name, expected);
            description.parameters[name] = value;
        })
        ->description("what ${NAME} stands for; may be repeated");
    to->add_option("--set")
        ->type_name("POINTER=VALUE")
        ->take_all()
        ->each([&description](const std::string& given) {
            constexpr auto expected =
                "POINTER=VALUE with a JSON pointer, such as /runners/0/workers=4";
            const auto [pointer, value] = split(given, is_pointer, expected);
            description.overrides.push_back({.pointer = pointer, .value = value});
        })
        ->description("replace or add a value; may be repeated");
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
    add_choice(to, "--progress", progress_modes, run.progress)
        ->description("auto, the default: bar on a terminal, else none");
    add_serve(to, run.serve);
}

void add_queues(CLI::App* to, queues_arguments& queues)
{
    to->add_option("URL", queues.url)
        ->type_name("")
        ->required()
        ->description("the server, such as redis://localhost or unix:/run/redis.sock");
    add_choice(to, "ACTION", queues_actions, queues.action)
        ->description("what to do; list by default");
    to->add_option("QUEUE", queues.queues, "which of them, by their names")
        ->type_name("");
    to->add_flag("--json", queues.json, "as JSON; of peek and drain a line each");
    to->add_flag("--dead", queues.dead_letters)
        ->description("peek at or drain the dead letters of the queue, and only these");
    add_value(to, "--count", "N", queues.count, parse_count)
        ->description("how many; peek: 10 by default, requeue: all");
    to->add_flag("--force", queues.force)
        ->description("delete also with elements, and do not mind if it is not there");
    to->callback([to, &queues] {
        using enum queues_action;
        const auto name_of = [](queues_action action) {
            return queues_actions[static_cast<std::size_t>(action)];
        };
        const auto expect = [&](const char* option, auto... actions) {
            if (to->count(option) > 0 && ((queues.action != actions) && ...))
                throw CLI::RequiresError(option, one_of({name_of(actions)...}));
        };
        expect("--json", list, peek, drain);
        expect("--dead", peek, drain);
        expect("--count", peek, requeue);
        expect("--force", remove);
        if (queues.queues.empty() && queues.action != list)
            throw CLI::RequiredError("QUEUE");
    });
}

void add_commands(CLI::App& app, command_line& line)
{
    const auto add = [&app](const char* name, const char* summary, const char* footer) {
        return app.add_subcommand(name, summary)->footer(footer);
    };
    const auto version_text =
        fmt::format("sluice {}.{}.{}", version.major, version.minor, version.patch);
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text);
    app.footer(program_footer);
    add_run(add("run", "Run a pipeline", run_footer), line.description, line.run);
    add_description(
        add("check", "List all mistakes of a description", check_footer),
        line.description
    );
    add_description(
        add("graph", "Print a pipeline as a graph", graph_footer),
        line.description
    );
    add("stages", "List the stages, or explain one", stages_footer)
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
        std::string command = "sluice";
        for (const CLI::App* given : app.get_subcommands())
            command += " " + given->get_name();
        throw command_error(
            fmt::format("sluice: {}\nTry `{} --help`.", wrong.what(), command)
        );
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
