// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"
#include "pipeline/description/check_description.hpp"
#include "pipeline/description/part.hpp"
#include "pipeline/input/input_list.hpp"
#include <sluice/pipeline/check_structure.hpp>
#include <sluice/pipeline/element.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace sluice::pipeline::detail {

namespace {

namespace fs = std::filesystem;

bool is_taken(element_kind kind, element_kind takes)
{
    return kind == takes || takes == element_kind::any;
}

// What flows through a runner; anything if its stage is not known.
stage_flow flow_of(const stage_type* type, const runner_description& runner)
{
    if (type == nullptr)
        return {element_kind::any, element_kind::any};
    return type->flow ? type->flow(runner.options) : stage_flow{type->takes, type->gives};
}

// A runner, named by its index, as one that fills a queue.
struct filler
{
    std::size_t runner;
    std::string queue;
    std::string step;         // where the runner says so
    element_kind gives = {};  // what it puts into the queue
};

// A queue as a node of a graph whose edges are runners.
struct queue_node
{
    std::vector<filler> fillers = {};
    std::vector<std::size_t> takers = {};
    // The kinds of elements in it, each with a runner that puts such elements into it.
    std::map<element_kind, std::size_t> kinds = {};
    bool is_begun = false;  // its visit
    bool is_done = false;
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
            const auto& to = runners_[i].to;
            types_.push_back(stages.find(runners_[i].stage));
            const stage_flow flow = flow_of(types_[i], runners_[i]);
            takes_.push_back(flow.takes);
            if (queue_node* const from = find(runners_[i].from))
                from->takers.push_back(i);
            for (std::size_t output = 0; output < to.size(); ++output) {
                const auto step = pointer_step_to_one_of(to.size(), output);
                add({i, to[output], "/to" + step, flow.gives});
            }
            add({i, runners_[i].on_error.to, "/on_error/to", element_kind::value});
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
        const bool is_whole = problems_.empty();
        for (std::size_t i = 0; i < queues_.size() && is_whole; ++i)
            check_kinds(queues_[i]);
        return std::move(problems_);
    }

private:
    void add(filler added)
    {
        if (queue_node* const queue = find(added.queue))
            queue->fillers.push_back(std::move(added));
    }

    // Null if there is no such queue.
    queue_node* find(const std::string& queue)
    {
        const auto found = nodes_.find(queue);
        return found == nodes_.end() ? nullptr : &found->second;
    }

    part part_of(std::size_t runner)
    {
        return {fmt::format("/runners/{}", runner), nullptr, problems_};
    }

    part part_of(const std::string& queue)
    {
        return {"/queues" + pointer_step(queue), nullptr, problems_};
    }

    // Whether a runner has the queues that its stage needs, and no others.
    void check_ends(std::size_t index, const stage_type& type)
    {
        const runner_description& runner = runners_[index];
        const bool is_source = type.takes == element_kind::none;
        const bool is_sink = type.gives == element_kind::none;
        std::string to;
        for (const std::string& queue : runner.to)
            to += (to.empty() ? "" : ", ") + in_quotes(queue);
        const std::string from = runner.from.empty() ? "" : in_quotes(runner.from);
        if (!type.input_is_optional && is_source != from.empty())
            note_end(index, "from", from, is_source ? "is a source" : "takes elements");
        if (!type.output_is_optional && is_sink != to.empty())
            note_end(index, "to", to, is_sink ? "is a sink" : "gives elements");
        if (type.input_is_optional && type.output_is_optional && from.empty() &&
            to.empty())
            note_end(index, "from", "", "has no \"to\" either");
    }

    void note_end(std::size_t i, std::string end, std::string queues, const char* why)
    {
        constexpr auto some = R"("{}" and the name of a queue, because the stage {} {})";
        constexpr auto none = R"(no "{}", because the stage {} {})";
        const std::string stage = in_quotes(runners_[i].stage);
        if (queues.empty())
            part_of(i).note("", "no " + in_quotes(end), some, end, stage, why);
        else
            part_of(i).note("/" + end, std::move(queues), none, end, stage, why);
    }

    void check_use(const std::string& queue)
    {
        constexpr auto no_filler = "a queue that no runner fills";
        constexpr auto no_taker = "a queue that no runner empties";
        const std::string name = in_quotes(queue);
        if (nodes_[queue].fillers.empty())
            part_of(queue).note("", no_filler, R"(a runner with "to": {})", name);
        if (nodes_[queue].takers.empty())
            part_of(queue).note("", no_taker, R"(a runner with "from": {})", name);
    }

