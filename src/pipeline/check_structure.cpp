// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/check_structure.hpp>

#include "pipeline/words.hpp"
#include <sluice/pipeline/element.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

using detail::in_quotes;
using detail::pointer_step;

std::string pointer_of(std::size_t runner)
{
    return fmt::format("/runners/{}", runner);
}

bool is_taken(element_kind kind, element_kind takes)
{
    return kind == takes || takes == element_kind::any;
}

// What flows through a runner; anything if its stage is not known.
stage_flow flow_of(const stage_type* type, const runner_description& runner)
{
    if (type == nullptr)
        return {};
    return type->flow ? type->flow(runner.options)
                      : stage_flow{.takes = type->takes, .gives = type->gives};
}

enum class visit : unsigned char
{
    none,
    begun,
    done
};

// A runner, named by its index, as one that fills a queue.
struct filler
{
    std::size_t runner;
    std::string queue;
    std::string pointer;       // where the description says so
    bool with_errors = false;  // and not with what its stage gives
};

// A queue as a node of a graph whose edges are runners.
struct queue_node
{
    std::vector<filler> fillers = {};
    std::vector<std::size_t> takers = {};
    // The kinds of elements in it, each with a runner that puts such elements into it.
    std::map<element_kind, std::size_t> kinds = {};
    visit visited = visit::none;
};

class structure_check
{
public:
    structure_check(const pipeline_description& description, const stage_registry& stages)
        : queues_(description.queues), runners_(description.runners)
    {
        for (const queue_description& queue : queues_)
            nodes_[queue.name];
        for (std::size_t i = 0; i < runners_.size(); ++i) {
            types_.push_back(stages.find(runners_[i].stage));
            flows_.push_back(flow_of(types_[i], runners_[i]));
            if (queue_node* const from = find(runners_[i].from))
                from->takers.push_back(i);
            add_fillers(i);
        }
    }

    std::vector<problem> run()
    {
        for (std::size_t i = 0; i < runners_.size(); ++i)
            if (types_[i] != nullptr)
                check_ends(i, *types_[i]);
        for (const queue_description& queue : queues_)
            if (queue.type != queue_type::redis)  // other programs may be at its ends
                check_use(queue.name);
        for (auto& [name, node] : nodes_)
            visit_upstream(node);
        // What flows is known only where everything has an origin.
        if (problems_.empty())
            for (queue_node* const node : order_)
                check_kinds(*node);
        if (problems_.empty())
            for (const queue_description& queue : queues_)
                check_key(queue);
        return std::move(problems_);
    }

private:
    void add_fillers(std::size_t runner)
    {
        const std::vector<std::string>& to = runners_[runner].to;
        for (std::size_t i = 0; i < to.size(); ++i)
            add_filler(
                {.runner = runner,
                 .queue = to[i],
                 .pointer = pointer_of(runner) + "/to" +
                            detail::pointer_step_to_one_of(to.size(), i)}
            );
        add_filler(
            {.runner = runner,
             .queue = runners_[runner].on_error.to,
             .pointer = pointer_of(runner) + "/on_error/to",
             .with_errors = true}
        );
    }

    void add_filler(const filler& added)
    {
        if (queue_node* const queue = find(added.queue))
            queue->fillers.push_back(added);
    }

    // Null if there is no such queue.
    queue_node* find(const std::string& queue)
    {
        const auto found = nodes_.find(queue);
        return found == nodes_.end() ? nullptr : &found->second;
    }

    // Whether a runner has the queues that its stage needs, and no others.
    void check_ends(std::size_t index, const stage_type& type)
    {
        const runner_description& runner = runners_[index];
        if (!type.input_is_optional)
            check_end(
                index,
                "from",
                runner.from.empty() ? "" : in_quotes(runner.from),
                type.takes,
                "takes elements",
                "is a source"
            );
        if (!type.output_is_optional)
            check_end(
                index,
                "to",
                all_in_quotes(runner.to),
                type.gives,
                "gives elements",
                "is a sink"
            );
    }

    static std::string all_in_quotes(const std::vector<std::string>& names)
    {
        std::vector<std::string> quoted;
        for (const std::string& name : names)
            quoted.push_back(in_quotes(name));
        return fmt::format("{}", fmt::join(quoted, ", "));
    }

    void check_end(
        std::size_t index,
        const char* key,
        std::string queues,
        element_kind kind,
        const char* needs_it,
        const char* needs_none
    )
    {
        const bool is_needed = kind != element_kind::none;
        if (is_needed != queues.empty())
            return;
        const std::string why = fmt::format(
            "because the stage {} {}",
            in_quotes(runners_[index].stage),
            is_needed ? needs_it : needs_none
        );
        const std::string pointer = pointer_of(index);
        if (is_needed)
            note(
                pointer,
                fmt::format(R"(no "{}")", key),
                fmt::format(R"("{}" and the name of a queue, {})", key, why)
            );
        else
            note(
                fmt::format("{}/{}", pointer, key),
                std::move(queues),
                fmt::format(R"(no "{}", {})", key, why)
            );
    }

