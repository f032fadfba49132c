// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/option_checks.hpp"
#include "pipeline/process/line_filter.hpp"
#include "pipeline/stages/element_content.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/asio/this_coro.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

struct command_options : line_options
{
    nlohmann::json command;
    bool each = false;
    bool may_end_early = false;
    byte_size longest_record = {64 * 1024 * 1024};
    std::chrono::nanoseconds kill_after = std::chrono::seconds(2);
};

// The program and its arguments; one string is left to the shell.
std::vector<std::string> to_arguments(const nlohmann::json& command)
{
    const auto is_text = [](const nlohmann::json& each) { return each.is_string(); };
    std::vector<std::string> arguments;
    if (command.is_string())
        arguments = {"/bin/sh", "-c", command.get<std::string>()};
    else if (command.is_array() && std::ranges::all_of(command, is_text))
        arguments = command.get<std::vector<std::string>>();
    const bool is_given = !arguments.empty() && !arguments.front().empty() &&
                          (!command.is_string() || !arguments.back().empty());
    if (!is_given)
        throw option_error(
            "command",
            detail::in_json(command),
            "an array of a program and its arguments, or a string for the shell"
        );
    for (const std::string& each : arguments)
        expect_no_nul("command", each);
    return arguments;
}

std::string to_name(const nlohmann::json& command)
{
    if (command.is_string())
        return command.get<std::string>();
    return fmt::format("{}", fmt::join(command.get<std::vector<std::string>>(), " "));
}

// The children of all workers, for an end that waits for none of them.
class children
{
public:
    class entry
    {
    public:
        entry(children& all, const child_process& child) : all_(all), child_(child)
        {
            const std::lock_guard lock(all_.mutex_);
            all_.running_.push_back(&child_);
        }

        entry(const entry&) = delete;
        entry& operator=(const entry&) = delete;

        ~entry()
        {
            const std::lock_guard lock(all_.mutex_);
            std::erase(all_.running_, &child_);
        }

    private:
        children& all_;
        const child_process& child_;
    };

    void kill() noexcept
    {
        const std::lock_guard lock(mutex_);
        for (const child_process* child : running_)
            child->send_signal(SIGKILL);
    }

private:
    std::mutex mutex_;
    std::vector<const child_process*> running_;  // guarded by mutex_
};

class command final : public stage
{
public:
    explicit command(const command_options& options)
        : arguments_(to_arguments(options.command)),
          name_(to_name(options.command)),
          rules_{
              .lines = text_rules(options),
              .left = options.may_end_early ? left_input::is_dropped
                                            : left_input::is_error,
              .longest_record = options.longest_record.count
          },
          each_(options.each),
          kill_after_(options.kill_after)
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        if (!each_ || !context.has_input()) {
            co_await run(context, {});
            co_return;
        }
        while (true) {
            std::vector<element> one = co_await context.read(1);
            if (one.empty())
                co_return;
            co_await run_for(std::move(one.front()), context);
        }
    }

    [[nodiscard]] bool can_skip() const noexcept override { return each_; }

    [[nodiscard]] bool can_keep_order() const noexcept override { return each_; }

    void abandon() noexcept override { children_.kill(); }

private:
    // One run of the command, whose input is that element, or the elements of that array.
    asio::awaitable<void> run_for(element&& given, stage_context& context)
    {
        element kept = context.on_error() == error_action::divert ? given : element();
        auto input = items_of(given);
        if (!input)
            input.emplace().push_back(std::move(given));
        std::string reason;
        try {
            co_await run(context, std::move(input));
            co_return;
        } catch (const command_failed& failure) {
            if (context.on_error() == error_action::fail)
                throw;
            reason = failure.what();
        } catch (const refused_line& refused) {
            if (context.on_error() == error_action::fail)
                throw;
            reason = refused.what();
        }
        co_await context.skip(std::move(kept), std::move(reason));
    }

    // Its input is `only`, or else all that the worker takes.
    asio::awaitable<void> run(
        stage_context& context,
        std::optional<std::vector<element>> only
    )
    {
        auto child = co_await context.blocking([this] {
            return std::make_unique<child_process>(arguments_);
        });
        const child_process& driven = *child;
        // Reading for the child and writing what it gives go on at the same time, but not on
        // two threads: every worker runs on a strand.
        const auto strand = co_await asio::this_coro::executor;
        line_filter
            filter(strand, std::move(child), context, std::move(only), name_, rules_);
        const children::entry known(children_, driven);
        std::exception_ptr failure;
        try {
            if (context.has_input())
                co_await filter.run();
            else
                co_await filter.run_as_source(kill_after_);
        } catch (...) {
            failure = std::current_exception();
        }
        if (!failure)
            co_return;
        // It may have been cancelled, and would then be thrown out of its next co_await.
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_await filter.terminate(kill_after_);
        std::rethrow_exception(failure);
    }

    const std::vector<std::string> arguments_;
    const std::string name_;  // in messages
    const filter_rules rules_;
    const bool each_;
    const std::chrono::nanoseconds kill_after_;
    children children_;
};

