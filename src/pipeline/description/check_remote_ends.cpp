// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/check_remote_ends.hpp"

#include "pipeline/description/description_fields.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

constexpr const char* taken_is_allowed =
    R"(with "acknowledge": "taken" it is allowed, and what it has taken is lost if its process dies)";

bool is_remote(const pipeline_description& description, const std::string& queue)
{
    return std::ranges::any_of(description.queues, [&queue](const auto& each) {
        return each.name == queue && each.type == queue_type::redis;
    });
}

std::string pointer_of(std::size_t runner)
{
    return fmt::format("/runners/{}", runner);
}

void check_outputs(
    const pipeline_description& description,
    std::size_t index,
    std::vector<problem>& problems
)
{
    const std::vector<std::string>& to = description.runners[index].to;
    for (std::size_t i = 0; i < to.size(); ++i)
        if (!is_remote(description, to[i]))
            problems.push_back(
                {.pointer = pointer_of(index) + "/to" +
                            pointer_step_to_one_of(to.size(), i),
                 .found = in_quotes(to[i]) + ", a queue of this process",
                 .expected = "a queue of type redis, because what is taken from " +
                             in_quotes(description.runners[index].from) +
                             " is acknowledged when its results are safe",
                 .hint = taken_is_allowed}
            );
}

// A stage that recognises elements which come again does so for all that come out of the queue.
void check_keys(
    const runner_description& runner,
    std::size_t index,
    bool is_from_server,
    std::vector<problem>& problems
)
{
    constexpr const char* why = "because the stage recognises what is delivered again";
    const auto note = [&](const char* member, std::string found, const char* expected) {
        problems.push_back(
            {.pointer = pointer_of(index) + member,
             .found = std::move(found),
             .expected = fmt::format("{}, {}", expected, why),
             .hint = R"("exactly_once" in "options" asks for it)"}
        );
    };
    if (!is_from_server)
        note("/from", in_quotes(runner.from), "a queue of type redis");
    else if (runner.acknowledge != acknowledgement::written)
        note(
            "/acknowledge",
            in_quotes(to_string(runner.acknowledge)),
            R"("acknowledge": "written")"
        );
    else if (runner.copies != 1)
        note("/copies", fmt::to_string(runner.copies), "one process");
}

void check_runner(
    const pipeline_description& description,
    std::size_t index,
    const stage& work,
    std::vector<problem>& problems
)
{
    const runner_description& runner = description.runners[index];
    const bool takes_written = runner.acknowledge == acknowledgement::written;
    const bool is_from_server = is_remote(description, runner.from);
    if (work.needs_keys())
        check_keys(runner, index, is_from_server, problems);
    if (!is_from_server) {
        if (!takes_written)
            problems.push_back(
                {.pointer = pointer_of(index) + "/acknowledge",
                 .found = in_quotes(to_string(runner.acknowledge)),
                 .expected =
                     R"(no "acknowledge", because it takes from no queue of type redis)"}
            );
        return;
    }
    if (!takes_written)
        return;
    if (!work.can_acknowledge())
        problems.push_back(
            {.pointer = pointer_of(index) + "/stage",
             .found = in_quotes(runner.stage) +
                      ", which keeps what it takes until its end",
             .expected = "a stage that is done with an element before it takes the next, "
                         "because " +
                         in_quotes(runner.from) + " is of type redis",
             .hint = taken_is_allowed}
        );
    if (runner.ordered)
        problems.push_back(
            {.pointer = pointer_of(index) + "/ordered",
             .found = "true",
             .expected =
                 "false, because elements of a queue of type redis may come again, "
                 "out of their order"}
        );
    check_outputs(description, index, problems);
}

// The runners at one end of a queue that are among those that run here, and those that are not.
struct partition
{
    std::vector<std::string> here;
    std::vector<std::string> elsewhere;

    void add(const std::string& runner, const std::vector<std::string>& selected)
    {
        const bool is_here = std::ranges::count(selected, runner) > 0;
        (is_here ? here : elsewhere).push_back(in_quotes(runner));
    }
};

