// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "command_line.hpp"

#include "completion.hpp"
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
#include <charconv>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace sluice::cli {

using pipeline::detail::did_you_mean;
using pipeline::detail::in_quotes;
using pipeline::detail::is_parameter_name;
using pipeline::detail::one_of;
using pipeline::detail::parse_duration;

namespace {

constexpr auto program_footer =
    R"(Exit status: 0 done; 1 failed, the first error is on standard error; 2 wrong command
line or description, all mistakes are listed; 130 interrupted.

`sluice COMMAND --help` explains a command.)";

constexpr auto run_footer =
    R"(Relative paths in a description are relative to the current directory. Results go to
standard output, everything else to standard error.

Ctrl-C (SIGINT or SIGTERM) once: sources end, what has been read is processed;
twice, or after the drain limit: everything stops at once. SIGHUP is as Ctrl-C
once. A signal that is ignored at the start stays ignored. The status is 130, or 1
if workers do not end in time.

Exit status: 0 done; 1 failed or timed out, the error is the last message on
standard error; 2 wrong command line or description, nothing was started;
130 interrupted.

Examples:
  sluice run word_count.json
  sluice run word_count.json --set /runners/split/workers=4 --timeout 10m
  sluice run errors.json --param INPUT=access.log
  sluice run word_count.json --report json=report.json --progress plain >words.txt
  sluice run word_count.json --serve 8080 --linger forever
  sluice run distributed.json --runners split)";

constexpr auto check_footer =
    R"(All mistakes are listed in one run, a line each. Nothing is opened or started.

Exit status: 0 no mistake; 2 mistakes, or the file cannot be read.

Example:
  sluice check word_count.json)";

constexpr auto graph_footer =
    R"(Exit status: 0 printed; 2 mistakes in the description.

Examples:
  sluice graph word_count.json | dot -Tsvg >word_count.svg
  sluice graph word_count.json --format mermaid)";

constexpr auto stages_footer =
    R"(Exit status: 0 printed; 2 there is no stage of that name.

Examples:
  sluice stages
  sluice stages text_lines)";

constexpr auto queues_footer =
    R"(Queues on a server, which processes share. Without QUEUE, list and watch show all.

list shows them, watch shows them each second until Ctrl-C. The size counts what
consumers have, leased, too; the age is that of the element that leaves next.
peek shows the elements that leave next, or with --dead the dead letters, and why
they are some; all stay where they are.
drain takes out what waits and discards it, or prints it with --json.
requeue puts the dead letters back into their queue, as new elements.
close ends them for all processes once what is left has been taken.
delete removes them, so that a pipeline can run anew.

Exit status: 0 done; 1 the server cannot be reached or refuses; 2 wrong command
line, no such queue, or a queue that is not deleted because it has elements.

Examples:
  sluice queues redis://localhost
  sluice queues unix:/run/redis.sock watch words.lines words.words
  sluice queues redis://localhost peek --dead --count 3 words.lines
  sluice queues redis://localhost requeue words.lines
  sluice queues redis://localhost drain --dead --json words.lines >dead.jsonl
  sluice queues redis://localhost delete --force words.lines words.words)";

constexpr auto schema_footer =
    R"(Editors that know JSON Schema complete and check descriptions with it.

Exit status: 0 printed.

Example:
  sluice schema >pipeline.schema.json)";

constexpr auto completion_footer =
    R"(Exit status: 0 printed.

Examples, in ~/.bashrc, in ~/.zshrc after compinit, and in ~/.config/fish/config.fish:
  source <(sluice completion bash)
  source <(sluice completion zsh)
  sluice completion fish | source)";

// The values that an option may have, by name.
template <class Value>
using choices = std::vector<std::pair<std::string, Value>>;

const choices<progress_mode> progress_modes{
    {"auto", progress_mode::automatic},
    {"bar", progress_mode::bar},
    {"plain", progress_mode::plain},
    {"json", progress_mode::json},
    {"none", progress_mode::none}
};