    // Finds out what is in a queue, after those that it is filled from. Meeting one whose visit has
    // begun and not ended means a cycle.
    void visit_upstream(queue_node& node)
    {
        if (std::exchange(node.is_begun, true))
            return;
        for (const filler& each : node.fillers) {
            way_.push_back(each);
            const std::string& from = runners_[each.runner].from;
            queue_node* const source = find(from);
            if (source != nullptr && source->is_begun && !source->is_done)
                note_cycle(from);
            else if (source != nullptr)
                visit_upstream(*source);
            way_.pop_back();
            if (each.gives == element_kind::same && source != nullptr)
                for (const auto& [kind, origin] : source->kinds)
                    node.kinds.try_emplace(kind, each.runner);
            else if (each.gives != element_kind::same && each.gives != element_kind::any)
                node.kinds.try_emplace(each.gives, each.runner);
        }
        node.is_done = true;
    }

    // The way leads upstream and reaches the queue a second time. The cycle is told from the
    // runner that stands last in the description.
    void note_cycle(const std::string& queue)
    {
        constexpr auto expected = "queues that end one after the other; in a cycle each "
                                  "would wait for the others";
        const auto begin = std::ranges::find(way_, queue, &filler::queue);
        std::vector<filler> cycle(way_.rbegin(), std::reverse_iterator(begin));
        const auto last = std::ranges::max_element(cycle, {}, &filler::runner);
        std::ranges::rotate(cycle, last + 1);
        std::string found = "a cycle, from ";
        for (const filler& each : cycle)
            found += in_quotes(runners_[each.runner].from) + " to ";
        found += in_quotes(runners_[cycle.front().runner].from);
        part_of(cycle.back().runner).note(cycle.back().step, std::move(found), expected);
    }

    void check_kinds(const queue_description& queue)
    {
        constexpr auto found = "{}, where {} puts elements of the kind {}";
        constexpr auto taken = "elements of the kind {}, which the stage {} takes{}";
        constexpr auto whole = R"("", because {} puts elements of the kind {})";
        const queue_node& node = nodes_[queue.name];
        for (const auto& [kind, filler] : node.kinds) {
            const std::string name = in_quotes(runners_[filler].name);
            const std::string puts =
                fmt::format(found, in_quotes(queue.name), name, to_string(kind));
            for (const std::size_t i : node.takers) {
                if (is_taken(kind, takes_[i]))
                    continue;
                const std::string stage = in_quotes(runners_[i].stage);
                const bool is_narrowed = types_[i]->takes != takes_[i];
                const char* const options = is_narrowed ? " with these options" : "";
                part_of(i)
                    .note("/from", puts, taken, to_string(takes_[i]), stage, options);
            }
            // Only values have parts that can be compared.
            if (kind != element_kind::value && !queue.by.empty())
                part_of(queue.name)
                    .note("/by", in_quotes(queue.by), whole, name, to_string(kind));
        }
    }

    const std::vector<queue_description>& queues_;
    const std::vector<runner_description>& runners_;
    std::vector<const stage_type*> types_;  // of the runners; null if there is none
    std::vector<element_kind> takes_;       // of the runners
    std::map<std::string, queue_node> nodes_;
    std::vector<filler> way_;  // the runners upstream to the queue that is visited
    std::vector<problem> problems_;
};

bool is_remote(const pipeline_description& whole, const std::string& queue)
{
    return std::ranges::any_of(whole.queues, [&queue](const auto& each) {
        return each.name == queue && each.type == queue_type::redis;
    });
}

// Whether a runner would acknowledge what is not safe yet.
void check_acknowledgement(
    part at,
    const pipeline_description& whole,
    const runner_description& runner,
    const stage& work
)
{
    constexpr auto none =
        R"(no "acknowledge", because it takes from no queue of type redis)";
    constexpr auto again = "false, because elements of a queue of type redis may come "
                           "again, out of their order";
    constexpr auto done =
        R"(a stage that is done with an element before it takes the next, because {} is of type redis; with "acknowledge": "taken" it is allowed, and what it has taken is lost if its process dies)";
    constexpr auto safe =
        R"(a queue of type redis, because what is taken from {} is acknowledged when its results are safe; with "acknowledge": "taken" it is allowed, and what it has taken is lost if its process dies)";
    const std::string from = in_quotes(runner.from);
    const bool is_from_server = is_remote(whole, runner.from);
    const bool is_written = runner.acknowledge == acknowledgement::written;
    if (!is_written && !is_from_server)
        at.note("/acknowledge", in_quotes(to_string(runner.acknowledge)), none);
    if (!is_written || !is_from_server)
        return;
    const std::string keeps = in_quotes(runner.stage) +
                              ", which keeps what it takes until its end";
    if (!work.can_acknowledge())
        at.note("/stage", keeps, done, from);
    if (runner.ordered)
        at.note("/ordered", "true", again);
    for (std::size_t i = 0; i < runner.to.size(); ++i) {
        const std::string to = in_quotes(runner.to[i]) + ", a queue of this process";
        if (!is_remote(whole, runner.to[i]))
            at.note("/to" + pointer_step_to_one_of(runner.to.size(), i), to, safe, from);
    }
}

