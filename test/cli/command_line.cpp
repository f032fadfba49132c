// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "cli/command_line.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace cli = sluice::cli;
using namespace std::chrono_literals;

namespace command_line {

std::string refusal_of(const std::vector<std::string>& arguments)
{
    try {
        (void)cli::parse_command_line(arguments);
    } catch (const cli::command_error& error) {
        return error.what();
    }
    return "accepted";
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace command_line

BOOST_AUTO_TEST_SUITE(command_line)

BOOST_AUTO_TEST_CASE(run_without_options_has_the_documented_defaults)
{
    const auto line = cli::parse_command_line({"run", "words.json"});
    BOOST_TEST(line.description.file == "words.json");
    BOOST_TEST(line.description.overrides.empty());
    BOOST_TEST(!line.run.timeout.has_value());
    BOOST_TEST(line.run.progress == "auto");
    BOOST_TEST(line.run.report == "text");
    BOOST_TEST(line.run.report_file.empty());
}

BOOST_AUTO_TEST_CASE(parameters_are_names_and_values)
{
    const auto line = cli::parse_command_line(
        {"run", "x", "--param", "A=1", "--param", "B=x=y", "--param", "A="}
    );
    const std::map<std::string, std::string> expected = {{"A", ""}, {"B", "x=y"}};
    BOOST_TEST((line.description.parameters == expected));
}

BOOST_AUTO_TEST_CASE(overrides_keep_their_order_and_their_equal_signs)
{
    const auto line = cli::parse_command_line(
        {"run", "--set", "/a=1", "--set", "/b=x=y", "words.json", "--threads", "3"}
    );
    BOOST_TEST(line.description.file == "words.json");
    BOOST_REQUIRE(line.description.overrides.size() == 3U);
    BOOST_TEST(line.description.overrides[0].pointer == "/a");
    BOOST_TEST(line.description.overrides[0].value == "1");
    BOOST_TEST(line.description.overrides[1].pointer == "/b");
    BOOST_TEST(line.description.overrides[1].value == "x=y");
    BOOST_TEST(line.description.overrides[2].pointer == "/threads");
    BOOST_TEST(line.description.overrides[2].value == "3");
}

BOOST_AUTO_TEST_CASE(an_array_as_value_stays_one_text)
{
    const auto line = cli::parse_command_line(
        {"run", "-", "--set", "/queues/a=[1, \"x,y\"]"}
    );
    BOOST_TEST(line.description.file == "-");
    BOOST_REQUIRE(line.description.overrides.size() == 1U);
    BOOST_TEST(line.description.overrides[0].value == "[1, \"x,y\"]");
}

BOOST_AUTO_TEST_CASE(serve_takes_a_port_and_maybe_an_address)
{
    struct
    {
        const char* given;
        const char* address;
        unsigned short port;
    } const cases[] = {
        {"8080", "127.0.0.1", 8080},
        {"0", "127.0.0.1", 0},
        {"0.0.0.0:80", "0.0.0.0", 80},
        {"localhost:80", "localhost", 80},
        {"[::1]:80", "::1", 80}
    };
    for (const auto& each : cases) {
        const auto line = cli::parse_command_line({"run", "x", "--serve", each.given});
        BOOST_REQUIRE(line.run.serve.port.has_value());
        BOOST_TEST(line.run.serve.address == each.address);
        BOOST_TEST(*line.run.serve.port == each.port);
        BOOST_TEST(!line.run.serve.has_control);
        BOOST_TEST(!line.run.serve.linger.has_value());
    }
    for (const char* given :
         {"",
          "http",
          "65536",
          "-1",
          ":80",
          "localhost:",
          "80 ",
          "*:80",
          "256.1.1.1:80",
          "host.example:80",
          "[::1:80",
          "1:2:80"})
        BOOST_TEST(contains(
            refusal_of({"run", "x", "--serve", given}),
            "expected [ADDRESS:]PORT with a port up to 65535"
        ));
}

BOOST_AUTO_TEST_CASE(allowed_hosts_are_names_and_need_a_page)
{
    const auto line = cli::parse_command_line(
        {"run", "x", "--serve", "0", "--allow-host", "a_b", "--allow-host", "c.example"}
    );
    const std::vector<std::string> expected{"a_b", "c.example"};
    BOOST_TEST(
        line.run.serve.allowed_hosts == expected,
        boost::test_tools::per_element()
    );
    BOOST_TEST(contains(refusal_of({"run", "x", "--allow-host", "a"}), "--serve"));
    for (const char* wrong : {"a:80", "http://a", "", "a b", "*"})
        BOOST_TEST(contains(
            refusal_of({"run", "x", "--serve", "0", "--allow-host", wrong}),
            "the name of a host, without a port"
        ));
}

BOOST_AUTO_TEST_CASE(control_and_linger_need_a_page)
{
    const auto line = cli::parse_command_line(
        {"run", "x", "--serve", "0", "--control", "--linger", "10s"}
    );
    BOOST_TEST(line.run.serve.has_control);
    BOOST_TEST((line.run.serve.linger == 10s));
    const auto forever = cli::parse_command_line(
        {"run", "x", "--serve", "0", "--linger", "forever"}
    );
    BOOST_TEST((forever.run.serve.linger == std::chrono::nanoseconds::max()));
    BOOST_TEST(contains(refusal_of({"run", "x", "--linger", "10s"}), "--serve"));
    BOOST_TEST(contains(refusal_of({"run", "x", "--control"}), "--serve"));
    BOOST_TEST(
        contains(refusal_of({"run", "x", "--serve", "0", "--linger", "x"}), "\"x\"")
    );
}

BOOST_AUTO_TEST_CASE(timeout_takes_a_duration_with_its_unit)
{
    const auto line = cli::parse_command_line({"run", "x", "--timeout", "250ms"});
    BOOST_TEST((line.run.timeout == 250ms));
    BOOST_TEST(contains(refusal_of({"run", "x", "--timeout", "soon"}), "\"soon\""));
    BOOST_TEST(contains(refusal_of({"run", "x", "--timeout", "5"}), "expected a duration")
    );
}

BOOST_AUTO_TEST_CASE(runners_are_names_with_commas_before_or_behind_the_file)
{
    const std::vector<std::string> expected{"read", "split"};
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"run", "--runners", "read,split", "x"},
          {"run", "x", "--runners", "read,split"}}) {
        const auto line = cli::parse_command_line(arguments);
        BOOST_TEST(line.run.runners == expected, boost::test_tools::per_element());
        BOOST_TEST(line.description.file == "x");
    }
}

