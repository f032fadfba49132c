// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/description/check_description.hpp"

#include "pipeline/description/check_remote_ends.hpp"
#include "pipeline/description/description_fields.hpp"
#include "pipeline/description/document.hpp"
#include "pipeline/description/file_conflicts.hpp"
#include "pipeline/words.hpp"
#include "text/utf8.hpp"
#include <sluice/pipeline/check_structure.hpp>
#include <sluice/queue/queue_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

class description_check
{
public:
    description_check(
        pipeline_description& description,
        const stage_registry& stages,
        const address_check& addresses,
        std::vector<problem>& problems
    )
        : description_(description),
          registry_(stages),
          runner_fields_(fields_of_runner(stages)),
          addresses_(addresses),
          problems_(problems)
    {
        for (const queue_description& queue : description.queues)
            queue_names_.push_back(queue.name);
    }

    std::vector<std::unique_ptr<stage>> run()
    {
        if (is_noted(""))
            return {};  // it is no object
        check_fields("", fields_of_pipeline(), description_);
        if (has_at_most(most_queues, "queues", description_.queues.size()) &&
            has_at_most(most_runners, "runners", description_.runners.size())) {
            check_queues();
            check_runners();
        }
        if (problems_.empty())
            problems_ = check_structure(description_, registry_);
        if (problems_.empty())
            problems_ = check_remote_ends(description_, made_);
        if (problems_.empty())
            problems_ = find_file_conflicts(description_, made_);
        return std::move(made_);
    }

private:
    bool has_at_most(std::size_t most, const char* what, std::size_t count)
    {
        if (count > most)
            note(
                fmt::format("/{}", what),
                fmt::format("{} {}", count, what),
                fmt::format("at most {}", most)
            );
        return count <= most;
    }

    // Queues

    void check_queues()
    {
        std::set<std::string> names;
        for (const queue_description& queue : description_.queues) {
            const std::string pointer = "/queues" + pointer_step(queue.name);
            if (!names.insert(queue.name).second)
                note_second(pointer, queue.name, "queues");
            check_queue(pointer, queue);
        }
    }

    void check_queue(const std::string& pointer, const queue_description& queue)
    {
        const std::size_t length = text::count_characters(queue.name);
        if (length == 0 || length > longest_queue_name)
            note(
                pointer,
                "the name " + in_quotes(queue.name),
                fmt::format("a name of 1 to {} characters", longest_queue_name)
            );
        check_fields(pointer, fields_of_queue(queue.type), queue);
        const bool is_capacity = queue.capacity >= least_capacity(queue.type) &&
                                 queue.capacity <= most_elements;
        const bool is_in_bytes = queue.capacity == unbounded &&
                                 has_capacity_in_bytes(queue.type);
        if (!is_capacity && !is_in_bytes)
            note(
                pointer + "/capacity",
                fmt::to_string(queue.capacity),
                capacities_in_words(queue.type)
            );
        if (queue.min_after_dequeue > 0 && queue.min_after_dequeue >= queue.capacity &&
            !is_noted(pointer + "/capacity"))
            note(
                pointer + "/min_after_dequeue",
                fmt::to_string(queue.min_after_dequeue),
                fmt::format("less than the capacity, {}", queue.capacity)
            );
        if (!pointer_steps(queue.by))
            note(
                pointer + "/by",
                in_quotes(queue.by),
                R"(a JSON pointer such as "/size", or "")"
            );
        check_overflow(pointer, queue);
        if (queue.type == queue_type::redis)
            note(pointer, check_remote_queue(queue, description_, addresses_));
    }

    void check_overflow(const std::string& pointer, const queue_description& queue)
    {
        const std::string rule = in_quotes(to_string(queue.overflow));
        if (!has_overflow(queue.type, queue.overflow))
            note(
                pointer + "/overflow",
                rule,
                one_of(names_of_overflow(queue.type)),
                R"(queues of type "fifo" and "padding" can drop the oldest element)"
            );
        else if (queue.overflow != overflow::wait && queue.capacity == 0 &&
                 !is_noted(pointer + "/capacity"))
            note(
                pointer + "/overflow",
                rule,
                "wait, because a queue of capacity 0 stores nothing",
                "give it a capacity of at least 1"
            );
    }

    // Runners

    void check_runners()
    {
        if (description_.runners.empty())
            note("/runners", "an empty array", "an array of runners");
        name_runners();
        std::set<std::string> names;
        for (std::size_t i = 0; i < description_.runners.size(); ++i) {
            const runner_description& runner = description_.runners[i];
            const std::string pointer = fmt::format("/runners/{}", i);
            check_runner(pointer, runner);
            if (!runner.name.empty() && !names.insert(runner.name).second)
                note_second(pointer + "/name", runner.name, "runners");
        }
    }

    // Those without a name are called as their stage: filter, filter_2, filter_3.
    void name_runners()
    {
        std::set<std::string> taken;
        for (const runner_description& runner : description_.runners)
            taken.insert(runner.name);
        for (runner_description& runner : description_.runners) {
            if (!runner.name.empty() || runner.stage.empty())
                continue;
            runner.name = runner.stage;
            for (int number = 2; !taken.insert(runner.name).second; ++number)
                runner.name = fmt::format("{}_{}", runner.stage, number);
        }
    }

