// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"
#include "pipeline/stage_fixture.hpp"
#include "pipeline/temporary_folder.hpp"
#include "support/check_error.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice::test {

struct command_fixture : stage_fixture
{
    // No test may leave a child behind, not even a dead one.
    ~command_fixture()
    {
        const pid_t left = ::waitpid(-1, nullptr, WNOHANG);
        BOOST_TEST((left == -1 && errno == ECHILD), "a child was left");
    }

    // The lines that a command makes of lines.
    texts filter(const json& command, const texts& input)
    {
        return lines_of("command", {{"command", command}}, input);
    }

    // What a source gives that is asked to end when it has given something.
    texts given_until_asked_to_end(const json& options)
    {
        const auto tested = make("command", options);
        fake_stage_context context(ctx);
        context.with_input = false;
        context.stop_after_writes = 1;
        run_until_done(run_stage(*tested, context));
        return to_texts(std::move(context.output));
    }

    std::string error(const json& command, const texts& input = {})
    {
        return error_of("command", {{"command", command}}, to_elements(input));
    }
};

// A worker that can be cancelled, as a stop does it.
struct cancellable_worker
{
    cancellable_worker(
        io_fixture& fixture,
        pipeline::stage& tested,
        fake_stage_context& context
    )
    {
        asio::co_spawn(
            fixture.ctx,
            tested.work(context),
            asio::bind_cancellation_slot(
                signal.slot(),
                [this](std::exception_ptr error) { end = error; }
            )
        );
    }

    void cancel() { signal.emit(asio::cancellation_type::all); }

    asio::cancellation_signal signal;
    std::optional<std::exception_ptr> end;
};

BOOST_FIXTURE_TEST_SUITE(command, command_fixture)

// As a sink

BOOST_AUTO_TEST_CASE(sink_writes_elements_to_the_command_and_prints_what_that_writes)
{
    temporary_folder folder;
    const json command = {"tee", folder.path("out")};
    const auto tested = make("command", {{"command", command}});
    fake_stage_context context(ctx, to_elements({"b", "a"}));
    context.with_output = false;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(folder.read("out") == "b\na\n");
    BOOST_TEST(context.printed.text() == "b\na\n");
    BOOST_TEST(context.writes == 0u);
}