const choices<report_format> report_formats{
    {"text", report_format::text},
    {"json", report_format::json},
    {"json=FILE", report_format::json},
    {"none", report_format::none}
};

const choices<graph_format> graph_formats{
    {"dot", graph_format::dot},
    {"mermaid", graph_format::mermaid}
};

const choices<queues_action> queues_actions{
    {"list", queues_action::list},
    {"watch", queues_action::watch},
    {"peek", queues_action::peek},
    {"drain", queues_action::drain},
    {"requeue", queues_action::requeue},
    {"close", queues_action::close},
    {"delete", queues_action::remove}
};

const choices<shell> shells{
    {"bash", shell::bash},
    {"fish", shell::fish},
    {"zsh", shell::zsh}
};

template <class Value>
std::vector<std::string> names_of(const choices<Value>& choices)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : choices)
        names.push_back(name);
    return names;
}

// "dot|mermaid": shown by help, and parsed for shells.
template <class Value>
std::string type_of(const choices<Value>& choices)
{
    return fmt::format("{}", fmt::join(names_of(choices), "|"));
}

// CLI11 prepends the name of the option.
CLI::ValidationError refusal(const std::string& given, std::string_view expected)
{
    return CLI::ValidationError(
        fmt::format("found {}, expected {}", in_quotes(given), expected)
    );
}

template <class Value>
Value choose(const std::string& given, const choices<Value>& choices)
{
    for (const auto& [name, value] : choices)
        if (name == given)
            return value;
    throw refusal(given, one_of(names_of(choices)));
}

pipeline::description_override parse_override(const std::string& given)
{
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos || !given.starts_with('/'))
        throw refusal(
            given,
            "POINTER=VALUE with a JSON pointer, such as /runners/0/workers=4"
        );
    return {.pointer = given.substr(0, equals), .value = given.substr(equals + 1)};
}

void add_parameter(
    const std::string& given,
    std::map<std::string, std::string>& parameters
)
{
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos || !is_parameter_name(given.substr(0, equals)))
        throw refusal(
            given,
            "NAME=VALUE with a name of letters, digits and _, such as INPUT=access.log"
        );
    parameters[given.substr(0, equals)] = given.substr(equals + 1);
}

report_arguments parse_report(const std::string& given)
{
    constexpr std::string_view to_file = "json=";
    if (given.starts_with(to_file) && given.size() > to_file.size())
        return {.format = report_format::json, .file = given.substr(to_file.size())};
    return {.format = choose(given, report_formats), .file = {}};
}

std::vector<std::string> parse_names(const std::string& given)
{
    std::vector<std::string> names;
    std::istringstream rest(given);
    for (std::string name; std::getline(rest, name, ',');)
        names.push_back(name);
    if (names.empty() || std::ranges::count(names, "") > 0)
        throw refusal(given, "names with commas between them, such as read,split");
    return names;
}

// An empty one is a variable of a shell that is not set.
void expect_name(const std::string& given)
{
    if (given.empty())
        throw refusal(given, "a name");
}

std::chrono::nanoseconds parse_limit(const std::string& given)
{
    if (const auto duration = parse_duration(given))
        return *duration;
    throw refusal(given, "a duration, such as 90s, 250ms or 10m");
}

std::chrono::nanoseconds parse_interval(const std::string& given)
{
    const auto duration = parse_duration(given);
    if (!duration || *duration <= std::chrono::nanoseconds::zero())
        throw refusal(given, "a duration above 0, such as 2s or 500ms");
    return *duration;
}

std::size_t parse_count(const std::string& given)
{
    std::size_t count = 0;
    const char* const end = given.data() + given.size();
    const auto [stop, error] = std::from_chars(given.data(), end, count);
    if (error != std::errc() || stop != end || count == 0)
        throw refusal(given, "a whole number above 0");
    return count;
}

std::chrono::nanoseconds parse_linger(const std::string& given)
{
    return given == "forever" ? std::chrono::nanoseconds::max() : parse_limit(given);
}