    void check_runner(const std::string& pointer, const runner_description& runner)
    {
        if (is_noted(pointer))
            return;  // it is no object
        check_fields(pointer, runner_fields_, runner);
        check_reference(pointer + "/from", runner.from);
        for (std::size_t i = 0; i < runner.to.size(); ++i)
            check_output(
                pointer + "/to" + pointer_step_to_one_of(runner.to.size(), i),
                runner,
                i
            );
        const stage* const made = make_stage(pointer, runner);
        check_error_policy(pointer + "/on_error", runner, made);
        if (runner.ordered && made != nullptr && !made->can_keep_order())
            note(
                pointer + "/ordered",
                "true",
                fmt::format(
                    "false, because the stage {} does not make its results of one "
                    "element after the other",
                    in_quotes(runner.stage)
                ),
                runner.workers > 1 ? "one worker keeps the order" : ""
            );
    }

    void check_output(
        const std::string& pointer,
        const runner_description& runner,
        std::size_t index
    )
    {
        const std::string& queue = runner.to[index];
        const auto end_of_earlier = runner.to.begin() +
                                    static_cast<std::ptrdiff_t>(index);
        if (queue.empty())
            note(pointer, in_quotes(queue), R"(the name of a queue in "queues")");
        check_reference(pointer, queue);
        if (!queue.empty() && queue == runner.from)
            note(pointer, in_quotes(queue), R"(another queue than "from")");
        if (std::find(runner.to.begin(), end_of_earlier, queue) != end_of_earlier)
            note(pointer, in_quotes(queue) + " a second time", "each queue once");
    }

    // The stage is null if it could not be made.
    void check_error_policy(
        const std::string& pointer,
        const runner_description& runner,
        const stage* made
    )
    {
        const auto& [action, to] = runner.on_error;
        check_reference(pointer + "/to", to);
        if ((action == error_action::divert) == to.empty())
            note(
                pointer,
                to.empty() ? "no queue" : in_quotes(to),
                R"(a queue "to" which elements go, and none with "fail" and "skip")"
            );
        if (!to.empty() && (to == runner.from || std::ranges::count(runner.to, to) > 0))
            note(
                pointer + "/to",
                in_quotes(to),
                R"(another queue than "from" and "to" of the runner)"
            );
        if (action != error_action::fail && made != nullptr && !made->can_skip())
            note(
                pointer,
                in_quotes(to_string(action)),
                fmt::format(
                    R"("fail", because the stage {} cannot leave out single elements)",
                    in_quotes(runner.stage)
                )
            );
    }

    void check_reference(const std::string& pointer, const std::string& queue)
    {
        if (!queue.empty() && std::ranges::count(queue_names_, queue) == 0)
            note(
                pointer,
                in_quotes(queue),
                R"(the name of a queue in "queues")",
                did_you_mean(queue, queue_names_)
            );
    }

    // Only the constructor of a stage knows all that can be wrong with its options.
    const stage* make_stage(const std::string& pointer, const runner_description& runner)
    {
        const stage_type* const type = registry_.find(runner.stage);
        if (type == nullptr) {
            note(pointer + "/stage", in_quotes(runner.stage), "the name of a stage");
            return nullptr;
        }
        if (!runner.options.is_object()) {
            note(pointer + "/options", in_words(runner.options), "an object");
            return nullptr;
        }
        std::vector<problem> mistakes;
        made_.push_back(type->make(runner.options, mistakes));
        if (made_.back() == nullptr && mistakes.empty())
            mistakes.push_back(
                {.found = "options", .expected = "options that its stage takes"}
            );
        note(pointer + "/options", std::move(mistakes));
        return made_.back().get();
    }

    // All parts

    template <class Values>
    void check_fields(
        const std::string& pointer,
        const stage_options<Values>& fields,
        const Values& values
    )
    {
        std::vector<problem> mistakes;
        fields.check(values, mistakes);
        note(pointer, std::move(mistakes));
    }

    void note_second(const std::string& pointer, const std::string& name, const char* of)
    {
        note(
            pointer,
            fmt::format("the name {} a second time", in_quotes(name)),
            fmt::format("{} of different names", of),
            R"(give one of them another "name")"
        );
    }

    void note(
        std::string pointer,
        std::string found,
        std::string expected,
        std::string hint = {}
    )
    {
        note(
            "",
            {{.pointer = std::move(pointer),
              .found = std::move(found),
              .expected = std::move(expected),
              .hint = std::move(hint)}}
        );
    }

    // Pointers of the mistakes begin at the part.
    void note(const std::string& part, std::vector<problem> mistakes)
    {
        for (problem& mistake : mistakes)
            mistake.pointer.insert(0, part);
        std::erase_if(mistakes, [this](const problem& mistake) {
            return is_noted(mistake.pointer);
        });
        std::ranges::move(mistakes, std::back_inserter(problems_));
    }

    [[nodiscard]] bool is_noted(const std::string& pointer) const
    {
        return std::ranges::count(problems_, pointer, &problem::pointer) > 0;
    }

    pipeline_description& description_;
    const stage_registry& registry_;
    const stage_options<runner_description> runner_fields_;
    const address_check& addresses_;
    std::vector<problem>& problems_;
    std::vector<std::string> queue_names_;
    std::vector<std::unique_ptr<stage>> made_;
};

}  // namespace

std::vector<std::unique_ptr<stage>> check_description(
    pipeline_description& description,
    const stage_registry& stages,
    const address_check& addresses,
    std::vector<problem>& problems
)
{
    return description_check(description, stages, addresses, problems).run();
}

}  // namespace sluice::pipeline::detail
