// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/description_reader.hpp"

#include "pipeline/description/description_fields.hpp"
#include "pipeline/description/named_values.hpp"
#include "pipeline/words.hpp"
#include "text/byte_size.hpp"
#include "text/utf8.hpp"
#include <sluice/queue/queue_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline::detail {

namespace {

bool has_field(queue_type type, const std::string& pointer)
{
    const std::vector<option_info>& infos = fields_of_queue(type).infos();
    return std::ranges::any_of(infos, [&pointer](const option_info& info) {
        return pointer_step(info.name) == pointer;
    });
}

// Tells which queues have what a queue of this type has not.
void explain_fields_of_others(std::vector<problem>& mistakes, queue_type type)
{
    for (problem& mistake : mistakes) {
        if (has_field(type, mistake.pointer))
            continue;
        std::vector<std::string> others;
        for (const queue_type other : queue_types)
            if (has_field(other, mistake.pointer))
                others.push_back(in_quotes(to_string(other)));
        if (!others.empty())
            mistake.hint = fmt::format(
                "it is for queues of type {}, and this one is {}",
                one_of(others),
                in_quotes(to_string(type))
            );
    }
}

class description_reader
{
public:
    description_reader(const stage_registry& stages, std::vector<problem>& problems)
        : runner_fields_(fields_of_runner(stages)), problems_(problems)
    {
    }

    pipeline_description read(const document_node& root)
    {
        pipeline_description values;
        read_fields(root, "", fields_of_pipeline(), values);
        if (const document_node* const node = root.find("coordinator"))
            read_fields(*node, "/coordinator", fields_of_coordinator(), values);
        if (const document_node* const node = root.find("queues"))
            values.queues = read_queues(*node);
        if (const document_node* const node = root.find("runners"))
            values.runners = read_runners(*node);
        return values;
    }

private:
    std::vector<queue_description> read_queues(const document_node& node)
    {
        std::vector<queue_description> queues;
        if (expect_object(node, "/queues"))
            for (const document_node& queue : node.members)
                queues.push_back(read_queue(queue));
        return queues;
    }

    queue_description read_queue(const document_node& node)
    {
        queue_description queue{.name = node.name};
        // A long name would be in the pointer of every problem.
        if (text::count_characters(node.name) > longest_queue_name)
            return queue;
        const std::string pointer = "/queues" + pointer_step(node.name);
        if (!expect_object(node, pointer))
            return queue;
        if (const auto type = read_queue_type(node, pointer)) {
            queue.type = *type;
            std::vector<problem> mistakes;
            fields_of_queue(*type).read(without_type(node), queue, mistakes);
            explain_fields_of_others(mistakes, *type);
            add(pointer, std::move(mistakes));
            if (const document_node* const key = node.find("key"))
                if (*type == queue_type::redis && key->value == "")
                    note_empty_key(pointer + "/key");
            if (const document_node* const capacity = node.find("capacity"))
                read_capacity(*capacity, pointer, node.find("memory"), queue);
            // Which type of queue has which rule is checked wherever the description comes from.
            if (const document_node* const rule = node.find("overflow"))
                read_named(
                    *rule,
                    pointer + "/overflow",
                    overflow_rules,
                    names_of_overflow(queue.type),
                    queue.overflow
                );
        }
        return queue;
    }

    // A variable that is empty by mistake must not choose the name.
    void note_empty_key(std::string pointer)
    {
        problems_.push_back(
            {.pointer = std::move(pointer),
             .found = in_quotes(""),
             .expected = "a name",
             .hint = R"(without "key" it is that of the pipeline, a dot and its own)"}
        );
    }

    // A number counts elements, a text bytes.
    void read_capacity(
        const document_node& node,
        const std::string& queue_pointer,
        const document_node* memory,
        queue_description& queue
    )
    {
        if (node.value.is_string() && has_capacity_in_bytes(queue.type)) {
            const auto& text = node.value.get_ref<const std::string&>();
            if (const auto bytes = text::parse_byte_size(text); bytes && has_unit(text)) {
                queue.capacity = unbounded;
                queue.memory.count = *bytes;
                if (memory != nullptr)
                    problems_.push_back(
                        {.pointer = queue_pointer + "/memory",
                         .found = in_words(memory->value),
                         .expected = R"(no "memory" beside a "capacity" in bytes)"}
                    );
                return;
            }
        } else if (is_number_of_elements(node, queue)) {
            return;
        }
        problems_.push_back(
            {.pointer = queue_pointer + "/capacity",
             .found = in_words(node.value),
             .expected = capacities_in_words(queue.type),
             .hint = has_capacity_in_bytes(queue.type) ? hint_for_capacity(node.value)
                                                       : ""}
        );
    }

    // Its limits are checked wherever the description comes from.
    static bool is_number_of_elements(const document_node& node, queue_description& queue)
    {
        return node.members.empty() && !node.value.is_structured() &&
               read_value(node.value, queue.capacity);
    }

    static bool has_unit(const std::string& size) { return size.ends_with('B'); }

