// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/pipeline/check_structure.hpp>

#include "pipeline/description/part.hpp"
#include <sluice/pipeline/element.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace sluice::pipeline {

namespace {

using detail::in_quotes;
using detail::pointer_step;

bool is_taken(element_kind kind, element_kind takes)
{
    if (takes == element_kind::texts)
        return kind == element_kind::text || kind == element_kind::batch;
    return kind == takes || takes == element_kind::any;
}

// What flows through a runner; anything if its stage is not known.
stage_flow flow_of(const stage_type* type, const runner_description& runner)
{
    if (type == nullptr)
        return {element_kind::any, element_kind::any};
    return type->flow ? type->flow(runner.options) : stage_flow{type->takes, type->gives};
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
    std::string step;  // where the runner says so

    [[nodiscard]] bool is_of_errors() const { return step.starts_with("/on_error"); }
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
            const runner_description& runner = runners_[i];
            const std::vector<std::string>& to = runner.to;
            types_.push_back(stages.find(runner.stage));
            flows_.push_back(flow_of(types_[i], runner));
            if (queue_node* const queue = find(runner.from))
                queue->takers.push_back(i);
            for (std::size_t output = 0; output < to.size(); ++output)
                add(
                    {i,
                     to[output],
                     "/to" + detail::pointer_step_to_one_of(to.size(), output)}
                );
            add({i, runner.on_error.to, "/on_error/to"});
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
    void add(const filler& added)
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

    detail::part part_of(std::size_t runner)
    {
        return {fmt::format("/runners/{}", runner), nullptr, problems_};
    }

    // Whether a runner has the queues that its stage needs, and no others.
    void check_ends(std::size_t index, const stage_type& type)
    {
        const runner_description& runner = runners_[index];
        std::vector<std::string> to;
        for (const std::string& name : runner.to)
            to.push_back(in_quotes(name));
        const bool is_source = type.takes == element_kind::none;
        const bool is_sink = type.gives == element_kind::none;
        const std::string from = runner.from.empty() ? "" : in_quotes(runner.from);
        if (!type.input_is_optional && is_source != from.empty())
            note_end(index, "from", from, is_source ? "is a source" : "takes elements");
        const std::string all = fmt::format("{}", fmt::join(to, ", "));
        if (!type.output_is_optional && is_sink != to.empty())
            note_end(index, "to", all, is_sink ? "is a sink" : "gives elements");
    }

    void note_end(
        std::size_t index,
        const char* end,
        const std::string& queues,
        const char* is
    )
    {
        detail::part runner = part_of(index);
        const std::string stage = in_quotes(runners_[index].stage);
        constexpr auto missing =
            R"("{}" and the name of a queue, because the stage {} {})";
        if (queues.empty())
            runner.note("", fmt::format(R"(no "{}")", end), missing, end, stage, is);
        else
            runner.note(
                fmt::format("/{}", end),
                queues,
                R"(no "{}", because the stage {} {})",
                end,
                stage,
                is
            );
    }

    void check_use(const std::string& queue)
    {
        detail::part part{"/queues" + pointer_step(queue), nullptr, problems_};
        const std::string name = in_quotes(queue);
        if (nodes_[queue].fillers.empty())
            part.note(
                "",
                "a queue that no runner fills",
                R"(a runner with "to": {})",
                name
            );
        if (nodes_[queue].takers.empty())
            part.note(
                "",
                "a queue that no runner empties",
                R"(a runner with "from": {})",
                name
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

    // The way leads upstream and reaches the queue a second time. The cycle is told from the
    // runner that stands last in the description.
    void note_cycle(const std::string& queue)
    {
        const auto begin = std::ranges::find(way_, queue, &filler::queue);
        std::vector<filler> cycle(way_.rbegin(), std::reverse_iterator(begin));
        std::ranges::rotate(
            cycle,
            std::ranges::max_element(cycle, {}, &filler::runner) + 1
        );
        std::string queues;
        for (const filler& each : cycle)
            queues += in_quotes(runners_[each.runner].from) + " to ";
        queues += in_quotes(runners_[cycle.front().runner].from);
        constexpr auto expected = "queues that end one after the other; in a cycle each "
                                  "would wait for the others";
        part_of(cycle.back().runner)
            .note(cycle.back().step, "a cycle, from " + queues, expected);
    }

    void check_kinds(queue_node& node)
    {
        for (const filler& each : node.fillers)
            add_kinds(each, node.kinds);
        for (const std::size_t taker : node.takers)
            for (const auto& [kind, filler] : node.kinds)
                if (!is_taken(kind, flows_[taker].takes))
                    note_kind(taker, kind, filler);
    }

    // Errors are values; a stage gives what it gives, or passes on what it takes.
    void add_kinds(const filler& from, std::map<element_kind, std::size_t>& kinds)
    {
        const element_kind gives = from.is_of_errors() ? element_kind::value
                                                       : flows_[from.runner].gives;
        const queue_node* const source = find(runners_[from.runner].from);
        if (gives == element_kind::same && source != nullptr)
            for (const auto& [kind, origin] : source->kinds)
                kinds.try_emplace(kind, from.runner);
        else if (gives != element_kind::same && gives != element_kind::any)
            kinds.try_emplace(gives, from.runner);
    }

    void note_kind(std::size_t taker, element_kind kind, std::size_t filler)
    {
        const runner_description& runner = runners_[taker];
        const char* const takes = to_string(flows_[taker].takes);
        const bool is_narrowed = types_[taker]->takes != flows_[taker].takes;
        const char* const options = is_narrowed ? " with these options" : "";
        constexpr auto found = "{}, where {} puts elements of the kind {}";
        constexpr auto expected = "elements of the kind {}, which the stage {} takes{}";
        const std::string from = in_quotes(runner.from);
        const std::string by = in_quotes(runners_[filler].name);
        part_of(taker).note(
            "/from",
            fmt::format(found, from, by, to_string(kind)),
            expected,
            takes,
            in_quotes(runner.stage),
            options
        );
    }

    // Only values have parts that can be compared.
    void check_key(const queue_description& queue)
    {
        detail::part part{"/queues" + pointer_step(queue.name), nullptr, problems_};
        constexpr auto expected = R"("", because {} puts elements of the kind {})";
        for (const auto& [kind, filler] : nodes_[queue.name].kinds)
            if (kind != element_kind::value && !queue.by.empty())
                part.note(
                    "/by",
                    in_quotes(queue.by),
                    expected,
                    in_quotes(runners_[filler].name),
                    to_string(kind)
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