    void check_use(const std::string& queue)
    {
        const std::string pointer = "/queues" + pointer_step(queue);
        const queue_node& node = nodes_[queue];
        if (node.fillers.empty())
            note(
                pointer,
                "a queue that no runner fills",
                fmt::format(R"(a runner with "to": {})", in_quotes(queue))
            );
        if (node.takers.empty())
            note(
                pointer,
                "a queue that no runner empties",
                fmt::format(R"(a runner with "from": {})", in_quotes(queue))
            );
    }

    // Puts this queue into the order, behind those that it is filled from. Meeting one whose
    // visit has begun and not ended means a cycle.
    void visit_upstream(queue_node& node)
    {
        if (node.visited != visit::none)
            return;
        node.visited = visit::begun;
        for (const filler& each : node.fillers) {
            way_.push_back(each);
            const std::string& from = runners_[each.runner].from;
            queue_node* const source = find(from);
            if (source != nullptr && source->visited == visit::begun)
                note_cycle(from);
            else if (source != nullptr)
                visit_upstream(*source);
            way_.pop_back();
        }
        node.visited = visit::done;
        order_.push_back(&node);
    }

    // The way leads upstream and reaches the queue a second time.
    void note_cycle(const std::string& queue)
    {
        const auto begin = std::ranges::find_if(way_, [&](const filler& each) {
            return each.queue == queue;
        });
        std::vector<filler> cycle(way_.rbegin(), std::reverse_iterator(begin));
        // Told from the one that stands last in the description.
        std::ranges::rotate(
            cycle,
            std::ranges::max_element(cycle, {}, &filler::runner) + 1
        );
        std::vector<std::string> names;
        for (const filler& each : cycle)
            names.push_back(in_quotes(runners_[each.runner].from));
        names.push_back(names.front());
        note(
            cycle.back().pointer,
            fmt::format("a cycle, from {}", fmt::join(names, " to ")),
            "queues that end one after the other; in a cycle each would wait for the "
            "others"
        );
    }

    void check_kinds(queue_node& node)
    {
        for (const filler& each : node.fillers)
            if (each.with_errors)
                node.kinds.try_emplace(element_kind::value, each.runner);
            else
                add_kinds_of(each.runner, node);
        for (const std::size_t taker : node.takers)
            check_taker(taker, node);
    }

    void add_kinds_of(std::size_t filler, queue_node& node)
    {
        const element_kind gives = flows_[filler].gives;
        if (types_[filler] == nullptr || gives == element_kind::any)
            return;
        const queue_node* const source = find(runners_[filler].from);
        if (gives != element_kind::same)
            node.kinds.try_emplace(gives, filler);
        else if (source != nullptr)
            for (const auto& [kind, origin] : source->kinds)
                node.kinds.try_emplace(kind, filler);
    }

    void check_taker(std::size_t taker, const queue_node& node)
    {
        const element_kind takes = flows_[taker].takes;
        for (const auto& [kind, filler] : node.kinds)
            if (!is_taken(kind, takes))
                note(
                    pointer_of(taker) + "/from",
                    fmt::format(
                        "{}, where {} puts elements of the kind {}",
                        in_quotes(runners_[taker].from),
                        in_quotes(runners_[filler].name),
                        to_string(kind)
                    ),
                    fmt::format(
                        "elements of the kind {}, which the stage {} takes{}",
                        to_string(takes),
                        in_quotes(runners_[taker].stage),
                        because_of_options(taker)
                    )
                );
    }

    const char* because_of_options(std::size_t runner) const
    {
        const bool is_narrowed = types_[runner]->takes != flows_[runner].takes;
        return is_narrowed ? " with these options" : "";
    }

    // Only values have parts that can be compared.
    void check_key(const queue_description& queue)
    {
        for (const auto& [kind, filler] : nodes_[queue.name].kinds)
            if (kind != element_kind::value && !queue.by.empty())
                note(
                    fmt::format("/queues{}/by", pointer_step(queue.name)),
                    in_quotes(queue.by),
                    fmt::format(
                        R"("", because {} puts elements of the kind {})",
                        in_quotes(runners_[filler].name),
                        to_string(kind)
                    )
                );
    }

    void note(std::string pointer, std::string found, std::string expected)
    {
        problems_.push_back(
            {.pointer = std::move(pointer),
             .found = std::move(found),
             .expected = std::move(expected)}
        );
    }

    const std::vector<queue_description>& queues_;
    const std::vector<runner_description>& runners_;
    std::vector<const stage_type*> types_;  // of the runners; null if there is none
    std::vector<stage_flow> flows_;         // of the runners
    std::map<std::string, queue_node> nodes_;
    std::vector<queue_node*> order_;  // each behind those that it is filled from
    std::vector<filler> way_;         // the runners upstream to the queue that is visited
    std::vector<problem> problems_;
};

}  // namespace

std::vector<problem> check_structure(
    const pipeline_description& description,
    const stage_registry& stages
)
{
    return structure_check(description, stages).run();
}

}  // namespace sluice::pipeline
