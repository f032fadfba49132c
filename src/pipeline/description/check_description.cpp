// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/check_description.hpp"

#include "pipeline/description/description_fields.hpp"
#include "pipeline/description/part.hpp"
#include "pipeline/stages/stages.hpp"
#include "text/number.hpp"
#include "text/utf8.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace sluice::pipeline::detail {

namespace {

using nlohmann::json;

bool has_field(queue_type type, std::string_view name)
{
    const auto& infos = fields_of_queue(type).infos();
    return std::ranges::count(infos, name, &option_info::name) > 0;
}

std::optional<problem> check_scheme(const std::string& url)
{
    for (const char* const scheme : {"redis://", "rediss://", "unix:"})
        if (url.starts_with(scheme))
            return std::nullopt;
    const auto secret = url.rfind('@');  // it may stand behind a password
    const std::string shown = secret == url.npos ? url : "..." + url.substr(secret);
    return problem{0, "", in_quotes(shown), "an address such as redis://localhost", ""};
}

struct queue_check : part
{
    queue_description& queue;
    const pipeline_description& whole;

    void check(const address_check& addresses)
    {
        if (!read_fields())
            return;
        const bool is_number = queue.capacity >= least_capacity(queue.type) &&
                               queue.capacity <= most_elements;
        const std::string least = std::to_string(queue.min_after_dequeue);
        constexpr auto less = "less than the capacity, {}";
        constexpr auto wait = "wait, because a queue of capacity 0 stores nothing; give "
                              "it a capacity of at least 1";
        if (!is_number && (queue.capacity != unbounded || is_remote()))
            note("/capacity", std::to_string(queue.capacity), "{}", capacities());
        else if (least != "0" && queue.min_after_dequeue >= queue.capacity)
            note("/min_after_dequeue", least, less, queue.capacity);
        else if (queue.capacity == 0 && queue.overflow != overflow::wait)
            note("/overflow", rule(), wait);
        if (!pointer_steps(queue.by))
            note("/by", in_quotes(queue.by), R"(a JSON pointer such as "/size", or "")");
        if (is_remote())
            check_remote(addresses);
    }

private:
    // False if the rest cannot be judged.
    bool read_fields()
    {
        json fields = given != nullptr ? *given : json();
        const json* const type = find("type");
        if (type != nullptr && !read_value(*type, queue.type)) {
            const auto names = names_of<queue_type>();
            const std::string hint = did_you_mean(text_of(*type), names);
            note("/type", in_words(*type), "{}; {}", one_of(names), hint);
            if (!read_value(nearest_name(text_of(*type), names), queue.type))
                return false;
        }
        if (type != nullptr)
            fields["type"] = to_string(queue.type);
        const std::size_t before = problems.size();
        part right_type{at, given != nullptr ? &fields : nullptr, problems};
        if (!right_type.read(fields_of_queue(queue.type), queue))
            return false;
        for (problem& mistake : std::span(problems).subspan(before))
            explain(mistake, mistake.pointer.substr(at.size() + 1));
        if (const json* const capacity = find("capacity"))
            read_capacity(*capacity);
        // A variable that is empty by mistake must not choose the name.
        constexpr auto name =
            R"(a name; without "key" it is that of the pipeline, a dot and its own)";
        const json* const key = find("key");
        if (key && key->is_string() && key->get_ref<const std::string&>().empty() &&
            is_remote())
            note("/key", in_quotes(""), name);
        return true;
    }

    // Tells which queues have what a queue of this type has not.
    void explain(problem& mistake, const std::string& name) const
    {
        if (name == "overflow" && queue.overflow == overflow::drop_oldest)
            mistake.hint =
                R"(queues of type "fifo" and "padding" can drop the oldest element)";
        std::vector<std::string> others;
        for (const std::string& type : names_of<queue_type>())
            if (queue_type other{}; read_value(type, other) && has_field(other, name))
                others.push_back(in_quotes(type));
        constexpr auto hint = "it is for queues of type {}, and this one is {}";
        const std::string own = in_quotes(to_string(queue.type));
        if (!others.empty() && !has_field(queue.type, name))
            mistake.hint = fmt::format(hint, one_of(others), own);
    }

