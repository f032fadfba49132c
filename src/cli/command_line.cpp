// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "command_line.hpp"

#include "command_error.hpp"
#include "completion.hpp"
#include "pipeline/durations.hpp"
#include <sluice/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace sluice::cli {

namespace {

constexpr auto program_footer =
    "Exit status: 0 done; 1 failed, the first error is on standard error; 2 wrong "
    "command\n"
    "line or description, all mistakes are listed; 130 interrupted.\n"
    "\n"
    "`sluice COMMAND --help` explains a command.";

constexpr auto run_footer =
    "Relative paths in a description are relative to the current directory. Results go "
    "to\n"
    "standard output, everything else to standard error.\n"
    "\n"
    "Ctrl-C (SIGINT or SIGTERM) once: sources end, what has been read is worked off;\n"
    "twice: everything stops at once. SIGHUP is as Ctrl-C once. The status is 130, or 1\n"
    "if workers do not end in time.\n"
    "\n"
    "Exit status: 0 done; 1 failed or timed out, the error is the last message on\n"
    "standard error; 2 wrong command line or description, nothing was started;\n"
    "130 interrupted.\n"
    "\n"
    "Examples:\n"
    "  sluice run word_count.json\n"
    "  sluice run word_count.json --set /runners/1/workers=4 --timeout 10m\n"
    "  sluice run word_count.json --report json=report.json --progress plain >words.txt";

constexpr auto check_footer =
    "All mistakes are listed in one run, a line each. Nothing is opened or started.\n"
    "\n"
    "Exit status: 0 no mistake; 2 mistakes, or the file cannot be read.\n"
    "\n"
    "Example:\n"
    "  sluice check word_count.json";

constexpr auto graph_footer =
    "Exit status: 0 printed; 2 mistakes in the description.\n"
    "\n"
    "Examples:\n"
    "  sluice graph word_count.json | dot -Tsvg >word_count.svg\n"
    "  sluice graph word_count.json --format mermaid";

constexpr auto stages_footer =
    "Exit status: 0 printed; 2 there is no stage of that name.\n"
    "\n"
    "Examples:\n"
    "  sluice stages\n"
    "  sluice stages text_lines";

constexpr auto schema_footer =
    "Editors that know JSON Schema complete and check descriptions with it.\n"
    "\n"
    "Exit status: 0 printed.\n"
    "\n"
    "Example:\n"
    "  sluice schema >pipeline.schema.json";

constexpr auto completion_footer = "Exit status: 0 printed.\n"
                                   "\n"
                                   "Example, in ~/.bashrc:\n"
                                   "  source <(sluice completion bash)";

std::string version_text()
{
    return std::to_string(SLUICE_VERSION_MAJOR) + "." +
           std::to_string(SLUICE_VERSION_MINOR) + "." +
           std::to_string(SLUICE_VERSION_PATCH);
}

template <class Value>
struct named_value
{
    const char* name;
    Value value;
};

constexpr std::array<named_value<progress_mode>, 5> progress_modes{{
    {"auto", progress_mode::automatic},
    {"bar", progress_mode::bar},
    {"plain", progress_mode::plain},
    {"json", progress_mode::json},
    {"none", progress_mode::none},
}};

constexpr std::array<named_value<graph_format>, 2> graph_formats{{
    {"dot", graph_format::dot},
    {"mermaid", graph_format::mermaid},
}};

template <class Value>
Value choose(
    const char* option,
    const std::string& given,
    std::span<const named_value<Value>> values
)
{
    std::string names;
    for (const auto& [name, value] : values) {
        if (name == given)
            return value;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    throw CLI::ValidationError(
        option,
        "found \"" + given + "\", expected one of " + names
    );
}

pipeline::description_override parse_override(const std::string& argument)
{
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || !argument.starts_with('/'))
        throw CLI::ValidationError(
            "--set",
            "found \"" + argument +
                "\", expected POINTER=VALUE with a JSON pointer, such as "
                "/runners/0/workers=4"
        );
    return {.pointer = argument.substr(0, equals), .value = argument.substr(equals + 1)};
}

report_arguments parse_report(const std::string& argument)
{
    if (argument == "text")
        return {};
    if (argument == "none")
        return {.format = report_format::none, .file = {}};
    if (argument == "json")
        return {.format = report_format::json, .file = {}};
    if (argument.starts_with("json=") && argument.size() > 5)
        return {.format = report_format::json, .file = argument.substr(5)};
    throw CLI::ValidationError(
        "--report",
        "found \"" + argument + "\", expected text, json, json=FILE or none"
    );
}

std::chrono::nanoseconds parse_timeout(const std::string& argument)
{
    if (const auto duration = pipeline::detail::parse_duration(argument))
        return *duration;
    throw CLI::ValidationError(
        "--timeout",
        "found \"" + argument + "\", expected a duration, such as 90s, 250ms or 10m"
    );
}

// The arguments of all commands, and the App that fills them in.
class parser
{
public:
    parser()
    {
        app_.require_subcommand(1);
        app_.set_version_flag("--version", "sluice " + version_text());
        app_.footer(program_footer);
        add_run();
        add_check();
        add_graph();
        add_stages();
        add_schema();
        add_completion();
    }