BOOST_AUTO_TEST_CASE(report_names_a_format_and_perhaps_a_file)
{
    const auto run_of = [](const std::string& argument) {
        return cli::parse_command_line({"run", "x", "--report", argument}).run;
    };
    BOOST_TEST(run_of("text").report == "text");
    BOOST_TEST(run_of("none").report == "none");
    BOOST_TEST(run_of("json").report == "json");
    BOOST_TEST(run_of("json").report_file.empty());
    BOOST_TEST(run_of("json=out.json").report == "json");
    BOOST_TEST(run_of("json=out.json").report_file == "out.json");
    BOOST_TEST(contains(refusal_of({"run", "x", "--report", "json="}), "json=FILE"));
    BOOST_TEST(contains(refusal_of({"run", "x", "--report", "xml"}), "\"xml\""));
}

BOOST_AUTO_TEST_CASE(progress_takes_one_of_its_modes)
{
    const auto mode_of = [](const std::string& argument) {
        return cli::parse_command_line({"run", "x", "--progress", argument}).run.progress;
    };
    BOOST_TEST(mode_of("auto") == "auto");
    BOOST_TEST(mode_of("bar") == "bar");
    BOOST_TEST(mode_of("json") == "json");
    BOOST_TEST(mode_of("none") == "none");
    BOOST_TEST(contains(
        refusal_of({"run", "x", "--progress", "bars"}),
        "found \"bars\", expected auto, bar, json or none"
    ));
}

BOOST_AUTO_TEST_CASE(the_other_commands_take_their_arguments)
{
    for (const std::string command : {"check", "graph"}) {
        const auto line = cli::parse_command_line({command, "x"});
        BOOST_TEST(line.command == command);
        BOOST_TEST(line.description.file == "x");
    }
    BOOST_TEST(cli::parse_command_line({"stages"}).stage.empty());
    const auto line = cli::parse_command_line({"stages", "count"});
    BOOST_TEST(line.command == "stages");
    BOOST_TEST(line.stage == "count");
    BOOST_TEST(cli::parse_command_line({"schema"}).command == "schema");
}

BOOST_AUTO_TEST_CASE(queues_takes_an_address_an_action_and_names)
{
    const auto queues_of = [](std::vector<std::string> rest) {
        rest.insert(rest.begin(), {"queues", "redis://a"});
        return cli::parse_command_line(rest).queues;
    };
    const auto list = queues_of({"--json"});
    BOOST_TEST(list.url == "redis://a");
    BOOST_TEST(list.action == "list");
    BOOST_TEST(list.queues.empty());
    BOOST_TEST(list.json);
    const auto remove = queues_of({"delete", "--force", "b", "c"});
    BOOST_TEST(remove.action == "delete");
    BOOST_TEST((remove.queues == std::vector<std::string>{"b", "c"}));
    BOOST_TEST(remove.force);
    const auto peek = queues_of({"peek", "--dead", "--count", "3", "b"});
    BOOST_TEST(peek.action == "peek");
    BOOST_TEST(peek.dead_letters);
    BOOST_TEST(peek.count.value() == 3U);
    const auto requeue = queues_of({"requeue", "b"});
    BOOST_TEST(requeue.action == "requeue");
    BOOST_TEST(!requeue.count.has_value());
}