    // A number counts elements, a text bytes.
    void read_capacity(const json& capacity)
    {
        if (read_value(capacity, queue.capacity))
            return;
        const std::string text = is_remote() ? "" : text_of(capacity);
        const auto bytes = text::parse_byte_size(text);
        const char* const hint =
            bytes ? "elements are counted by a number without quotes; bytes need a unit"
            : !capacity.is_string() || is_remote()
                ? ""
                : "the units are B, kB, MB, GB, KiB, MiB and GiB";
        constexpr auto no_memory = R"(no "memory" beside a "capacity" in bytes)";
        if (!bytes || !text.ends_with('B'))
            note("/capacity", in_words(capacity), "{}; {}", capacities(), hint);
        else if (const json* const memory = find("memory"))
            note("/memory", in_words(*memory), no_memory);
        queue.memory.count = bytes.value_or(0);
        queue.capacity = unbounded;
    }

    [[nodiscard]] std::string capacities() const
    {
        const char* const size = is_remote() ? "" : R"(, or a size such as "64 MiB")";
        const std::size_t least = least_capacity(queue.type);
        return fmt::format("a whole number from {} to {}{}", least, most_elements, size);
    }

    void check_remote(const address_check& addresses)
    {
        if (auto wrong = addresses ? addresses(queue.url) : check_scheme(queue.url)) {
            wrong->pointer = "/url";
            add({*wrong});
        }
        const std::string key = key_on_server(queue, whole);
        const bool has_braces = key.find_first_of("{}") != key.npos;
        if (has_braces && queue.key.empty())
            note("", in_quotes(key), R"(a "key", because there are braces in the names)");
        else if (has_braces)
            note("/key", in_quotes(key), "a name without braces");
        constexpr auto another = "another one, because the queue {} has it";
        for (const queue_description& other : std::span(whole.queues.data(), &queue))
            if (other.type == queue.type && other.url == queue.url &&
                key_on_server(other, whole) == key)
                note("/key", in_quotes(key), another, in_quotes(other.name));
        if (queue.overflow != overflow::wait)
            note("/overflow", rule(), "wait");
        const std::string least = std::to_string(queue.min_after_dequeue);
        if (least != "0" && queue.kind != "shuffle")
            note("/min_after_dequeue", least, R"(none, unless "kind" is "shuffle")");
        if (!queue.by.empty() && queue.kind != "priority")
            note("/by", in_quotes(queue.by), R"(none, unless "kind" is "priority")");
        if (queue.lease < std::chrono::milliseconds(100))
            note("/lease", in_quotes(text::duration_text(queue.lease)), "at least 100ms");
        const std::string most = in_quotes(text::duration_text(queue.max_retry_delay));
        const std::string first = text::duration_text(queue.retry_delay);
        constexpr auto at_least =
            R"(a "max_retry_delay" of at least the "retry_delay", {})";
        if (queue.max_retry_delay < queue.retry_delay)
            note("/max_retry_delay", most, at_least, first);
    }

    [[nodiscard]] bool is_remote() const { return queue.type == queue_type::redis; }
    [[nodiscard]] std::string rule() const { return in_words(to_string(queue.overflow)); }
};

struct runner_check : part
{
    runner_description& runner;
    const std::set<std::string>& queues;
    const stage_registry& stages;

    // Adds the stage of the runner, if it can be made.
    void check(const stage_options<runner_description>& fields, made_stages& made)
    {
        const std::size_t before = problems.size();
        if (!read(fields, runner))
            return;
        for (problem& mistake : std::span(problems).subspan(before)) {
            take_option(mistake, fields.infos());
            explain_stage(mistake);
        }
        if (const json* const policy = find("on_error"))
            read_error_policy(*policy);
        if (given != nullptr && runner.to == std::vector<std::string>{""})
            runner.to.clear();  // as an empty "from"
        check_reference("/from", runner.from);
        for (std::size_t i = 0; i < runner.to.size(); ++i)
            check_output("/to" + pointer_step_to_one_of(runner.to.size(), i), i);
        check_errors();
        make_stage(made);
    }

private:
    void explain_stage(problem& mistake) const
    {
        for (const auto& [name, now, with] : former_stages())
            if (mistake.pointer == at + "/stage" && runner.stage == name &&
                stages.find(now) != nullptr) {
                mistake.expected = fmt::format("{}{}", in_quotes(now), with);
                mistake.hint = fmt::format("this is the new name of {}", in_quotes(name));
            }
    }

