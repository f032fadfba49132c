// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_reader.hpp"

#include "pipeline/words.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

std::vector<std::string> names_of(const std::vector<queue_kind>& kinds)
{
    std::vector<std::string> names;
    for (const queue_kind& kind : kinds)
        names.push_back(kind.name);
    return names;
}

const queue_kind* find_kind(const std::vector<queue_kind>& kinds, const std::string& name)
{
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&name](const queue_kind& each) {
            return each.name == name;
        });
    return found == kinds.end() ? nullptr : &*found;
}

bool has_field(const queue_kind& kind, const std::string& pointer)
{
    const std::vector<option_info>& infos = kind.fields.infos();
    return std::any_of(infos.begin(), infos.end(), [&pointer](const option_info& info) {
        return pointer_step(info.name) == pointer;
    });
}

// Tells which queues have what a queue of this kind has not.
void explain_fields_of_others(
    std::vector<problem>& mistakes,
    const queue_kind& kind,
    const std::vector<queue_kind>& kinds
)
{
    for (problem& mistake : mistakes)
        for (const queue_kind& other : kinds)
            if (!has_field(kind, mistake.pointer) && has_field(other, mistake.pointer))
                mistake.hint = "it is for queues of type " + in_quotes(other.name);
}

std::size_t count_characters(const std::string& utf8)
{
    return static_cast<std::size_t>(std::count_if(
        utf8.begin(),
        utf8.end(),
        [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }
    ));
}

}  // namespace

description_reader::description_reader(
    const stage_registry& stages,
    std::vector<problem>& problems
)
    : stages_(stages),
      runner_fields_(fields_of_runner(stages)),
      queue_kinds_(queue_kinds()),
      problems_(problems)
{
}

pipeline_description description_reader::read(const document_node& root)
{
    const part whole{root, ""};
    pipeline_fields fields = read_fields(whole, fields_of_pipeline());
    description_.name = std::move(fields.name);
    description_.threads = static_cast<std::size_t>(fields.threads);
    read_member(whole, "coordinator", [this](const part& p) { read_coordinator(p); });
    read_member(whole, "queues", [this](const part& p) { read_queues(p); });
    read_member(whole, "runners", [this](const part& p) { read_runners(p); });
    return std::move(description_);
}

void description_reader::read_coordinator(const part& given)
{
    description_.stop_grace_period =
        read_fields(given, fields_of_coordinator()).stop_grace_period;
}

// Queues

void description_reader::read_queues(const part& given)
{
    if (!expect_object(given))
        return;
    const std::size_t count = given.node.members.size();
    if (count > most_queues) {
        add(given,
            {{.found = std::to_string(count) + " queues",
              .expected = "at most " + std::to_string(most_queues)}});
        return;
    }
    for (const document_node& queue : given.node.members) {
        queue_names_.push_back(queue.name);
        description_.queues.push_back(
            read_queue({queue, given.pointer + pointer_step(queue.name)})
        );
    }
}

queue_description description_reader::read_queue(const part& given)
{
    const std::size_t length = count_characters(given.node.name);
    if (length == 0 || length > longest_queue_name)
        add(given,
            {{.found = "the name " + in_quotes(given.node.name),
              .expected = "a name of 1 to " + std::to_string(longest_queue_name) +
                          " characters"}});
    queue_description queue;
    queue.name = given.node.name;
    // A long name would be in the pointer of every problem.
    if (length > longest_queue_name || !expect_object(given))
        return queue;
    if (const queue_kind* const kind = kind_of_queue(given)) {
        queue_fields fields = read_queue_fields(given, *kind);
        queue.type = kind->type;
        queue.capacity = static_cast<std::size_t>(fields.capacity);
        queue.min_after_dequeue = static_cast<std::size_t>(fields.min_after_dequeue);
        if (fields.seed)
            queue.seed = static_cast<std::uint64_t>(*fields.seed);
        queue.by = std::move(fields.by);
    }
    return queue;
}

// For a misspelt type the kind that was meant, so that the rest can be checked.
const queue_kind* description_reader::kind_of_queue(const part& given)
{
    const document_node* const type = given.node.find("type");
    if (type == nullptr)
        return &queue_kinds_.front();
    const std::vector<std::string> names = names_of(queue_kinds_);
    const std::string name = type->value.is_string() ? type->value.get<std::string>()
                                                     : "";
    if (const queue_kind* const kind = find_kind(queue_kinds_, name))
        return kind;
    add(given,
        {{.pointer = "/type",
          .found = in_words(type->value),
          .expected = one_of(names),
          .hint = did_you_mean(name, names)}});
    return find_kind(queue_kinds_, nearest_name(name, names));
}

queue_fields description_reader::read_queue_fields(
    const part& given,
    const queue_kind& kind
)
{
    nlohmann::json json = given.node.outline();
    json.erase("type");  // the kind was found by it
    std::vector<problem> mistakes;
    queue_fields fields = kind.fields.read(json, mistakes);
    explain_fields_of_others(mistakes, kind, queue_kinds_);
    if (mistakes.empty())
        check_queue_fields(given, fields);
    add(given, std::move(mistakes));
    return fields;
}

