// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/coordinator_lock_step.hpp"
#include "model/coordinator_model.hpp"
#include "model/coordinator_step.hpp"

#include <string>

namespace sluice::model::coordination {

// Why: what was found becomes a test by being pasted.

/// Writes a test case as those in test/unit/coordination/coordinator_core.cpp. It does what
/// was done, and checks for what the model expects.
class test_case_writer
{
public:
    explicit test_case_writer(clean_rule rule) : rule_(rule), model_(rule) {}

    std::string write(const mismatch& found)
    {
        text_ = "BOOST_AUTO_TEST_CASE(found_by_the_model)\n{\n";
        line("// " + found.what);
        if (rule_ == clean_rule::none)
            line("coord = make_core({.is_clean_stop = nullptr});");
        else if (rule_ == clean_rule::own)
            line("coord = make_core({.is_clean_stop = [](const std::exception_ptr& e) {\n"
                 "        return sluice::message_of(e) == \"harmless\";\n"
                 "    }});");
        line("auto time = core::clock::now();");
        line("coord->time = time;");
        for (const step& s : found.taken) {
            line(
                is_start(s)               ? start(s)
                : s.what < action::cancel ? happen(s)
                                          : affect(s)
            );
            model_.apply(s);
        }
        for (const auto& [id, c] : model_.scopes())
            if (c.exists)
                check(id, c);
        for (const auto& [id, o] : model_.operations())
            if (o.now != operation::state::forgotten)
                check(id, o);
        return text_ + "}\n";
    }

private:
    void line(const std::string& content) { text_ += "    " + content + '\n'; }

    void check(const std::string& seen, const std::string& expected)
    {
        line("BOOST_TEST(" + seen + " == " + expected + ");");
    }

    void check(int id, const scope& c)
    {
        const std::string of = name(id) + "->";
        check(of + "should_stop()", truth(c.stopped));
        check(of + "joined()", truth(c.joined));
        check(of + "exceptions().size()", std::to_string(c.errors.size()) + 'U');
        check(of + "tasks().size()", std::to_string(model_.tasks_of(id).size()) + 'U');
    }

    void check(int id, const operation& o)
    {
        const bool ok = o.now == operation::state::waiting || o.outcome == "ok";
        check(op(id) + ".is_waiting()", truth(o.now == operation::state::waiting));
        check(op(id) + ".failed()", truth(!ok) + (ok ? "" : " /* " + o.outcome + " */"));
    }

    [[nodiscard]] std::string happen(const step& s) const
    {
        const std::string on = name(s.scope) + "->";
        const std::string id = std::to_string(s.id);
        switch (s.what) {
        case action::make_child:
            return "const core_ptr " + name(s.id) + "(new core(" + on + "options(), " +
                   name(s.scope) + "));\n    " + name(s.id) + "->time = time;\n    " +
                   name(s.id) + "->join_parent();";
        case action::request_stop:
            return "try { " + on + "request_stop(" + cause(s) + "); } catch (...) {}";
        case action::clear_stop:
            return on + "clear_stop();";
        case action::destroy:
            return on + "shut_down();";
        case action::add_queue:
            return "auto* const q" + id + " = new queue(\"q" + id + "\", events);\n    " +
                   on + "close_on_stop(q" + id + ");";
        case action::lose_queue:
            return "q" + id + "->orphaned = true;";
        case action::add_task:
            return add_task(s);
        case action::end_task:
            return end_task(s);
        default:
            return {};
        }
    }

    [[nodiscard]] std::string add_task(const step& s) const
    {
        const std::string id = std::to_string(s.id);
        const std::string call = "add_task(" + name(s.scope) + ", \"t" + id + "\")";
        return model_.scopes().at(s.scope).stopped
                   ? "BOOST_CHECK_THROW(" + call + ", sluice::system_error);"
                   : "const auto t" + id + " = " + call + ";";
    }

    [[nodiscard]] std::string end_task(const step& s) const
    {
        const auto found = model_.tasks().find(s.id);
        if (found == model_.tasks().end())
            return "// task " + std::to_string(s.id) + " has ended";
        return name(found->second.scope) + "->task_ended(t" + std::to_string(s.id) +
               ", " + cause(s) + ");";
    }

    [[nodiscard]] static std::string start(const step& s)
    {
        const bool is_join = s.what == action::join;
        std::string text = is_join ? "join_recorder " : "stop_recorder ";
        text += op(s.id) + "(*" + name(s.scope);
        text += is_join ? ", grace(std::chrono::hours(" + std::to_string(s.hours) + ")));"
                        : ");";
        if (s.context != 0)
            text += "\n    " + op(s.id) + ".context_ = &contexts[" +
                    std::to_string(s.context) + "];  // static char contexts[3]";
        if (s.how == manner::cancelled || s.how == manner::expired)
            text += "\n    " + cancel(s, s.how == manner::expired);
        const bool gives_up = s.how == manner::impatient;
        return text + "\n    (void)" + op(s.id) + ".start(" +
               (gives_up ? "sluice::detail::wait_mode::gives_up" : "") + ");";
    }

    [[nodiscard]] std::string affect(const step& s) const
    {
        switch (s.what) {
        case action::cancel:
        case action::time_out:
        case action::forget:
            return affect_operation(s);
        case action::abandon:
            return for_each_scope("abandon(&contexts[" + std::to_string(s.id) + "]);");
        case action::pass_time:
            return "time += std::chrono::hours(" + std::to_string(s.hours) + ");\n    " +
                   for_each_scope("time = time;") + "\n    " +
                   for_each_scope("expire_joins(time);");
        case action::deliver:
            return "// delivered: " + op(s.id);
        default:
            return {};
        }
    }

    [[nodiscard]] std::string affect_operation(const step& s) const
    {
        const auto found = model_.operations().find(s.id);
        if (found == model_.operations().end())
            return {};
        step target = found->second.start;
        if (s.what == action::forget)
            return name(target.scope) + "->forget(" + op(s.id) +
                   ", sluice::detail::wait_hub::deliveries::over);";
        return cancel(target, s.what == action::time_out);
    }

    [[nodiscard]] static std::string cancel(const step& s, bool by_deadline)
    {
        return name(s.scope) + "->cancel(" + op(s.id) + ", " +
               (by_deadline ? "errc::timed_out" : "asio::error::operation_aborted") +
               ");";
    }

    [[nodiscard]] std::string for_each_scope(const std::string& call) const
    {
        std::string all;
        for (const auto& [id, c] : model_.scopes())
            all += (all.empty() ? "" : "\n    ") + name(id) + "->" + call;
        return all;
    }

    [[nodiscard]] static std::string cause(const step& s)
    {
        switch (s.why) {
        case reason::none:
            return "nullptr";
        case reason::broken:
            return "error(\"" + std::to_string(s.error) + "\")";
        case reason::harmless:
            return "error(\"harmless\")";
        case reason::end_of_queue:
            return "code(errc::end_of_queue)";
        case reason::queue_closed:
            return "code(errc::queue_closed)";
        case reason::stop_requested:
            return "code(errc::stop_requested)";
        case reason::aborted:
            break;
        }
        return "code(asio::error::operation_aborted)";
    }

    static std::string truth(bool value) { return value ? "true" : "false"; }

    static std::string name(int scope)
    {
        return scope == 0 ? "coord" : "child" + std::to_string(scope);
    }

    static std::string op(int id) { return "op" + std::to_string(id); }

    const clean_rule rule_;
    coordinator_model model_;
    std::string text_;
};

}  // namespace sluice::model::coordination