    // An option that stands beside "stage" is told, and taken as if it stood in "options".
    void take_option(problem& mistake, const std::vector<option_info>& fields)
    {
        const auto is_it = [&](const option_info& info) {
            return mistake.pointer == at + pointer_step(info.name);
        };
        const stage_type* const type = stages.find(runner.stage);
        if (type == nullptr || std::ranges::any_of(fields, is_it))
            return;
        const auto option = std::ranges::find_if(type->options, is_it);
        const json* const value = option != type->options.end() ? find(option->name)
                                                                : nullptr;
        if (value == nullptr)
            return;
        const std::string name = in_quotes(option->name);
        constexpr auto inside = R"(this option of the stage {} inside of "options")";
        constexpr auto write = R"(write "options": {{{}: {}}})";
        mistake.found = name + R"( beside "stage")";
        mistake.expected = fmt::format(inside, in_quotes(runner.stage));
        mistake.hint = fmt::format(write, name, in_json(*value));
        if (runner.options.is_object())
            runner.options.emplace(option->name, *value);
    }

    // "fail", "skip" or {"to": "queue"}
    void read_error_policy(const json& policy)
    {
        constexpr auto expected =
            R"("fail", "skip" or an object with the name of a queue: {"to": "errors"})";
        const bool is_object = policy.is_object() && policy.size() == 1;
        runner.on_error.to = is_object ? text_of(policy.value("to", json())) : "";
        if (!runner.on_error.to.empty())
            runner.on_error.action = error_action::divert;
        else if (policy == "skip")
            runner.on_error.action = error_action::skip;
        else if (policy != "fail")
            note("/on_error", in_words(policy), "{}", expected);
    }

    void check_reference(const std::string& step, const std::string& queue)
    {
        if (queue.empty() || queues.contains(queue))
            return;
        constexpr auto expected = R"(the name of a queue in "queues"; {})";
        const std::vector<std::string> known(queues.begin(), queues.end());
        note(step, in_quotes(queue), expected, did_you_mean(queue, known));
    }

    void check_output(const std::string& step, std::size_t index)
    {
        const std::string queue = in_quotes(runner.to[index]);
        check_reference(step, runner.to[index]);
        if (runner.to[index].empty())
            note(step, queue, R"(the name of a queue in "queues")");
        else if (runner.to[index] == runner.from)
            note(step, queue, R"(another queue than "from")");
        const auto first = std::ranges::find(runner.to, runner.to[index]) -
                           runner.to.begin();
        if (static_cast<std::size_t>(first) != index)
            note(step, queue + " a second time", "each queue once");
    }

    void check_errors()
    {
        const auto& [action, to] = runner.on_error;
        constexpr auto policy =
            R"(a queue "to" which elements go, and none with "fail" and "skip")";
        constexpr auto other = R"(another queue than "from" and "to" of the runner)";
        check_reference("/on_error/to", to);
        if ((action == error_action::divert) == to.empty())
            note("/on_error", to.empty() ? "no queue" : in_quotes(to), policy);
        if (!to.empty() && (to == runner.from || std::ranges::count(runner.to, to) > 0))
            note("/on_error/to", in_quotes(to), other);
    }

    // Only the constructor of a stage knows all that can be wrong with its options.
    void make_stage(made_stages& made)
    {
        const stage_type* const type = stages.find(runner.stage);
        const std::string name = in_quotes(runner.stage);
        if (type == nullptr) {
            note("/stage", name, "the name of a stage");
            return;
        }
        part options{at + "/options", &runner.options, problems};
        std::vector<problem> mistakes;
        auto stage = options.expect(runner.options.is_object(), "an object")
                         ? type->make(runner.options, mistakes)
                         : nullptr;
        if (stage == nullptr && mistakes.empty())
            options.note("", "options", "options that its stage takes");
        options.add(std::move(mistakes));
        if (stage == nullptr)
            return;
        const auto& [action, to] = runner.on_error;
        constexpr auto fail =
            R"("fail", because the stage {} cannot leave out single elements)";
        if (action != error_action::fail && !stage->can_skip())
            note("/on_error", in_quotes(to_string(action)), fail, name);
        constexpr auto unordered = "false, because the stage {} does not make its "
                                   "results of one element after the other; {}";
        const char* const hint = runner.workers > 1 ? "one worker keeps the order" : "";
        if (runner.ordered && !stage->can_keep_order())
            note("/ordered", "true", unordered, name, hint);
        made.push_back(std::move(stage));
    }
};

struct whole_check : part
{
    const document* text;
    pipeline_description& whole;
    const stage_registry& stages;
    const address_check& addresses;
    std::set<std::string> queue_names = {};