std::optional<problem> check_scheme(const std::string& url)
{
    for (const char* const scheme : {"redis://", "rediss://", "unix:"})
        if (url.starts_with(scheme))
            return std::nullopt;
    const auto secret = url.rfind('@');  // it may stand behind a password
    const std::string shown = secret == std::string::npos ? url
                                                          : "..." + url.substr(secret);
    return problem{
        .found = in_quotes(shown),
        .expected = "an address such as redis://localhost"
    };
}

}  // namespace

bool uses_queue(const runner_description& runner, const std::string& queue)
{
    return runner.from == queue || runner.on_error.to == queue ||
           std::ranges::count(runner.to, queue) > 0;
}

std::string key_on_server(
    const queue_description& queue,
    const pipeline_description& whole
)
{
    return queue.key.empty() ? fmt::format("{}.{}", whole.name, queue.name) : queue.key;
}

std::vector<problem> check_remote_queue(
    const queue_description& queue,
    const pipeline_description& whole,
    const address_check& addresses
)
{
    std::vector<problem> problems;
    const auto note =
        [&problems](std::string at, std::string found, std::string expected) {
            problems.push_back(
                {.pointer = std::move(at),
                 .found = std::move(found),
                 .expected = std::move(expected)}
            );
        };
    if (auto wrong = addresses ? addresses(queue.url) : check_scheme(queue.url)) {
        wrong->pointer = "/url";
        problems.push_back(std::move(*wrong));
    }
    const std::string key = key_on_server(queue, whole);
    if (key.find_first_of("{}") != std::string::npos)
        note(
            queue.key.empty() ? "" : "/key",
            in_quotes(key),
            queue.key.empty() ? R"(a "key", because there are braces in the names)"
                              : "a name without braces"
        );
    for (const queue_description& other : whole.queues) {
        if (&other == &queue)
            break;
        if (other.type == queue_type::redis && other.url == queue.url &&
            key_on_server(other, whole) == key)
            note(
                "/key",
                in_quotes(key),
                "another one, because the queue " + in_quotes(other.name) + " has it"
            );
    }
    if (queue.min_after_dequeue > 0 && queue.kind != "shuffle")
        note(
            "/min_after_dequeue",
            fmt::to_string(queue.min_after_dequeue),
            R"(none, unless "kind" is "shuffle")"
        );
    if (!queue.by.empty() && queue.kind != "priority")
        note("/by", in_quotes(queue.by), R"(none, unless "kind" is "priority")");
    if (queue.lease < std::chrono::milliseconds(100))
        note("/lease", in_quotes(to_text(queue.lease)), "at least 100ms");
    if (queue.max_retry_delay < queue.retry_delay)
        note(
            "/max_retry_delay",
            in_quotes(to_text(queue.max_retry_delay)),
            R"(a "max_retry_delay" of at least the "retry_delay", )" +
                to_text(queue.retry_delay)
        );
    return problems;
}

std::vector<problem> check_remote_ends(
    const pipeline_description& description,
    const std::vector<std::unique_ptr<stage>>& stages
)
{
    std::vector<problem> problems;
    for (std::size_t i = 0; i < description.runners.size(); ++i)
        check_runner(description, i, *stages[i], problems);
    return problems;
}

std::vector<problem> check_selection(
    const pipeline_description& description,
    const std::vector<std::string>& runners
)
{
    std::vector<problem> problems;
    std::vector<std::string> known;
    for (const runner_description& each : description.runners)
        known.push_back(each.name);
    for (const std::string& name : runners)
        if (std::ranges::count(known, name) == 0)
            problems.push_back(
                {.pointer = "/runners",
                 .found = "no runner of the name " + in_quotes(name),
                 .expected = one_of(known),
                 .hint = did_you_mean(name, known)}
            );
    for (const queue_description& queue : description.queues) {
        if (queue.type == queue_type::redis)
            continue;
        partition users;
        for (const runner_description& each : description.runners)
            if (uses_queue(each, queue.name))
                users.add(each.name, runners);
        if (!users.here.empty() && !users.elsewhere.empty())
            problems.push_back(
                {.pointer = "/queues" + pointer_step(queue.name),
                 .found = fmt::format(
                     "a queue of this process that {} cannot reach from another one",
                     fmt::join(users.elsewhere, ", ")
                 ),
                 .expected = fmt::format(
                     R"("type": "redis", or all of its runners together with {})",
                     fmt::join(users.here, ", ")
                 )}
            );
    }
    return problems;
}

}  // namespace sluice::pipeline::detail