BOOST_AUTO_TEST_CASE(sink_whose_command_fails_is_an_error)
{
    const auto tested = make("command", {{"command", "cat > /dev/null; exit 3"}});
    fake_stage_context context(ctx, to_elements({"a"}));
    context.with_output = false;
    BOOST_CHECK_THROW(run_until_done(run_stage(*tested, context)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(sink_prints_once_for_each_element_if_that_is_asked_for)
{
    const auto tested = make("command", {{"command", "sort -r"}, {"each", true}});
    fake_stage_context context(ctx, {element(json{"a", "b"})});
    context.with_output = false;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(context.printed.text() == "b\na\n");
}

// As a source

BOOST_AUTO_TEST_CASE(command_without_input_is_a_source)
{
    const auto tested = make("command", {{"command", "cat; echo one; echo two"}});
    fake_stage_context context(ctx);
    context.with_input = false;
    run_until_done(run_stage(*tested, context));
    BOOST_TEST(to_texts(std::move(context.output)) == (texts{"one", "two"}));
    BOOST_TEST(context.reads == 0U);
}

BOOST_AUTO_TEST_CASE(source_that_fails_is_an_error)
{
    const auto tested = make("command", {{"command", "echo one; exit 3"}});
    fake_stage_context context(ctx);
    context.with_input = false;
    BOOST_CHECK_THROW(run_until_done(run_stage(*tested, context)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(source_is_ended_when_sources_should_end)
{
    BOOST_TEST(
        given_until_asked_to_end({{"command", "echo one; exec sleep 1000000"}}) ==
        (texts{"one"})
    );
}

BOOST_AUTO_TEST_CASE(source_that_ignores_the_request_to_end_is_killed)
{
    const json options = {
        {"command", "trap '' TERM; echo one; while :; do sleep 1000000; done"},
        {"kill_after", "1ms"}
    };
    BOOST_TEST(given_until_asked_to_end(options) == (texts{"one"}));
}

BOOST_AUTO_TEST_CASE(failure_of_a_source_that_had_ended_before_is_an_error)
{
    temporary_folder folder;
    BOOST_REQUIRE(::mkfifo(folder.path("held").c_str(), 0600) == 0);
    const std::string held = folder.path("held");
    const std::string child = "(cat " + held + "; echo one; exec sleep 1000000)";
    const std::string command = child + " & exec 3> " + held + "; exit 7";
    const auto tested = make("command", {{"command", command}});
    fake_stage_context context(ctx);
    context.with_input = false;
    context.before_write = [] {
        // the shell has closed the pipe, and so is about to be gone
        siginfo_t found{};
        ::waitid(P_ALL, 0, &found, WEXITED | WNOWAIT);
    };
    context.stop_after_writes = 1;
    BOOST_CHECK_THROW(run_until_done(run_stage(*tested, context)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(source_is_ended_although_only_what_it_has_started_goes_on)
{
    temporary_folder folder;
    BOOST_REQUIRE(::mkfifo(folder.path("held").c_str(), 0600) == 0);
    const std::string held = folder.path("held");
    const std::string child = "(cat " + held + "; echo one; exec sleep 1000000)";
    // The child reads the end of the pipe when the shell, which holds it, has gone.
    BOOST_TEST(
        given_until_asked_to_end({{"command", child + " & exec 3> " + held}}) ==
        (texts{"one"})
    );
}

BOOST_AUTO_TEST_CASE(end_of_a_source_leaves_time_to_what_it_has_started)
{
    const std::string child =
        R"((trap 'sleep 0.1; echo last; exit' TERM; echo one; while :; do sleep 0.01; done))";
    const json options = {
        {"command", "trap 'exit 0' TERM; " + child + " & wait"},
        {"kill_after", "1h"}
    };
    BOOST_TEST(given_until_asked_to_end(options) == (texts{"one", "last"}));
}

BOOST_AUTO_TEST_CASE(stop_while_a_source_is_asked_to_end_leaves_it_its_time)
{
    temporary_folder folder;
    BOOST_REQUIRE(::mkfifo(folder.path("go").c_str(), 0600) == 0);
    const std::string on_term = "trap 'echo asked; read x < " + folder.path("go") +
                                "; echo yes > " + folder.path("ended") + "; exit' TERM; ";
    const auto tested = make(
        "command",
        {{"command", on_term + "echo one; while :; do sleep 0.01; done"},
         {"kill_after", "1h"}}
    );
    fake_stage_context context(ctx);
    context.with_input = false;
    context.stop_after_writes = 1;
    cancellable_worker worker(*this, *tested, context);
    run_until([&] { return context.output.size() == 2; });
    worker.cancel();
    ctx.poll();
    const io::unique_descriptor go(::open(folder.path("go").c_str(), O_RDWR));
    BOOST_TEST(::write(go.get(), "\n", 1) == 1);
    run_until([&] { return worker.end.has_value(); });
    BOOST_TEST(folder.read("ended") == "yes\n");
}

// A process for each element

BOOST_AUTO_TEST_CASE(each_element_has_a_process_of_its_own)
{
    const json options = {{"command", {"wc", "-l"}}, {"each", true}};
    std::vector<element> input = to_elements({"a", "b"});
    input.emplace_back(json{{"a", 1}});
    const auto result = result_of("command", options, std::move(input));
    BOOST_TEST(to_texts(result) == (texts{"1", "1", "1"}));
}

BOOST_AUTO_TEST_CASE(elements_of_an_array_are_lines_for_its_process)
{
    const json options = {{"command", "cat; echo end"}, {"each", true}};
    std::vector<element> input;
    input.emplace_back(json{"a", 1, {"b", "c"}});
    input.emplace_back(json::array());
    const auto result = result_of("command", options, std::move(input));
    BOOST_TEST(to_texts(result) == (texts{"a", "1", R"(["b","c"])", "end", "end"}));
}

BOOST_AUTO_TEST_CASE(process_of_an_element_that_fails_is_an_error)
{
    const json options = {{"command", "grep x"}, {"each", true}};
    const auto error = error_of("command", options, to_elements({"x", "y"}));
    BOOST_TEST(holds(error, "ended with status 1"), error);
}

BOOST_AUTO_TEST_CASE(element_whose_process_fails_can_be_left_out)
{
    const json options = {{"command", "grep x"}, {"each", true}};
    const auto skipped = skipped_by("command", options, to_elements({"x", "y", "xx"}));
    BOOST_TEST_REQUIRE(skipped.size() == 1U);
    BOOST_TEST(skipped.front().starts_with("y: the command \"grep x\" ended with"));
    BOOST_TEST(!make("command", {{"command", "cat"}})->can_skip());
}

BOOST_AUTO_TEST_CASE(element_that_is_no_line_can_be_left_out)
{
    const json options = {{"command", "cat"}, {"each", true}};
    const auto skipped = skipped_by("command", options, to_elements({"a\nb", "c"}));
    BOOST_TEST_REQUIRE(skipped.size() == 1U);
    BOOST_TEST(holds(skipped.front(), "holds a newline"), skipped.front());
}

// Lines in, lines out

BOOST_AUTO_TEST_CASE(newline_in_a_text_makes_no_second_line_for_the_command)
{
    const json options{{"command", {"sed", "s/^/got /"}}};
    const auto message = error_of("command", options, to_elements({"a\nb"}));
    const std::string expected =
        "the command \"sed s/^/got /\" cannot be given an element: "
        "the text \"a\\nb\" holds a newline";
    BOOST_TEST(message.starts_with(expected), message);
    json escaping = options;
    escaping["newlines"] = "escape";
    BOOST_TEST(lines_of("command", escaping, {"a\nb"}) == texts{"got a\\nb"});
}

BOOST_AUTO_TEST_CASE(lines_go_through_the_command)
{
    BOOST_TEST(
        filter({"tr", "a-z", "A-Z"}, {"one", "", "two"}) == (texts{"ONE", "", "TWO"})
    );
}

BOOST_AUTO_TEST_CASE(string_is_left_to_the_shell)
{
    BOOST_TEST(
        filter("grep o | sort -r", {"one", "six", "two"}) == (texts{"two", "one"})
    );
}

BOOST_AUTO_TEST_CASE(arguments_are_not_left_to_the_shell)
{
    BOOST_TEST(filter({"sed", "s/$/ $HOME;*/"}, {"x"}) == (texts{"x $HOME;*"}));
}

BOOST_AUTO_TEST_CASE(empty_input_is_an_empty_standard_input)
{
    BOOST_TEST(filter({"wc", "-l"}, {}) == (texts{"0"}));
}

BOOST_AUTO_TEST_CASE(last_line_without_newline_counts)
{
    BOOST_TEST(filter({"printf", "a\\nb"}, {}) == (texts{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(line_beyond_the_longest_record_is_an_error)
{
    const json endless{
        {"command", "tr '\\0' x < /dev/zero"},
        {"longest_record", "100 kB"}
    };
    const auto message = error_of("command", endless);
    BOOST_TEST(
        holds(
            message,
            "writes a line of more than 100000 B, which \"longest_record\" can raise"
        ),
        message
    );
    const json within{
        {"command", "head -c 90000 /dev/zero"},
        {"longest_record", "100 kB"}
    };
    BOOST_TEST(lines_of("command", within).front().size() == 90'000U);
    const json complete{{"command", "echo 12345; echo 123456"}, {"longest_record", 5}};
    BOOST_TEST(holds(error_of("command", complete), "a line of more than 5 B"));
    const auto tested = make("command", complete);
    fake_stage_context context(ctx);
    context.with_input = false;
    BOOST_CHECK_THROW(run_until_done(run_stage(*tested, context)), std::runtime_error);
    BOOST_TEST(to_texts(std::move(context.output)) == texts{"12345"});
}

BOOST_AUTO_TEST_CASE(values_are_written_as_json)
{
    const auto result =
        result_of("command", {{"command", {"cat"}}}, {element(json{{"n", 1}})});
    BOOST_TEST(to_texts(result) == (texts{"{\"n\":1}"}));
}

BOOST_AUTO_TEST_CASE(much_more_than_pipes_hold_goes_through)
{
    // Neither side may wait for the other to be done.
    const texts input(20'000, std::string(100, 'x'));
    BOOST_TEST((filter({"cat"}, input) == input));
}

BOOST_AUTO_TEST_CASE(line_longer_than_a_pipe_goes_through)
{
    const std::string huge(1'000'000, 'x');
    BOOST_TEST((filter({"cat"}, {huge, "end"}) == texts{huge, "end"}));
}

BOOST_AUTO_TEST_CASE(output_is_given_on_while_the_input_is_open)
{
    const auto tested = make("command", {{"command", {"cat"}}});
    fake_stage_context context(ctx, to_elements({"first"}));
    context.keeps_open = true;
    const auto worker = spawn([&] { return tested->work(context); });
    run_until([&] { return context.output.size() == 1; });
    context.add_input(element("second"));
    run_until([&] { return context.output.size() == 2; });
    context.end_input();
    run_until_done(worker);
    BOOST_TEST(to_texts(context.output) == (texts{"first", "second"}));
}

BOOST_AUTO_TEST_CASE(each_worker_has_a_child_and_closes_its_input)
{
    // A child that had inherited the pipe of the other would keep it from seeing its end.
    const auto tested = make("command", {{"command", {"cat"}}});
    fake_stage_context first(ctx, to_elements({"1"}));
    fake_stage_context second(ctx, to_elements({"2"}));
    second.keeps_open = true;
    const auto b = spawn([&] { return tested->work(second); });
    const auto a = spawn([&] { return tested->work(first); });
    run_until([&] { return second.output.size() == 1; });
    run_until_done(a);
    BOOST_TEST(to_texts(first.output) == (texts{"1"}));
    second.end_input();
    run_until_done(b);
}

// Failing children

BOOST_AUTO_TEST_CASE(status_other_than_0_is_an_error_with_the_last_lines)
{
    BOOST_TEST(
        error("cat >&2; exit 3", {"why", "because"}) ==
        "the command \"cat >&2; exit 3\" ended with status 3; the end of its error "
        "output:\n"
        "    why\n    because"
    );
}

BOOST_AUTO_TEST_CASE(end_by_a_signal_is_an_error_with_its_name)
{
    BOOST_TEST(
        error("kill -KILL $$") ==
        "the command \"kill -KILL $$\" was ended by signal 9 (Killed)"
    );
}

BOOST_AUTO_TEST_CASE(failure_is_reported_while_the_input_is_open)
{
    const auto tested = make("command", {{"command", "exit 1"}});
    fake_stage_context context(ctx);
    context.keeps_open = true;
    const auto worker = spawn([&] { return tested->work(context); });
    BOOST_CHECK_EXCEPTION(run_until_done(worker), std::runtime_error, [](const auto& e) {
        return holds(e.what(), "ended with status 1");
    });
}

BOOST_AUTO_TEST_CASE(much_error_output_neither_blocks_nor_is_kept)
{
    const auto message = error("seq 200000 >&2; exit 1");
    BOOST_TEST(holds(message, "\n    199991\n"), message);
    BOOST_TEST(message.ends_with("\n    200000"));
    BOOST_TEST(message.size() < 300u);
}

BOOST_AUTO_TEST_CASE(error_output_of_a_success_is_no_error)
{
    BOOST_TEST(filter("cat; echo done >&2", {"x"}) == (texts{"x"}));
}

BOOST_AUTO_TEST_CASE(unknown_program_is_an_error_with_its_name)
{
    BOOST_TEST(
        error({"no-such-program-7"}) ==
        "cannot start the command \"no-such-program-7\": No such file or directory"
    );
}

// Children that end early

BOOST_AUTO_TEST_CASE(little_input_left_unread_is_an_error)
{
    const auto message = error({"true"}, {"one line"});
    BOOST_TEST(holds(message, "\"true\" ended before it had read its input"), message);
}

BOOST_AUTO_TEST_CASE(much_input_left_unread_is_an_error)
{
    const auto message = error({"true"}, texts(20'000, std::string(100, 'x')));
    BOOST_TEST(holds(message, "ended before it had read its input"), message);
}

BOOST_AUTO_TEST_CASE(failure_counts_more_than_input_left)
{
    const auto message = error({"false"}, texts(20'000, std::string(100, 'x')));
    BOOST_TEST(holds(message, "ended with status 1"), message);
}

BOOST_AUTO_TEST_CASE(input_left_is_dropped_if_that_is_allowed)
{
    const texts input(20'000, "x");
    const auto tested =
        make("command", {{"command", {"head", "-n", "2"}}, {"may_end_early", true}});
    fake_stage_context context(ctx, to_elements(input));
    run_until_done(tested->work(context));
    BOOST_TEST(to_texts(context.output) == (texts{"x", "x"}));
    BOOST_TEST(context.input.empty());
}

BOOST_AUTO_TEST_CASE(child_that_closes_its_input_and_goes_on_is_awaited)
{
    BOOST_TEST(filter("cat; exec <&-; echo end", {"x"}) == (texts{"x", "end"}));
}

// Stops

BOOST_AUTO_TEST_CASE(cancelled_worker_ends_a_child_that_waits)
{
    const auto tested = make("command", {{"command", {"cat"}}});
    fake_stage_context context(ctx, to_elements({"x"}));
    context.keeps_open = true;
    cancellable_worker worker(*this, *tested, context);
    run_until([&] { return context.output.size() == 1; });
    worker.cancel();
    run_until([&] { return worker.end.has_value(); });
    check_error(*worker.end, asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(cancelled_worker_asks_the_child_to_end_before_it_is_killed)
{
    temporary_folder folder;
    const std::string told = folder.path("told");
    const auto tested = make(
        "command",
        {{"command",
          "trap 'echo yes > " + told +
              "; exit' TERM; echo ready; tail -f /dev/null & wait"},
         {"kill_after", "1h"}}
    );
    fake_stage_context context(ctx);
    context.keeps_open = true;
    cancellable_worker worker(*this, *tested, context);
    run_until([&] { return context.output.size() == 1; });
    worker.cancel();
    run_until([&] { return worker.end.has_value(); });
    BOOST_TEST(folder.read("told") == "yes\n");
}

BOOST_AUTO_TEST_CASE(cancelled_worker_kills_a_child_that_ignores_the_signal)
{
    const auto tested = make(
        "command",
        {{"command", "trap '' TERM; echo ready; exec tail -f /dev/null"},
         {"kill_after", "1ms"}}
    );
    fake_stage_context context(ctx);
    context.keeps_open = true;
    cancellable_worker worker(*this, *tested, context);
    run_until([&] { return context.output.size() == 1; });
    worker.cancel();
    run_until([&] { return worker.end.has_value(); });
    check_error(*worker.end, asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(cancelled_worker_ends_what_the_child_has_started)
{
    temporary_folder folder;
    BOOST_REQUIRE(::mkfifo(folder.path("held").c_str(), 0600) == 0);
    const auto tested = make(
        "command",
        {{"command", "tail -f /dev/null > " + folder.path("held") + " & echo ready; wait"}
        }
    );
    fake_stage_context context(ctx);
    context.keeps_open = true;
    cancellable_worker worker(*this, *tested, context);
    run_until([&] { return context.output.size() == 1; });
    const int reader = ::open(folder.path("held").c_str(), O_RDONLY);  // waits for tail
    worker.cancel();
    run_until([&] { return worker.end.has_value(); });
    char byte = 0;
    BOOST_TEST(::read(reader, &byte, 1) == 0);  // the end: tail has gone
    ::close(reader);
}

BOOST_AUTO_TEST_CASE(worker_that_is_destroyed_kills_its_child)
{
    const auto tested =
        make("command", {{"command", "echo ready; exec tail -f /dev/null"}});
    // More than the pipe holds, so that the worker waits for nothing but the child.
    fake_stage_context context(ctx, to_elements({std::string(1'000'000, 'x')}));
    asio::io_context other;
    asio::co_spawn(other, tested->work(context), asio::detached);
    while (context.output.empty())
        other.run_one();
    context.end_blocking();  // before the io_context to which it has posted
}

BOOST_AUTO_TEST_CASE(error_of_the_context_ends_the_child)
{
    const auto tested = make("command", {{"command", {"cat"}}});
    fake_stage_context context(ctx, to_elements({"x"}));
    context.keeps_open = true;
    context.fails_to_write = true;
    const auto worker = spawn([&] { return tested->work(context); });
    BOOST_CHECK_THROW(run_until_done(worker), fake_stage_context::write_failed);
}

// Options

BOOST_AUTO_TEST_CASE(what_is_no_command_is_a_problem)
{
    for (const json& each :
         {json(""), json::array(), json(1), json{"cat", 1}, json{""}, json{1, "\xff"}}) {
        BOOST_TEST_CONTEXT(each.type_name())
        BOOST_TEST(problem_of("command", {{"command", each}}) == "/command");
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