    void check(made_stages& made)
    {
        if (!read(fields_of_pipeline(), whole))
            return;
        part coordinator{"/coordinator", find("coordinator"), problems};
        coordinator.read(fields_of_coordinator(), whole);
        part queues{"/queues", find("queues"), problems};
        if (queues.given && queues.expect(queues.given->is_object(), "an object"))
            for (const std::string& name : text->names_in("queues"))
                whole.queues.push_back({.name = name});
        part runners{"/runners", find("runners"), problems};
        constexpr auto array = "an array of runners";
        if (runners.given && runners.expect(runners.given->is_array(), array))
            whole.runners.resize(runners.given->size());
        if (whole.runners.empty())
            note("/runners", "an empty array", array);
        const std::size_t queue_count = whole.queues.size();
        const std::size_t runner_count = whole.runners.size();
        if (queue_count > most_queues)
            queues.note("", counted(queue_count, "queue"), "at most {}", most_queues);
        if (runner_count > most_runners)
            runners.note("", counted(runner_count, "runner"), "at most {}", most_runners);
        if (queue_count > most_queues || runner_count > most_runners)
            return;
        for (queue_description& queue : whole.queues)
            check_queue(queues, queue);
        const auto fields = fields_of_runner(stages);
        for (std::size_t i = 0; i < whole.runners.size(); ++i) {
            const json* const there = runners.given ? &runners.given->at(i) : nullptr;
            const part runner{fmt::format("/runners/{}", i), there, problems};
            runner_check{runner, whole.runners[i], queue_names, stages}.check(
                fields,
                made
            );
        }
        name_runners();
    }

private:
    void check_queue(const part& queues, queue_description& queue)
    {
        const std::string step = "/queues" + pointer_step(queue.name);
        queue_check checked{{step, queues.find(queue.name), problems}, queue, whole};
        const std::string name = "the name " + in_quotes(queue.name);
        constexpr auto length = "a name of 1 to {} characters";
        const std::size_t size = text::count_characters(queue.name);
        if (size == 0 || size > longest_queue_name)
            checked.note("", name, length, longest_queue_name);
        // A long name would be in the pointer of every problem.
        if (size <= longest_queue_name)
            checked.check(addresses);
        if (!queue_names.insert(queue.name).second)
            note_second(step, queue.name, "queues");
    }

    // Those without a name are called as their stage: filter, filter_2, filter_3.
    void name_runners()
    {
        std::set<std::string> names;
        for (std::size_t i = 0; i < whole.runners.size(); ++i)
            if (const std::string& name = whole.runners[i].name;
                !name.empty() && !names.insert(name).second)
                note_second(fmt::format("/runners/{}/name", i), name, "runners");
        for (runner_description& runner : whole.runners)
            for (int number = 1; runner.name.empty() && !runner.stage.empty(); ++number) {
                const auto suffix = number > 1 ? fmt::format("_{}", number) : "";
                if (names.insert(runner.stage + suffix).second)
                    runner.name = runner.stage + suffix;
            }
    }

    void note_second(const std::string& step, const std::string& name, const char* of)
    {
        constexpr auto expected =
            R"({} of different names; give one of them another "name")";
        note(step, "the name " + in_quotes(name) + " a second time", expected, of);
    }
};

}  // namespace

made_stages check_description(
    const document* text,
    pipeline_description& description,
    const stage_registry& stages,
    const address_check& addresses,
    std::vector<problem>& problems
)
{
    std::set<std::string> places;
    for (const problem& mistake : problems)
        places.insert(mistake.pointer);
    std::vector<problem> found;
    made_stages made;
    const json* const values = text != nullptr ? &text->values : nullptr;
    whole_check{{"", values, found}, text, description, stages, addresses}.check(made);
    for (problem& mistake : found)
        if (places.insert(mistake.pointer).second)
            problems.push_back(std::move(mistake));
    if (problems.empty())
        problems = check_graph(description, stages, made);
    return made;
}

}  // namespace sluice::pipeline::detail