// As the live page takes it. There a wrong one would be an error of the run.
bool is_address(const std::string& text)
{
    boost::system::error_code ec;
    std::ignore = boost::asio::ip::make_address(text, ec);
    return text == "localhost" || !ec;
}

// As a client writes it into `Host`, but for the port.
void expect_host_name(const std::string& given)
{
    const bool is_name = !given.empty() && std::ranges::all_of(given, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text::is_digit(c) ||
               c == '-' || c == '_' || c == '.';
    });
    if (!is_name)
        throw refusal(given, "the name of a host, without a port, such as importer");
}

// The forms of --serve are PORT, ADDRESS:PORT and [ADDRESS]:PORT.
void parse_serve(const std::string& given, serve_arguments& result)
{
    const std::size_t colon = given.rfind(':');
    const bool has_address = colon != std::string::npos;
    std::string address = has_address ? given.substr(0, colon) : "127.0.0.1";
    const std::string port = has_address ? given.substr(colon + 1) : given;
    if (address.starts_with('[') && address.ends_with(']'))
        address = address.substr(1, address.size() - 2);
    const char* const end = port.data() + port.size();
    const auto [stop, error] = std::from_chars(port.data(), end, result.port);
    if (!is_address(address) || port.empty() || error != std::errc() || stop != end)
        throw refusal(
            given,
            "[ADDRESS:]PORT with a port up to 65535 and an IP address or localhost, such "
            "as 8080, 0.0.0.0:8080 or [::1]:0"
        );
    result.address = address;
}

// An option of which a function makes a value.
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
    const choices<Value>& known,
    Value& value
)
{
    return add_value(to, name, type_of(known), value, [&known](const std::string& given) {
        return choose(given, known);
    });
}

// The name of what is written.
CLI::Option* add_output(
    CLI::App* to,
    const char* name,
    const char* type,
    std::string& value
)
{
    return to->add_option(name, value)->type_name(type)->each(expect_name);
}

// The arguments of all commands, and the App that fills them in.
class parser
{
public:
    parser()
    {
        app_.require_subcommand(1);
        app_.set_version_flag(
            "--version",
            fmt::format("sluice {}.{}.{}", version.major, version.minor, version.patch)
        );
        app_.footer(program_footer);
        add_run();
        add_description(
            add("check",
                "List all mistakes of a description",
                check_footer,
                [this] { return check_; }),
            check_.description
        );
        add_graph();
        add_stages();
        add_queues();
        add("schema", "Print the JSON Schema of descriptions", schema_footer, [] {
            return schema_arguments();
        });
        add_completion();
    }

    command parse(const std::vector<std::string>& arguments)
    {
        if (arguments.empty()) {
            const std::string help = app_.help();
            throw command_error(help.substr(0, help.find_last_not_of('\n') + 1));
        }
        if (arguments[0] == "complete")  // asked by the scripts, and so not in the help
            return printed_text{
                completions_of(app_, {arguments.begin() + 1, arguments.end()})
            };
        if (!arguments[0].starts_with('-'))
            refuse_unknown_command(arguments[0]);
        try {
            app_.parse(std::vector(arguments.rbegin(), arguments.rend()));
        } catch (const CLI::Success& asked) {  // --help, --version
            std::ostringstream text;
            app_.exit(asked, text, text);
            return printed_text{text.str()};
        } catch (const CLI::ParseError& wrong) {
            throw command_error(fmt::format(
                "sluice: {}\nTry `{} --help`.",
                wrong.what(),
                name_of_command()
            ));
        }
        return chosen_;
    }

private:
    // CLI11 would report that no command was given.
    void refuse_unknown_command(const std::string& name)
    {
        std::vector<std::string> known;
        for (const CLI::App* command : app_.get_subcommands({}))
            known.push_back(command->get_name());
        if (std::ranges::find(known, name) == known.end())
            throw unknown_name("command", name, known, "sluice --help");
    }

