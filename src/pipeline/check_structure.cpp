// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/check_structure.hpp>

#include "pipeline/description/queue_graph.hpp"
#include "pipeline/words.hpp"
#include <sluice/pipeline/element.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

using detail::in_quotes;
using detail::pointer_step;

// The kinds of elements in a queue, each with a runner that puts such elements into it.
using inflow = std::map<element_kind, std::size_t>;

class structure_check
{
public:
    structure_check(const pipeline_description& description, const stage_registry& stages)
        : runners_(description.runners), graph_(description)
    {
        for (const runner_description& runner : runners_)
            types_.push_back(stages.find(runner.stage));
    }

    std::vector<problem> run(const std::vector<queue_description>& queues)
    {
        for (std::size_t i = 0; i < runners_.size(); ++i)
            if (types_[i] != nullptr)
                check_ends(i, *types_[i]);
        for (const queue_description& queue : queues)
            check_use(queue.name);
        for (const std::vector<std::size_t>& cycle : graph_.cycles())
            note_cycle(cycle);
        // What flows is known only where everything has an origin.
        if (problems_.empty())
            for (const std::string& queue : graph_.order())
                check_kinds(queue);
        if (problems_.empty())
            for (const queue_description& queue : queues)
                check_key(queue);
        return std::move(problems_);
    }

private:
    static std::string pointer_of(std::size_t runner)
    {
        return "/runners" + pointer_step(std::to_string(runner));
    }

    // Whether a runner has the queues that its stage needs, and no others.
    void check_ends(std::size_t index, const stage_type& type)
    {
        const runner_description& runner = runners_[index];
        const bool takes = type.takes != element_kind::none;
        const bool gives = type.gives != element_kind::none;
        const std::string stage = "because the stage " + in_quotes(type.name);
        if (takes && runner.from.empty())
            note_missing(index, "from", stage + " takes elements");
        if (!takes && !runner.from.empty())
            note_needless(index, "from", runner.from, stage + " is a source");
        if (type.output_is_optional)
            return;
        if (gives && runner.to.empty())
            note_missing(index, "to", stage + " gives elements");
        if (!gives && !runner.to.empty())
            note_needless(index, "to", runner.to, stage + " is a sink");
    }

    void note_missing(std::size_t index, const std::string& key, const std::string& why)
    {
        problems_.push_back(
            {.pointer = pointer_of(index),
             .found = "no " + in_quotes(key),
             .expected = in_quotes(key) + " and the name of a queue, " + why}
        );
    }

    void note_needless(
        std::size_t index,
        const std::string& key,
        const std::string& queue,
        const std::string& why
    )
    {
        problems_.push_back(
            {.pointer = pointer_of(index) + pointer_step(key),
             .found = in_quotes(queue),
             .expected = "no " + in_quotes(key) + ", " + why}
        );
    }

    void check_use(const std::string& queue)
    {
        const std::string pointer = "/queues" + pointer_step(queue);
        if (graph_.ends(queue).fillers.empty())
            problems_.push_back(
                {.pointer = pointer,
                 .found = "a queue that nobody fills",
                 .expected = R"(a runner with "to": )" + in_quotes(queue)}
            );
        if (graph_.ends(queue).takers.empty())
            problems_.push_back(
                {.pointer = pointer,
                 .found = "a queue that nobody empties",
                 .expected = R"(a runner with "from": )" + in_quotes(queue)}
            );
    }

    void note_cycle(const std::vector<std::size_t>& cycle)
    {
        std::string way;
        for (const std::size_t runner : cycle)
            way += in_quotes(runners_[runner].from) + " to ";
        problems_.push_back(
            {.pointer = pointer_of(cycle.back()) + "/to",
             .found = "a cycle, from " + way + in_quotes(runners_[cycle.front()].from),
             .expected =
                 "queues that end one after the other; in a cycle each would wait "
                 "for the others"}
        );
    }

    void check_kinds(const std::string& queue)
    {
        inflow& flows = inflows_[queue];
        for (const std::size_t filler : graph_.ends(queue).fillers)
            add_flow_of(filler, flows);
        for (const std::size_t taker : graph_.ends(queue).takers)
            check_taker(taker, flows);
    }

    void add_flow_of(std::size_t filler, inflow& flows)
    {
        const stage_type* const type = types_[filler];
        if (type == nullptr || type->gives == element_kind::any)
            return;
        if (type->gives != element_kind::same) {
            flows.try_emplace(type->gives, filler);
            return;
        }
        for (const auto& [kind, origin] : inflows_[runners_[filler].from])
            flows.try_emplace(kind, filler);
    }

    static bool is_taken(element_kind kind, element_kind takes)
    {
        if (takes == element_kind::texts)
            return kind == element_kind::text || kind == element_kind::batch;
        return kind == takes;
    }

    void check_taker(std::size_t taker, const inflow& flows)
    {
        const stage_type* const type = types_[taker];
        if (type == nullptr || type->takes == element_kind::any)
            return;
        for (const auto& [kind, filler] : flows) {
            if (is_taken(kind, type->takes))
                continue;
            problems_.push_back(
                {.pointer = pointer_of(taker) + "/from",
                 .found = in_quotes(runners_[taker].from) + ", where " +
                          in_quotes(runners_[filler].name) +
                          " puts elements of the kind " + to_string(kind),
                 .expected = std::string("elements of the kind ") +
                             to_string(type->takes) + ", which the stage " +
                             in_quotes(type->name) + " takes"}
            );
        }
    }

    // Only values have parts that can be compared.
    void check_key(const queue_description& queue)
    {
        if (queue.by.empty())
            return;
        for (const auto& [kind, filler] : inflows_[queue.name])
            if (kind != element_kind::value)
                problems_.push_back(
                    {.pointer = "/queues" + pointer_step(queue.name) + "/by",
                     .found = in_quotes(queue.by),
                     .expected = "\"\", because " + in_quotes(runners_[filler].name) +
                                 " puts elements of the kind " + to_string(kind)}
                );
    }

    const std::vector<runner_description>& runners_;
    std::vector<const stage_type*> types_;  // of the runners; null if there is none
    const detail::queue_graph graph_;
    std::map<std::string, inflow> inflows_;  // of the queues
    std::vector<problem> problems_;
};

}  // namespace

std::vector<problem> check_structure(
    const pipeline_description& description,
    const stage_registry& stages
)
{
    return structure_check(description, stages).run(description.queues);
}

}  // namespace sluice::pipeline
