// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/figures.hpp"
#include "model/select_lock_step.hpp"
#include "model/select_model.hpp"
#include "model/select_step.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace sluice::model::selecting {

// Why: what was found becomes a test by being pasted.

/// Writes a test case as those in test/unit/queue/select_core.cpp, with core_driver for what
/// is not a select. It does what was done, and checks for what the model expects.
class test_case_writer
{
public:
    explicit test_case_writer(const capacities& of_queues) : model_(of_queues)
    {
        text_ = "BOOST_AUTO_TEST_CASE(found_by_the_model)\n{\n";
        for (const int queue : {0, 1})
            line(
                "test::core_driver<> " + name(queue) + "(" +
                std::to_string(of_queues[std::size_t(queue)]) + ");"
            );
        line("const char contexts[3] = {};");
        for (const int queue : {0, 1})
            line(
                core(queue) + ".set_home_context(&contexts[" + number(queue + 1) + "]);"
            );
    }

    std::string write(const mismatch& found)
    {
        line("// " + found.what);
        for (const step& s : found.taken) {
            model_.apply(s);
            for (const int id : model_.told())
                ++told_[id];
            if (s.what == action::start)
                s.is_select ? start_select(s) : start_single(s);
            else
                happen(s);
        }
        for (const auto& [id, o] : model_.operations())
            check(o);
        for (const int queue : {0, 1})
            for (const figure& f : figures_of(model_.queue(queue).stats()))
                check(name(queue) + ".stats()." + f.name, std::to_string(f.value) + 'U');
        return text_ + "}\n";
    }

private:
    void line(const std::string& content) { text_ += "    " + content + '\n'; }

    void check(const std::string& seen, const std::string& expected)
    {
        line("BOOST_TEST(" + seen + " == " + expected + ");");
    }

    // Starting ------------------------------------------------------------------------------

    void start_select(const step& s)
    {
        const std::string select = name(s);
        for (const branch& b : s.branches)
            if (b.produces)
                line("int row" + number(b.first) + " = " + number(b.first) + ';');
        line("recording_select " + select + ';');
        for (const branch& b : s.branches)
            line(select + '.' + added(b) + ';');
        if (s.context != 0)
            line(select + ".live_in(" + context(s.context) + ");");
        if (s.how == manner::cancelled)
            line(select + ".cancel(operation_aborted);");
        const std::string shortest = "(void)(" + select + ".try_start() || ";
        const bool is_shortest = s.how == manner::shortest;
        line(
            (is_shortest ? shortest : "(void)") + select + ".start(" + way(s.how) +
            (is_shortest ? "));" : ");")
        );
    }

    static std::string added(const branch& b)
    {
        const std::string on = "(&" + core(b.queue);
        const std::string count = ", " + std::to_string(b.count) + ')';
        if (b.produces)
            return "enqueue" + on + ", row" + number(b.first) + ')';
        switch (b.kind) {
        case demand::one:
            return "dequeue" + on + ')';
        case demand::exactly:
            return "dequeue_many" + on + count;
        case demand::up_to:
            return "dequeue_batch<detail::demand::up_to>" + on + count;
        case demand::some:
            break;
        }
        return "dequeue_batch<detail::demand::some>" + on + count;
    }

    void start_single(const step& s)
    {
        const branch& b = s.branches.front();
        line("auto& " + name(s) + " = " + name(b.queue) + '.' + idle(s, b) + ';');
        if (s.context != 0)
            line(name(s) + ".context_ = " + context(s.context) + ';');
        if (s.how == manner::attempt)
            line(core(b.queue) + ".flush(" + name(s) + ");");
        else
            line(
                "(void)" + core(b.queue) + ".start(" + name(s) + ", " + way(s.how) + ");"
            );
    }

    static std::string idle(const step& s, const branch& b)
    {
        const std::string label = "(\"" + name(s) + "\", ";
        if (!b.produces) {
            constexpr const char* kinds[] = {"one", "exactly", "up_to", "some"};
            return "idle_consumer" + label +
                   "detail::demand::" + kinds[static_cast<std::size_t>(b.kind)] + ", " +
                   std::to_string(b.count) + ')';
        }
        std::string rows = number(b.first);
        for (int row = b.first + 1; row < b.first + int(b.count); ++row)
            rows += ", " + number(row);
        return "idle_producer" + label + '{' + rows + "})";
    }

    static std::string way(manner how)
    {
        const bool is_posted = how == manner::posted || how == manner::impatient ||
                               how == manner::cancelled;
        const bool waits = how != manner::impatient && how != manner::expired;
        return std::string("delivery::") +
               (is_posted ? "always_posted" : "inline_if_ready") +
               ", wait_mode::" + (waits ? "waits" : "gives_up");
    }

    // Going on ------------------------------------------------------------------------------

    void happen(const step& s)
    {
        if (s.what == action::abandon)
            for (const int queue : {0, 1})
                line(core(queue) + ".abandon(" + context(s.id) + ");");
        else if (s.what == action::close)
            line(name(s.queue) + ".close();");
        else if (s.what == action::cancel_pending)
            line(name(s.queue) + ".close(close_mode::cancel_pending);");
        else if (s.what == action::shut_down)
            line(core(s.queue) + ".shut_down();");
        else if (model_.operations().contains(s.id))
            affect(model_.operations().at(s.id).start, s.what);
    }

    void affect(const step& target, action what)
    {
        const bool is_select = target.is_select;
        const std::string by = is_select ? name(target)
                                         : name(target.branches.front().queue);
        const std::string whom = is_select ? "" : name(target);
        const std::string and_whom = is_select ? "" : whom + ", ";
        if (what == action::cancel)
            line(by + ".cancel(" + and_whom + "operation_aborted);");
        else if (what == action::time_out)
            line(by + ".cancel(" + and_whom + "errc::timed_out);");
        else if (what == action::deliver)
            line(by + ".finish(" + whom + ");");
        else
            line(
                by + ".forget(" +
                (is_select ? "detail::wait_hub::deliveries::over" : whom) + ");"
            );
    }

    // What is expected ----------------------------------------------------------------------

    void check(const operation& o)
    {
        const std::string who = name(o.start);
        const std::string deliveries = who + (o.start.is_select ? ".deliveries"
                                                                : ".deliveries()");
        check(deliveries, number(told_[o.start.id]));
        if (o.start.is_select)
            check(who + ".taken()", number(o.winner));
        const int taken = o.start.is_select ? o.winner : 0;
        if (taken >= 0 && o.now >= select_model::state::decided)
            line("// " + who + ": " + outcome(o, std::size_t(taken)));
    }

    [[nodiscard]] std::string outcome(const operation& o, std::size_t index) const
    {
        const model::operation& part = *model_.part(o, index);
        return part.error ? part.error.message() : "elements " + text(part.elements);
    }

    // Names ---------------------------------------------------------------------------------

    static std::string number(int value) { return std::to_string(value); }

    static std::string name(int queue) { return queue == 0 ? "q0" : "q1"; }

    static std::string core(int queue) { return name(queue) + ".core()"; }

    static std::string context(int index) { return "&contexts[" + number(index) + "]"; }

    static std::string name(const step& s)
    {
        const char* const role = s.is_select                   ? "s"
                                 : s.branches.front().produces ? "p"
                                                               : "c";
        return role + number(s.id);
    }

    select_model model_;
    std::map<int, int> told_;  // how often each operation
    std::string text_;
};

}  // namespace sluice::model::selecting