    CLI::App* add(
        const char* name,
        const char* summary,
        const char* footer,
        std::function<command()> arguments
    )
    {
        CLI::App* const command = app_.add_subcommand(name, summary);
        command->footer(footer);
        command->callback([this, arguments = std::move(arguments)] {
            chosen_ = arguments();
        });
        return command;
    }

    static void add_description(CLI::App* to, description_arguments& description)
    {
        CLI::Option* const file = to->add_option("FILE", description.file)
                                      ->type_name("")
                                      ->description("the description; - is standard input"
                                      );
        CLI::Option* const text = to->add_option("-e", description.text)
                                      ->type_name("JSON")
                                      ->excludes(file)
                                      ->description("the description itself, and no FILE"
                                      );
        to->parse_complete_callback([file, text] {
            if (file->empty() && text->empty())
                throw CLI::RequiredError("FILE or -e");
        });
        to->add_option("--param")
            ->type_name("NAME=VALUE")
            ->take_all()
            ->each([&description](const std::string& given) {
                add_parameter(given, description.parameters);
            })
            ->description("what ${NAME} stands for; may be repeated");
        to->add_option("--set")
            ->type_name("POINTER=VALUE")
            ->take_all()
            ->each([&description](const std::string& given) {
                description.overrides.push_back(parse_override(given));
            })
            ->description("replace or add a value; may be repeated");
    }

    void add_run()
    {
        CLI::App* const run = add("run", "Run a pipeline", run_footer, [this] {
            if (app_.get_subcommand("run")->count("--serve") > 0)
                run_.serve = serve_;
            return run_;
        });
        add_description(run, run_.description);
        run->add_option("--threads")
            ->type_name("N")
            ->each([this](const std::string& given) {
                run_.description.overrides.push_back({"/threads", given});
            })
            ->description("threads of the event loop; short for --set /threads=N");
        add_value(run, "--runners", "NAMES", run_.runners, parse_names)
            ->description("run only these, separated by commas; others run elsewhere");
        add_value(run, "--timeout", "DURATION", run_.timeout, parse_limit)
            ->description("stop after this time, as a failure");
        add_value(run, "--drain-limit", "DURATION", run_.drain_limit, parse_limit)
            ->description("how long a drain may take; 1m by default");
        add_value(run, "--report", type_of(report_formats), run_.report, parse_report)
            ->description("the summary at the end; text by default");
        add_output(run, "--metrics", "FILE", run_.metrics_file)
            ->description("a file with metrics for Prometheus, kept current");
        add_output(run, "--trace", "FILE", run_.trace_file)
            ->description("a file for Perfetto: what each worker did when");
        add_output(run, "--summaries", "DIR", run_.summary_directory)
            ->description("a directory for TensorBoard: curves of queues and runners");
        add_choice(run, "--progress", progress_modes, run_.progress)
            ->description("auto, the default: bar on a terminal, else none");
        add_serve(run);
    }

    // All but --serve itself would do nothing without it.
    void add_serve(CLI::App* run)
    {
        CLI::Option* const serve =
            run->add_option("--serve")
                ->type_name("[ADDRESS:]PORT")
                ->each([this](const std::string& given) { parse_serve(given, serve_); })
                ->description("show a page in the browser; port 0 is any free one");
        run->add_option("--allow-host")
            ->type_name("NAME")
            ->take_all()
            ->each([this](const std::string& given) {
                expect_host_name(given);
                serve_.allowed_hosts.push_back(given);
            })
            ->needs(serve)
            ->description("a name by which the page may be asked for; may be repeated");
        run->add_flag("--control", serve_.has_control)
            ->needs(serve)
            ->description("let the page drain and stop the pipeline");
        add_value(run, "--linger", "DURATION", serve_.linger, parse_linger)
            ->needs(serve)
            ->description("keep the page after the end, or `forever`: until Ctrl-C");
    }

    void add_graph()
    {
        CLI::App* const graph =
            add("graph", "Print a pipeline as a graph", graph_footer, [this] {
                return graph_;
            });
        add_description(graph, graph_.description);
        add_choice(graph, "--format", graph_formats, graph_.format)
            ->description("dot, the default, is the language of Graphviz");
    }