    static std::string hint_for_capacity(const nlohmann::json& given)
    {
        if (!given.is_string())
            return {};
        if (text::parse_byte_size(given.get_ref<const std::string&>()))
            return "elements are counted by a number without quotes; bytes need a unit";
        return "the units are B, kB, MB, GB, KiB, MiB and GiB";
    }

    static nlohmann::json without_type(const document_node& queue)
    {
        nlohmann::json fields = queue.to_json(1);
        fields.erase("type");
        return fields;
    }

    // For a misspelt type the one that was meant, so that the rest can be judged.
    std::optional<queue_type> read_queue_type(
        const document_node& queue,
        const std::string& pointer
    )
    {
        const document_node* const type = queue.find("type");
        if (type == nullptr)
            return queue_types[0];
        const auto name = type->value.is_string() ? type->value.get<std::string>() : "";
        if (const auto known = value_named(queue_types, name))
            return known;
        const auto names = names_of(queue_types);
        add_unknown_name(*type, pointer + "/type", names);
        return value_named(queue_types, nearest_name(name, names));
    }

    std::vector<runner_description> read_runners(const document_node& node)
    {
        std::vector<runner_description> runners;
        if (!expect(node.value.is_array(), "an array of runners", node, "/runners"))
            return runners;
        for (const document_node& given : node.members) {
            const std::string pointer = fmt::format("/runners/{}", runners.size());
            runner_description& runner = runners.emplace_back();
            read_fields(given, pointer, runner_fields_, runner);
            if (runner.to == std::vector<std::string>{""})
                runner.to.clear();  // as an empty "from"
            if (const document_node* const options = given.find("options"))
                runner.options = options->to_json();
            if (const document_node* const on_error = given.find("on_error"))
                runner.on_error = read_error_policy(*on_error, pointer + "/on_error");
            if (const document_node* const when = given.find("acknowledge"))
                read_named(
                    *when,
                    pointer + "/acknowledge",
                    acknowledgements,
                    names_of(acknowledgements),
                    runner.acknowledge
                );
        }
        return runners;
    }

    // One of the values by its name; those to which a problem points are offered. What is no
    // text has been told with the fields.
    template <class Value, std::size_t Count>
    void read_named(
        const document_node& node,
        const std::string& pointer,
        const Value (&values)[Count],
        const std::vector<std::string>& offered,
        Value& value
    )
    {
        if (!node.value.is_string())
            return;
        const auto known = value_named(values, node.value.get_ref<const std::string&>());
        if (known)
            value = *known;
        else
            add_unknown_name(node, pointer, offered);
    }

    void add_unknown_name(
        const document_node& node,
        const std::string& pointer,
        const std::vector<std::string>& offered
    )
    {
        const auto name = node.value.is_string() ? node.value.get<std::string>() : "";
        problems_.push_back(
            {.pointer = pointer,
             .found = in_words(node.value),
             .expected = one_of(offered),
             .hint = did_you_mean(name, offered)}
        );
    }

    // "fail", "skip" or {"to": "queue"}
    error_policy read_error_policy(const document_node& node, const std::string& pointer)
    {
        if (node.value == to_string(error_action::fail))
            return {};
        if (node.value == to_string(error_action::skip))
            return {.action = error_action::skip};
        const char* const key = to_string(error_action::divert);
        const document_node* const to = node.find(key);
        const bool is_right = to != nullptr && node.members.size() == 1 &&
                              to->value.is_string() && to->value != "";
        expect(
            is_right,
            R"("fail", "skip" or an object with the name of a queue: {"to": "errors"})",
            node,
            pointer
        );
        if (!is_right)
            return {};
        return {.action = error_action::divert, .to = to->value.get<std::string>()};
    }

    template <class Values>
    void read_fields(
        const document_node& node,
        const std::string& pointer,
        const stage_options<Values>& fields,
        Values& values
    )
    {
        if (!expect_object(node, pointer))
            return;
        std::vector<problem> mistakes;
        constexpr std::size_t depth = 2;  // a value may be an array of names
        fields.read(node.to_json(depth), values, mistakes);
        add(pointer, std::move(mistakes));
    }

    bool expect_object(const document_node& node, const std::string& pointer)
    {
        return expect(node.value.is_object(), "an object", node, pointer);
    }

    bool expect(
        bool is_right,
        const char* expected,
        const document_node& node,
        const std::string& pointer
    )
    {
        if (!is_right)
            problems_.push_back(
                {.pointer = pointer, .found = in_words(node.value), .expected = expected}
            );
        return is_right;
    }

    void add(const std::string& pointer, std::vector<problem> mistakes)
    {
        for (problem& mistake : mistakes) {
            mistake.pointer.insert(0, pointer);
            problems_.push_back(std::move(mistake));
        }
    }

    const stage_options<runner_description> runner_fields_;
    std::vector<problem>& problems_;
};

}  // namespace

pipeline_description read_values(
    const document_node& document,
    const stage_registry& stages,
    std::vector<problem>& problems
)
{
    return description_reader(stages, problems).read(document);
}

}  // namespace sluice::pipeline::detail