    command parse(const std::vector<std::string>& arguments)
    {
        if (!arguments.empty() && !arguments[0].starts_with('-'))
            refuse_unknown_command(arguments[0]);
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        try {
            app_.parse(std::move(reversed));
        } catch (const CLI::Success& asked) {  // --help, --version
            std::ostringstream text;
            app_.exit(asked, text, text);
            return printed_text{text.str()};
        } catch (const CLI::ParseError& wrong) {
            throw command_error(
                exit_status::refused,
                std::string("sluice: ") + wrong.what() + "\nTry `" + name_of_command() +
                    " --help`."
            );
        }
        return chosen();
    }

private:
    // CLI11 would say that none was given.
    void refuse_unknown_command(const std::string& name)
    {
        std::vector<std::string> known;
        for (const CLI::App* subcommand : app_.get_subcommands({}))
            known.push_back(subcommand->get_name());
        if (std::ranges::find(known, name) == known.end())
            throw unknown_name("command", name, known, "sluice --help");
    }

    CLI::App* add(const char* name, const char* summary, const char* footer)
    {
        CLI::App* const subcommand = app_.add_subcommand(name, summary);
        subcommand->footer(footer);
        return subcommand;
    }

    static void add_description(CLI::App* to, description_arguments& description)
    {
        to->add_option("FILE", description.file, "the description; - is standard input")
            ->required();
        to->add_option_function<std::vector<std::string>>(
              "--set",
              [&description](const std::vector<std::string>& given) {
                  std::ranges::transform(
                      given,
                      std::back_inserter(description.overrides),
                      parse_override
                  );
              },
              "replace or add a value; may be repeated"
        )
            ->type_name("POINTER=VALUE")
            ->allow_extra_args(false);
    }

    void add_run()
    {
        CLI::App* const run = add("run", "Run a pipeline", run_footer);
        add_description(run, run_.description);
        run->add_option_function<std::string>(
               "--threads",
               [this](const std::string& given) {
                   run_.description.overrides.push_back({"/threads", given});
               },
               "threads of the event loop; short for --set /threads=N"
        )
            ->type_name("N");
        run->add_option_function<std::string>(
               "--timeout",
               [this](const std::string& given) { run_.timeout = parse_timeout(given); },
               "stop after this time, as a failure"
        )
            ->type_name("DURATION");
        add_run_output(run);
    }

    void add_run_output(CLI::App* run)
    {
        run->add_option_function<std::string>(
               "--report",
               [this](const std::string& given) { run_.report = parse_report(given); },
               "the summary at the end: text, json, json=FILE or none"
        )
            ->type_name("FORMAT")
            ->default_str("text");
        run->add_option_function<std::string>(
               "--progress",
               [this](const std::string& given) {
                   run_.progress =
                       choose<progress_mode>("--progress", given, progress_modes);
               },
               "auto, bar, plain, json or none; auto is bar on a terminal, else none"
        )
            ->type_name("MODE")
            ->default_str("auto");
    }

    void add_check()
    {
        CLI::App* const check =
            add("check", "List all mistakes of a description", check_footer);
        add_description(check, check_.description);
    }

    void add_graph()
    {
        CLI::App* const graph = add("graph", "Print a pipeline as a graph", graph_footer);
        add_description(graph, graph_.description);
        graph
            ->add_option_function<std::string>(
                "--format",
                [this](const std::string& given) {
                    graph_.format =
                        choose<graph_format>("--format", given, graph_formats);
                },
                "dot (Graphviz) or mermaid"
            )
            ->type_name("FORMAT")
            ->default_str("dot");
    }

    void add_stages()
    {
        CLI::App* const stages =
            add("stages", "List the stages, or explain one", stages_footer);
        stages->add_option("NAME", stages_.name, "the stage to explain");
        stages->add_flag("--json", stages_.json, "as JSON");
    }

    void add_schema()
    {
        add("schema", "Print the JSON Schema of descriptions", schema_footer);
    }

    void add_completion()
    {
        CLI::App* const completion =
            add("completion", "Print a completion script", completion_footer);
        completion->add_option("SHELL", shell_, "bash")
            ->required()
            ->check(CLI::IsMember({"bash"}).description(""));
    }

    [[nodiscard]] std::string name_of_command() const
    {
        const auto subcommands = app_.get_subcommands();
        return subcommands.empty() ? "sluice" : "sluice " + subcommands[0]->get_name();
    }

    [[nodiscard]] command chosen() const
    {
        if (app_.got_subcommand("run"))
            return run_;
        if (app_.got_subcommand("check"))
            return check_;
        if (app_.got_subcommand("graph"))
            return graph_;
        if (app_.got_subcommand("stages"))
            return stages_;
        if (app_.got_subcommand("schema"))
            return schema_arguments();
        return printed_text{bash_completion(app_)};
    }

    run_arguments run_;
    check_arguments check_;
    graph_arguments graph_;
    stages_arguments stages_;
    std::string shell_;
    CLI::App app_{"Runs pipelines described in JSON.", "sluice"};
};

}  // namespace

command parse_command_line(const std::vector<std::string>& arguments)
{
    return parser().parse(arguments);
}

}  // namespace sluice::cli