void description_reader::check_queue_fields(const part& given, const queue_fields& fields)
{
    if (fields.min_after_dequeue > 0 && fields.min_after_dequeue >= fields.capacity)
        add(given,
            {{.pointer = "/min_after_dequeue",
              .found = std::to_string(fields.min_after_dequeue),
              .expected = "less than the capacity, " + std::to_string(fields.capacity)}});
    if (!pointer_steps(fields.by))
        add(given,
            {{.pointer = "/by",
              .found = in_quotes(fields.by),
              .expected = R"(a JSON pointer such as "/size", or "")"}});
}

// Runners

void description_reader::read_runners(const part& given)
{
    const std::size_t count = given.node.members.size();
    if (!given.node.value.is_array() || count == 0) {
        const bool empty = given.node.value.is_array();
        add(given,
            {{.found = empty ? "an empty array" : in_words(given.node.value),
              .expected = "an array of runners"}});
        return;
    }
    if (count > most_runners) {
        add(given,
            {{.found = std::to_string(count) + " runners",
              .expected = "at most " + std::to_string(most_runners)}});
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        description_.runners.push_back(read_runner(
            {given.node.members[i], given.pointer + pointer_step(std::to_string(i))}
        ));
    check_runner_names(given);
}

runner_description description_reader::read_runner(const part& given)
{
    runner_fields fields = read_fields(given, runner_fields_);
    if (fields.from)
        check_reference(given, "from", *fields.from);
    if (fields.to)
        check_reference(given, "to", *fields.to);
    if (fields.from && fields.from == fields.to)
        add(given,
            {{.pointer = "/to",
              .found = in_quotes(*fields.to),
              .expected = R"(another queue than "from")"}});
    runner_description runner{
        .name = fields.name.empty() ? fields.stage : std::move(fields.name),
        .stage = std::move(fields.stage),
        .from = std::move(fields.from).value_or(""),
        .to = std::move(fields.to).value_or(""),
        .workers = static_cast<std::size_t>(fields.workers)
    };
    read_stage(given, runner);
    return runner;
}

// Makes the stage once, because only its constructor knows what is wrong with the options.
void description_reader::read_stage(const part& given, runner_description& runner)
{
    const std::string key = pointer_step("options");
    if (const document_node* const options = given.node.find("options")) {
        if (!expect_object({*options, given.pointer + key}))
            return;
        runner.options = options->to_json();
    }
    const stage_type* const type = stages_.find(runner.stage);
    if (type == nullptr)
        return;
    std::vector<problem> mistakes;
    (void)type->make(runner.options, mistakes);
    for (problem& mistake : mistakes)
        mistake.pointer.insert(0, key);
    add(given, std::move(mistakes));
}

void description_reader::check_reference(
    const part& given,
    const std::string& key,
    const std::string& queue
)
{
    if (std::find(queue_names_.begin(), queue_names_.end(), queue) != queue_names_.end())
        return;
    add(given,
        {{.pointer = pointer_step(key),
          .found = in_quotes(queue),
          .expected = R"(the name of a queue in "queues")",
          .hint = did_you_mean(queue, queue_names_)}});
}

void description_reader::check_runner_names(const part& given)
{
    std::set<std::string> names;
    for (std::size_t i = 0; i < description_.runners.size(); ++i) {
        const std::string& name = description_.runners[i].name;
        if (!name.empty() && !names.insert(name).second)
            add(given,
                {{.pointer = pointer_step(std::to_string(i)) + "/name",
                  .found = "the name " + in_quotes(name) + " a second time",
                  .expected = "runners of different names",
                  .hint = R"(give one of them another "name")"}});
    }
}

// All parts

template <class Fields>
Fields description_reader::read_fields(
    const part& given,
    const stage_options<Fields>& known
)
{
    if (!expect_object(given))
        return Fields();
    std::vector<problem> mistakes;
    Fields fields = known.read(given.node.outline(), mistakes);
    add(given, std::move(mistakes));
    return fields;
}

template <class Read>
void description_reader::read_member(
    const part& given,
    const std::string& name,
    Read read
)
{
    if (const document_node* const member = given.node.find(name))
        read(part{*member, given.pointer + pointer_step(name)});
}

bool description_reader::expect_object(const part& given)
{
    if (given.node.value.is_object())
        return true;
    add(given, {{.found = in_words(given.node.value), .expected = "an object"}});
    return false;
}

// Pointers of the mistakes begin at the part.
void description_reader::add(const part& given, std::vector<problem> mistakes)
{
    for (problem& mistake : mistakes) {
        if (problems_.size() >= most_problems)
            return;
        document_place place = locate(given.node, given.pointer, mistake.pointer);
        mistake.line = place.line;
        mistake.pointer = std::move(place.pointer);
        problems_.push_back(std::move(mistake));
    }
}

}  // namespace sluice::pipeline::detail