    void add_stages()
    {
        CLI::App* const stages =
            add("stages", "List the stages, or explain one", stages_footer, [this] {
                return stages_;
            });
        stages->add_option("NAME", stages_.name, "the stage to explain");
        stages->add_flag("--json", stages_.json, "as JSON");
    }

    void add_queues()
    {
        CLI::App* const queues =
            add("queues", "Show and tend queues on a server", queues_footer, [this] {
                return checked_queues();
            });
        queues->add_option("URL", queues_.url)
            ->type_name("")
            ->required()
            ->description("the server, such as redis://localhost or unix:/run/redis.sock"
            );
        add_choice(queues, "ACTION", queues_actions, queues_.action)
            ->description("what to do; list by default");
        queues->add_option("QUEUE", queues_.queues)
            ->type_name("")
            ->description("which of them, by their names");
        queues->add_flag("--json", queues_.json)
            ->description("as JSON; of peek and drain a line each");
        queues->add_flag("--dead", queues_.dead_letters)
            ->description("peek at or drain the dead letters of the queue, and only these"
            );
        add_value(queues, "--count", "N", queues_.count, parse_count)
            ->description("how many; peek: 10 by default, requeue: all");
        queues->add_flag("--force", queues_.force)
            ->description("delete also with elements, and do not mind if it is not there"
            );
        add_value(queues, "--interval", "DURATION", interval_, parse_interval)
            ->description("how often watch looks; 1s by default");
    }

    [[nodiscard]] queues_arguments checked_queues() const
    {
        const auto is = [this](auto... actions) {
            return ((queues_.action == actions) || ...);
        };
        if (queues_.json &&
            is(queues_action::requeue, queues_action::close, queues_action::remove))
            throw CLI::ExcludesError("--json", "requeue, close and delete");
        if (queues_.dead_letters && !is(queues_action::peek, queues_action::drain))
            throw CLI::RequiresError("--dead", "peek or drain");
        if (queues_.count && !is(queues_action::peek, queues_action::requeue))
            throw CLI::RequiresError("--count", "peek or requeue");
        if (queues_.force && !is(queues_action::remove))
            throw CLI::RequiresError("--force", "delete");
        if (interval_ && !is(queues_action::watch))
            throw CLI::RequiresError("--interval", "watch");
        if (queues_.queues.empty() && !is(queues_action::list, queues_action::watch))
            throw CLI::RequiredError("QUEUE");
        queues_arguments result = queues_;
        result.interval = interval_.value_or(result.interval);
        return result;
    }

    void add_completion()
    {
        CLI::App* const completion =
            add("completion", "Print a completion script", completion_footer, [this] {
                return printed_text{completion_script(shell_)};
            });
        add_choice(completion, "SHELL", shells, shell_)
            ->required()
            ->description("whose script it is");
    }

    [[nodiscard]] std::string name_of_command() const
    {
        const auto commands = app_.get_subcommands();
        return commands.empty() ? "sluice" : "sluice " + commands[0]->get_name();
    }

    run_arguments run_;
    serve_arguments serve_;  // if --serve is given
    check_arguments check_;
    graph_arguments graph_;
    stages_arguments stages_;
    queues_arguments queues_;
    std::optional<std::chrono::nanoseconds> interval_;
    shell shell_ = shell::bash;
    command chosen_;
    CLI::App app_{"Runs pipelines described in JSON.", "sluice"};
};

}  // namespace

command parse_command_line(const std::vector<std::string>& arguments)
{
    return parser().parse(arguments);
}

command_error unknown_name(
    const std::string& kind,
    const std::string& name,
    const std::vector<std::string>& known,
    const std::string& list_command
)
{
    const std::string hint = did_you_mean(name, known);
    return command_error(fmt::format(
        "sluice: there is no {} {}; {}",
        kind,
        in_quotes(name),
        hint.empty() ? fmt::format("`{}` lists all", list_command) : hint
    ));
}

}  // namespace sluice::cli