// Whether the file is in the folder or below.
bool is_within(const fs::path& file, const fs::path& folder)
{
    return std::ranges::mismatch(folder, file).in1 == folder.end();
}

bool fits(const fs::path& file, const std::string& pattern, int flags = 0)
{
    return ::fnmatch(pattern.c_str(), file.filename().c_str(), flags) == 0;
}

// Whether one of the folders for which a pattern stands is such.
template <class Predicate>
bool has_folder(const fs::path& pattern, Predicate is_such)
{
    return std::ranges::any_of(find_folders(pattern), is_such, io::real_path);
}

// Whether a source finds a file by the name of a folder, by a pattern, or in a folder for which a
// pattern stands. A file that is named itself may be replaced: it is complete before, and read
// before.
bool finds(const stage_files& source, const fs::path& file)
{
    return std::ranges::any_of(source.read, [&](const fs::path& name) {
        std::error_code failed;
        if (fs::is_directory(name, failed))
            return fits(file, source.match) && is_within(file, io::real_path(name));
        if (fs::exists(name, failed))
            return false;
        const fs::path folders = name.has_parent_path() ? name.parent_path() : ".";
        const auto is_parent = [&](const auto& each) {
            return each == file.parent_path();
        };
        const auto is_above = [&](const auto& each) { return is_within(file, each); };
        if (fits(file, name.filename(), FNM_PERIOD) && has_folder(folders, is_parent))
            return true;
        return fits(file, source.match) && has_folder(name, is_above);
    });
}

bool is_among(const std::vector<std::string>& names, const std::string& file)
{
    return std::ranges::count(names, file, io::real_path) > 0;
}

// What a stage that writes does with the file; null if nothing.
const char* writing_of(const stage_files& files, const std::string& file)
{
    if (!files.written.empty() && io::real_path(files.written) == file)
        return "writes it";
    return is_among(files.written_besides, file) ? "may write it, too" : nullptr;
}

std::string says_that(const runner_description& runner, const char* does)
{
    return fmt::format("the runner {} {}", in_quotes(runner.name), does);
}

// The file that a runner writes must not be one that another writes or finds.
void check_file(
    part at,
    std::size_t index,
    const pipeline_description& whole,
    const made_stages& stages
)
{
    constexpr auto expected = "a file that no other runner writes or finds; {}";
    const stage_files own = stages[index]->files();
    const std::string& written = own.written;
    if (written.empty() || !io::can_be_replaced(written))
        return;
    const std::string file = io::real_path(written);
    const std::string found = in_quotes(written);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const stage_files other = stages[i]->files();
        const char* does = writing_of(other, file);
        // Of two that write one file the later one is told.
        if (does != nullptr && i >= index && io::real_path(other.written) == file)
            does = nullptr;
        if (does == nullptr &&
            (finds(other, file) || (own.appends && is_among(other.read, file))))
            does = "reads it";
        if (does != nullptr)
            at.note("/options/path", found, expected, says_that(whole.runners[i], does));
    }
}

}  // namespace

std::vector<problem> check_graph(
    const pipeline_description& whole,
    const stage_registry& registry,
    const made_stages& stages
)
{
    std::vector<problem> problems = check_structure(whole, registry);
    const auto part_of = [&](std::size_t i) {
        return part{fmt::format("/runners/{}", i), nullptr, problems};
    };
    const bool has_structure = problems.empty();
    for (std::size_t i = 0; i < stages.size() && has_structure; ++i)
        check_acknowledgement(part_of(i), whole, whole.runners[i], *stages[i]);
    const bool is_safe = problems.empty();
    for (std::size_t i = 0; i < stages.size() && is_safe; ++i)
        check_file(part_of(i), i, whole, stages);
    return problems;
}

std::string use_of_file(
    const std::string& path,
    const pipeline_description& whole,
    const made_stages& stages
)
{
    const std::string file = io::real_path(path);
    for (std::size_t i = 0; i < stages.size() && io::can_be_replaced(path); ++i) {
        const stage_files files = stages[i]->files();
        if (const char* const writing = writing_of(files, file))
            return says_that(whole.runners[i], writing);
        if (is_among(files.read, file) || finds(files, file))
            return says_that(whole.runners[i], "reads it");
    }
    return {};
}

std::string key_on_server(
    const queue_description& queue,
    const pipeline_description& whole
)
{
    return queue.key.empty() ? fmt::format("{}.{}", whole.name, queue.name) : queue.key;
}

}  // namespace sluice::pipeline::detail

namespace sluice::pipeline {

std::vector<problem> check_structure(
    const pipeline_description& description,
    const stage_registry& stages
)
{
    return detail::structure_check(description, stages).run();
}

}  // namespace sluice::pipeline