BOOST_AUTO_TEST_CASE(queues_refuses_what_does_not_belong_to_the_action)
{
    const auto refusal = [](std::vector<std::string> rest) {
        rest.insert(rest.begin(), {"queues", "redis://a"});
        return refusal_of(rest);
    };
    BOOST_TEST(contains(refusal({"lst"}), "list, peek, drain, requeue, close or delete"));
    for (const std::string action : {"peek", "drain", "requeue", "close", "delete"})
        BOOST_TEST(contains(refusal({action}), "QUEUE is required"));
    BOOST_TEST(
        contains(refusal({"close", "b", "--json"}), "--json requires list, peek or drain")
    );
    BOOST_TEST(contains(refusal({"list", "--dead"}), "--dead requires peek or drain"));
    BOOST_TEST(contains(
        refusal({"drain", "b", "--count", "2"}),
        "--count requires peek or requeue"
    ));
    BOOST_TEST(contains(refusal({"peek", "b", "--count", "0"}), "range 1 to"));
    BOOST_TEST(contains(refusal({"drain", "b", "--force"}), "--force requires delete"));
    BOOST_TEST(contains(refusal_of({"queues"}), "URL is required"));
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_with_a_way_on)
{
    BOOST_TEST(contains(refusal_of({"--nonsense"}), "`sluice --help` lists all"));
    BOOST_TEST(contains(refusal_of({"walk"}), "`sluice --help` lists all"));
    BOOST_TEST(contains(refusal_of({"rnu"}), "did you mean \"run\"?"));
    BOOST_TEST(contains(refusal_of({"run"}), "FILE is required"));
    BOOST_TEST(contains(refusal_of({"run", "x", "--param", "a"}), "NAME=VALUE"));
    BOOST_TEST(contains(refusal_of({"run", "x", "--param", "=a"}), "NAME=VALUE"));
    BOOST_TEST(contains(refusal_of({"run"}), "Try `sluice run --help`"));
    BOOST_TEST(contains(refusal_of({"run", ""}), "FILE: found \"\", expected a name"));
    BOOST_TEST(contains(refusal_of({"run", "x", "--set", "/a"}), "POINTER=VALUE"));
    BOOST_TEST(contains(refusal_of({"run", "x", "y"}), "y"));
}

BOOST_AUTO_TEST_CASE(an_unknown_option_is_named_alone_with_the_nearest_one)
{
    const std::string misspelt =
        "sluice: there is no option \"--tiemout\"; did you mean \"--timeout\"?";
    BOOST_TEST(refusal_of({"run", "x", "--tiemout", "3s"}) == misspelt);
    BOOST_TEST(refusal_of({"run", "x", "--tiemout=3s"}) == misspelt);
    BOOST_TEST(refusal_of({"run", "--tiemout"}) == misspelt);
    for (const std::string name : {"--json", "-e", "---"})
        BOOST_TEST(
            refusal_of({"stages", "count", name + "=1"}) ==
            "sluice: there is no option \"" + name +
                "\"; `sluice stages --help` lists all"
        );
    BOOST_TEST(contains(refusal_of({"run", "x", "-"}), "not expected: -\n"));
    // An option of a command stands behind its name.
    BOOST_TEST(
        refusal_of({"--timeout", "3s", "run", "x"}) ==
        "sluice: there is no option \"--timeout\"; `sluice --help` lists all"
    );
}

BOOST_AUTO_TEST_CASE(help_explains_options_exit_status_and_examples)
{
    for (const std::string command :
         {"run", "check", "graph", "stages", "queues", "schema"})
        BOOST_TEST_CONTEXT(command)
        {
            const auto help = cli::parse_command_line({command, "--help"}).answer;
            BOOST_TEST(contains(help, "sluice " + command));
            BOOST_TEST(contains(help, "Exit status"));
        }
    const auto run = cli::parse_command_line({"run", "--help"}).answer;
    for (const std::string option :
         {"--set", "--threads", "--timeout", "--report", "--progress", "130", "FILE"})
        BOOST_TEST(contains(run, option));
    const auto all = cli::parse_command_line({"--help"}).answer;
    for (const std::string command : {"run", "check", "graph", "stages", "130"})
        BOOST_TEST(contains(all, command));
}

BOOST_AUTO_TEST_CASE(version_is_that_of_the_library)
{
    const auto version = cli::parse_command_line({"--version"}).answer;
    BOOST_TEST(version.starts_with("sluice 0."));
    BOOST_TEST(version.ends_with("\n"));
}

BOOST_AUTO_TEST_CASE(plain_program_is_refused_with_its_help)
{
    const std::string help = refusal_of({});
    BOOST_TEST(contains(help, "Usage: sluice"));
    BOOST_TEST(contains(help, "Run a pipeline"));
}

BOOST_AUTO_TEST_SUITE_END()