constexpr const char* command_details =
    R"(Each worker starts the command once, and writes what it takes to its standard input, a line
each. It gives the lines of its standard output, and without "to" they are printed. Workers run at
the same time, so the order of lines is kept only with one of them, or with "each" and "ordered" of
the runner.

"command" is a program and its arguments, or a string for the shell, /bin/sh. A shell ends with the
status of its last program. What fails before the last | is hidden, and a part of a result looks
like all of it. The option pipefail of bash makes it an error, as in the last example. The stage
reads until each program that has its output or error output open has ended, also one in the
background. The command has no terminal: there is no /dev/tty, and Ctrl-Z stops sluice alone.

Without "from" it is a source: the command has no input. When sources should end it gets
SIGTERM, and how it ends then is no error. A last line without its end is then left out,
because it may have been cut.

With "each" the command is started for each element. An array, as batch gives it, is a line for
each of its elements. To give it in one line, make a text of it, by the program "tojson" of jq. If
the command fails, that is an error of this element, which "on_error" of the runner can leave out.
What it has written before has been given on.

It is an error if the command ends with another status than 0 or by a signal. The message has
the last lines of its error output. So it is if it ends without having read all of its input,
unless "may_end_early" is true: then the rest is dropped. Programs that write into a pipe
often give their lines late; some have an option against that, such as grep --line-buffered.
On a stop it gets SIGTERM, and SIGKILL if it has not ended after "kill_after". So does what it
has started, but for what has left its process group, as by setsid. If this program is itself
ended by SIGKILL, the command sees the end of its input. One that does not read goes on.

A text with a newline would be several lines to the command; it is an error unless "newlines"
says what to do with it. A program such as xargs takes each line for an argument, and one that
begins with - perhaps for an option: put -- before them.

    { "stage": "command", "from": "files", "to": "sums", "workers": 2,
      "options": { "command": ["xargs", "-n", "16", "-d", "\n", "sha256sum", "--"] } }
    { "stage": "command", "from": "lines",
      "options": { "command": ["sort", "-o", "sorted.txt"] } }
    { "stage": "command", "to": "lines",
      "options": { "command": ["tail", "-F", "access.log"] } }
    { "stage": "command", "to": "lines",
      "options": { "command": ["bash", "-o", "pipefail", "-c", "gzip -dc in.gz | sort"] } })";

}  // namespace

void add_command(stage_registry& stages)
{
    using options = command_options;
    stage_options<options> described;
    described
        .required("command", &options::command, "a program and its arguments, or a line")
        .optional("each", &options::each, "whether it is started for each element")
        .optional(
            "may_end_early",
            &options::may_end_early,
            "whether the command may leave input unread"
        )
        .optional(
            "longest_record",
            &options::longest_record,
            "the most bytes of a line that it writes; a longer one is an error"
        )
        .optional(
            "kill_after",
            &options::kill_after,
            "how long a stop waits for the command's own end"
        );
    stages.add<command>(
        {.name = "command",
         .summary = "sends lines through a program or to one, or takes them from one",
         .takes = element_kind::any,
         .gives = element_kind::text,
         .details = command_details,
         .output_is_optional = true,
         .input_is_optional = true},
        add_line_options(described)
    );
}

}  // namespace sluice::pipeline
