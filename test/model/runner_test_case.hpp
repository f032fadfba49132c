// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/runner_lock_step.hpp"
#include "model/runner_model.hpp"
#include "model/runner_step.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::model::running {

// Why: what was found becomes a test by being pasted.

/// Writes a test case, which needs model/real_runner.hpp. It does what was done, and checks
/// for what the model expects.
class test_case_writer
{
public:
    explicit test_case_writer(const cast& all) : all_(all), model_(all) {}

    std::string write(const mismatch& found)
    {
        text_ = "BOOST_AUTO_TEST_CASE(found_by_the_model)\n{\n";
        line("// " + found.what);
        line("using namespace sluice::model::running;");
        line("using events = std::vector<std::string>;");
        line(
            "real_runners world({" +
            list(
                all_,
                [](const auto& kinds) { return '{' + list(kinds, name_of_manner) + '}'; }
            ) +
            "});"
        );
        for (const step& s : found.taken)
            if (model_.makes_sense(s))
                write(s);
        for (std::size_t i = 0; i != model_.runners().size(); ++i)
            check(std::to_string(i), model_.runners()[i]);
        for (std::size_t i = 0; i != model_.scopes().size(); ++i)
            check(std::to_string(i), model_.scopes()[i]);
        return text_ + "}\n";
    }

private:
    void line(const std::string& content) { text_ += "    " + content + '\n'; }

    void check(const std::string& seen, const std::string& expected)
    {
        line("BOOST_TEST((" + seen + " == " + expected + "));");
    }

    void write(const step& s)
    {
        constexpr const char* actions[] = {
            "start",
            "start_alone",
            "finish",
            "forget",
            "close",
            "request_stop",
            "clear_stop",
            "destroy_scope",
            "destroy_runner",
            "lose_context",
            "run"
        };
        constexpr const char* reasons[] = {
            "none",
            "broken",
            "harmless",
            "end_of_queue",
            "queue_closed",
            "stop_requested",
            "aborted"
        };
        constexpr const char* closings[] = {"drain", "cancel_pending", "with_cause"};
        std::string content = ".what = action::" + name_in(actions, s.what);
        const auto add = [&](bool has, const char* member, const std::string& value) {
            if (has)
                content += ", ." + std::string(member) + " = " + value;
        };
        add(s.runner != 0, "runner", std::to_string(s.runner));
        add(s.worker != 0, "worker", std::to_string(s.worker));
        add(s.scope != 0, "scope", std::to_string(s.scope));
        add(s.why != reason::none, "why", "reason::" + name_in(reasons, s.why));
        add(s.error != 0, "error", std::to_string(s.error));
        add(s.more != 0, "more", std::to_string(s.more));
        add(s.how != closing::drain, "how", "closing::" + name_in(closings, s.how));
        line("world.apply({" + content + "});");
        model_.apply(s);
        for (int r = 0; std::size_t(r) != all_.size(); ++r)
            if (const auto& events = model_.events(r); !events.empty())
                check(
                    "world.events(" + std::to_string(r) + ')',
                    "events{" + list(events, quoted) + '}'
                );
    }

    void check(const std::string& id, const runner& r)
    {
        if (!r.exists)
            return;
        check("world.is_running(" + id + ')', r.is_running() ? "true" : "false");
        check("world.failures_of(" + id + ')', numbers(r.failures));
    }

    void check(const std::string& id, const scope& c)
    {
        if (!c.exists)
            return;
        check("world.is_stopped(" + id + ')', c.stopped ? "true" : "false");
        check("world.errors_of(" + id + ')', numbers(c.errors));
        check("world.tasks_of(" + id + ')', "events{" + list(c.tasks, [](worker_id t) {
                                                return quoted(name(t));
                                            }) + '}');
    }

    template <class Enum, std::size_t N>
    static std::string name_in(const char* const (&names)[N], Enum value)
    {
        return names[static_cast<std::size_t>(value)];
    }

    static std::string name_of_manner(manner kind)
    {
        constexpr const char* names[] = {"deaf", "obedient", "producer"};
        return "manner::" + name_in(names, kind);
    }

    static std::string numbers(const std::vector<int>& all)
    {
        return "std::vector<int>{" +
               list(all, [](int number) { return std::to_string(number); }) + '}';
    }

    static std::string quoted(const std::string& words) { return '"' + words + '"'; }

    template <class Range, class Function>
    static std::string list(const Range& range, Function to_text)
    {
        std::string all;
        for (const auto& item : range)
            all += (all.empty() ? "" : ", ") + to_text(item);
        return all;
    }

    const cast& all_;
    runner_model model_;
    std::string text_;
};

[[nodiscard]] inline std::string to_text(const cast& all, const mismatch& found)
{
    return test_case_writer(all).write(found);
}

}  // namespace sluice::model::running
