// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "command_line.hpp"

#include "help_texts.hpp"
#include "option_values.hpp"
#include "pipeline/words.hpp"
#include <sluice/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

namespace sluice::cli {

using pipeline::detail::did_you_mean;
using pipeline::detail::in_quotes;

namespace {

// The names of an option's values, in the order of their enumerators. Help shows them.
using value_names = std::vector<std::string>;

const value_names progress_modes{"auto", "bar", "json", "none"};
const value_names queues_actions{"list", "peek", "drain", "requeue", "close", "delete"};

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
    const std::string type = fmt::to_string(fmt::join(known, "|"));
    return add_value(to, name, type, value, [&known](const std::string& given) {
        return static_cast<Value>(parse_choice(given, known));
    });
}

// An option that may be repeated.
CLI::Option* add_each(
    CLI::App* to,
    const char* name,
    const char* type,
    std::function<void(const std::string&)> take
)
{
    return to->add_option(name)->type_name(type)->take_all()->each(std::move(take));
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
        add_description(
            add("graph",
                "Print a pipeline as a graph",
                graph_footer,
                [this] { return graph_; }),
            graph_.description
        );
        add_stages();
        add_queues();
        add("schema", "Print the JSON Schema of descriptions", schema_footer, [] {
            return schema_arguments();
        });
    }

    command parse(const std::vector<std::string>& arguments)
    {
        if (arguments.empty()) {
            const std::string help = app_.help();
            throw command_error(help.substr(0, help.find_last_not_of('\n') + 1));
        }
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
        const char* const of_file = "the description; - is standard input";
        const char* const of_text = "the description itself, and no FILE";
        CLI::Option* const file =
            to->add_option("FILE", description.file, of_file)->type_name("");
        CLI::Option* const text = to->add_option("-e", description.text, of_text)
                                      ->type_name("JSON")
                                      ->excludes(file);
        to->parse_complete_callback([file, text] {
            if (file->empty() && text->empty())
                throw CLI::RequiredError("FILE or -e");
        });
        add_each(to, "--param", "NAME=VALUE", [&description](const std::string& given) {
            auto [name, value] = parse_parameter(given);
            description.parameters[name] = value;
        })->description("what ${NAME} stands for; may be repeated");
        add_each(to, "--set", "POINTER=VALUE", [&description](const std::string& given) {
            description.overrides.push_back(parse_override(given));
        })->description("replace or add a value; may be repeated");
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
        add_value(run, "--report", "text|json|json=FILE|none", run_.report, parse_report)
            ->description("the summary at the end; text by default");
        add_value(run, "--metrics", "FILE", run_.metrics_file, parse_name)
            ->description("a file with metrics for Prometheus, kept current");
        add_value(run, "--trace", "FILE", run_.trace_file, parse_name)
            ->description("a file for Perfetto: what each worker did when");
        add_value(run, "--summaries", "DIR", run_.summary_directory, parse_name)
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
        const auto allow = [this](const std::string& given) {
            serve_.allowed_hosts.push_back(parse_host_name(given));
        };
        add_each(run, "--allow-host", "NAME", allow)
            ->needs(serve)
            ->description("a name by which the page may be asked for; may be repeated");
        run->add_flag("--control", serve_.has_control)
            ->needs(serve)
            ->description("let the page drain and stop the pipeline");
        add_value(run, "--linger", "DURATION", serve_.linger, parse_linger)
            ->needs(serve)
            ->description("keep the page after the end, or `forever`: until Ctrl-C");
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
        const char* const of_url =
            "the server, such as redis://localhost or unix:/run/redis.sock";
        queues->add_option("URL", queues_.url, of_url)->type_name("")->required();
        add_choice(queues, "ACTION", queues_actions, queues_.action)
            ->description("what to do; list by default");
        queues->add_option("QUEUE", queues_.queues, "which of them, by their names")
            ->type_name("");
        queues
            ->add_flag("--json", queues_.json, "as JSON; of peek and drain a line each");
        queues->add_flag("--dead", queues_.dead_letters)
            ->description("peek at or drain the dead letters of the queue, and only these"
            );
        add_value(queues, "--count", "N", queues_.count, parse_count)
            ->description("how many; peek: 10 by default, requeue: all");
        queues->add_flag("--force", queues_.force)
            ->description("delete also with elements, and do not mind if it is not there"
            );
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
        if (queues_.queues.empty() && !is(queues_action::list))
            throw CLI::RequiredError("QUEUE");
        return queues_;
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
