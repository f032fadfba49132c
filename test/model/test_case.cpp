// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "model/test_case.hpp"

#include "model/figures.hpp"
#include "model/queue_model.hpp"
#include "model/step.hpp"
#include "unit/queue/short_name.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace sluice::model {

namespace {

class test_case_writer
{
public:
    explicit test_case_writer(const queue_settings& settings)
        : settings_(settings), model_(settings)
    {
    }

    std::string write(const mismatch& found)
    {
        text_ = "BOOST_AUTO_TEST_CASE(found_by_the_model)\n{\n";
        line("// " + found.what);
        if (any_of(found.taken, [](const step& s) { return s.is_branch; }))
            line("std::map<int, sluice::detail::claim> claims;");
        line(driver());
        if (any_of(found.taken, [](const step& s) {
                return s.context != 0 || s.what == action::abandon;
            })) {
            line("const char contexts[3] = {};");
            line("q.live_in(&contexts[1]);");
        }
        for (const step& s : found.taken)
            write(s);
        check("q.told()", quoted(told()));
        for (const figure& f : figures_of(model_.stats()))
            check(std::string("q.stats().") + f.name, std::to_string(f.value) + "U");
        for (const auto& [id, o] : model_.operations())
            if (o.start.how != manner::attempt && o.now != operation::state::forgotten)
                check(name(o.start) + ".text()", quoted(text_of(o)));
        return text_ + "}\n";
    }

private:
    // Lines ---------------------------------------------------------------------------------

    void line(const std::string& content) { text_ += "    " + content + '\n'; }

    void check(const std::string& seen, const std::string& expected)
    {
        line("BOOST_TEST(" + seen + " == " + expected + ");");
    }

    static std::string quoted(const std::string& content) { return '"' + content + '"'; }

    // Those that are not about the order.
    [[nodiscard]] std::string limits() const
    {
        std::string text;
        if (settings_.weight_limit != unbounded)
            text += ", .weight_limit = " + std::to_string(settings_.weight_limit);
        if (settings_.overflow != overflow::wait)
            text += std::string(", .overflow = sluice::overflow::") +
                    (settings_.overflow == overflow::drop_oldest ? "drop_oldest"
                                                                 : "drop_newest");
        return text;
    }

    [[nodiscard]] std::string options() const
    {
        const std::string capacity = std::to_string(settings_.capacity);
        const std::string others = limits();
        return others.empty()
                   ? capacity
                   : "sluice::queue_options{.capacity = " + capacity + others + "}";
    }

    [[nodiscard]] std::string driver() const
    {
        const std::string capacity = options();
        switch (settings_.kind) {
        case queue_kind::fifo:
            return "test::core_driver<> q(" + capacity + ");";
        case queue_kind::priority:
            return "test::core_driver<int, sluice::priority_store<int, "
                   "sluice::model::by_rank>> q(" +
                   capacity + ");";
        case queue_kind::padding:
            return "test::core_driver<std::vector<int>, "
                   "sluice::padding_store<std::vector<int>>> q(" +
                   capacity + ");";
        case queue_kind::shuffle:
            break;
        }
        return "test::core_driver<int, sluice::shuffle_store<int>> q({.capacity = " +
               std::to_string(settings_.capacity) +
               ", .min_after_dequeue = " + std::to_string(settings_.min_after_dequeue) +
               ", .seed = " + std::to_string(settings_.seed) + limits() + "});";
    }

    template <class Predicate>
    static bool any_of(const steps& list, Predicate is_one)
    {
        return std::any_of(list.begin(), list.end(), is_one);
    }

    // Steps ---------------------------------------------------------------------------------

    void write(const step& s)
    {
        model_.apply(s);
        if (is_start(s))
            write_start(s);
        else if (is_close(s))
            line(close(s));
        else if (s.what == action::abandon)
            write_abandon(s);
        else if (model_.operations().contains(s.id))
            line(affect(s));
        for (const int id : model_.told())
            told_.push_back(id);
    }

    void write_abandon(const step& s)
    {
        line("q.core().abandon(&contexts[" + std::to_string(s.id) + "]);");
        for (const int id : model_.abandoned())
            line(
                "BOOST_TEST(" + name(model_.operations().at(id).start) + ".abandoned());"
            );
    }

    void write_start(const step& s)
    {
        const std::string declaration = "auto& " + name(s) + " = q.";
        const operation& o = model_.operations().at(s.id);
        const bool complete = o.now == operation::state::delivered;
        if (s.how == manner::attempt) {
            line(attempt(o));
            return;
        }
        if (s.how == manner::posted && s.context == 0 && !s.is_branch) {
            line(declaration + verb(s) + ";");
            return;
        }
        line(declaration + "idle_" + role(s) + ";");
        if (s.is_branch)
            line(name(s) + ".claim_ = &" + claim(s) + ';');
        if (s.context != 0)
            line(name(s) + ".context_ = &contexts[" + std::to_string(s.context) + "];");
        if (s.how == manner::cancelled)
            line("q.cancel(" + name(s) + ");");
        else if (s.how == manner::expired)
            line("q.cancel(" + name(s) + ", sluice::errc::timed_out);");
        else if (s.how == manner::shortest)
            line("// the fast path comes first: try_push() or try_pop(), try_start()");
        const bool posted = s.how == manner::posted || s.how == manner::cancelled ||
                            s.how == manner::impatient;
        check(
            "q.core().start(" + name(s) + ", fifo::delivery::" +
                (posted ? "always_posted" : "inline_if_ready") + ", fifo::wait_mode::" +
                (s.how == manner::impatient ? "gives_up" : "waits") + ')',
            complete ? "true" : "false"
        );
    }

    [[nodiscard]] std::string attempt(const operation& o) const
    {
        if (o.produces())
            return "BOOST_TEST(q.put(" + rows(o.start) +
                   ") == " + std::to_string(o.accepted) + "U);";
        return "BOOST_TEST(q.take(" + std::to_string(o.start.count) +
               ") == " + quoted(list(o.elements)) + ");";
    }

    static std::string name(const step& s)
    {
        return (s.what == action::enqueue ? "p" : "c") + std::to_string(s.id);
    }

    static std::string claim(const step& s)
    {
        return "claims[" + std::to_string(s.id) + ']';
    }

    static std::string rows(const step& s)
    {
        std::string list;
        for (const int row : rows_of(s))
            list += (list.empty() ? "" : ", ") + std::to_string(row);
        return '{' + list + '}';
    }

    static std::string verb(const step& s)
    {
        if (s.what == action::enqueue)
            return "enqueue(" + quoted(name(s)) + ", " + rows(s) + ')';
        if (s.kind == demand::one)
            return "dequeue(" + quoted(name(s)) + ')';
        return "dequeue_" +
               std::string(
                   s.kind == demand::exactly ? "many"
                   : s.kind == demand::up_to ? "up_to"
                   : s.kind == demand::some  ? "some"
                                             : "lingering"
               ) +
               '(' + quoted(name(s)) + ", " + std::to_string(s.count) + ')';
    }

    static std::string role(const step& s)
    {
        if (s.what == action::enqueue)
            return "producer(" + quoted(name(s)) + ", " + rows(s) + ')';
        constexpr const char* kinds[] = {"one", "exactly", "up_to", "some", "linger"};
        return "consumer(" + quoted(name(s)) +
               ", fifo::demand::" + kinds[static_cast<std::size_t>(s.kind)] + ", " +
               std::to_string(s.count) + ')';
    }

    [[nodiscard]] std::string affect(const step& s) const
    {
        const std::string who = name(model_.operations().at(s.id).start);
        if (s.what == action::lose)
            return "BOOST_TEST(" + claim(s) + ".try_take());";
        if (s.what == action::time_out)
            return "q.cancel(" + who + ", sluice::errc::timed_out);";
        const char* const verb = s.what == action::cancel    ? "cancel"
                                 : s.what == action::expire  ? "expire"
                                 : s.what == action::deliver ? "finish"
                                                             : "forget";
        return "q." + std::string(verb) + '(' + who + ");";
    }

    static std::string close(const step& s)
    {
        if (s.what == action::close)
            return "q.close();";
        if (s.what == action::cancel_pending)
            return "q.close(close_mode::cancel_pending);";
        if (s.what == action::close_with_cause)
            return "q.close(close_mode::cancel_pending, std::make_exception_ptr(" +
                   std::to_string(s.id) + "));";
        return "q.core().shut_down();";
    }

    // What is expected, as core_driver writes it --------------------------------------------

    [[nodiscard]] std::string told() const
    {
        std::string labels;
        for (const int id : told_)
            labels += (labels.empty() ? "" : " ") +
                      name(model_.operations().at(id).start);
        return labels;
    }

    [[nodiscard]] std::string text_of(const operation& o) const
    {
        const bool waits = o.now == operation::state::waiting;
        if (o.produces()) {
            const std::string in = o.accepted == 0
                                       ? ""
                                       : ", " + std::to_string(o.accepted) + " in";
            return waits ? "waits" + in : o.error ? test::short_name(o.error) + in : "ok";
        }
        if (waits)
            return o.elements.empty() ? "waits" : "waits " + list(o.elements);
        if (o.error == errc::end_of_queue || o.error == errc::input_failed)
            return test::short_name(o.error) + (" (" + std::to_string(o.left) + " left)");
        if (o.error)
            return test::short_name(o.error);
        return o.start.kind == demand::one ? element(o.elements.front())
                                           : list(o.elements);
    }

    [[nodiscard]] std::string list(const std::vector<int>& elements) const
    {
        std::string content;
        for (const int number : elements)
            content += (content.empty() ? "" : ", ") + element(number);
        return '[' + content + ']';
    }

    // The rows of a padding queue are as many zeros as their number.
    [[nodiscard]] std::string element(int number) const
    {
        if (settings_.kind != queue_kind::padding)
            return std::to_string(number);
        std::string zeros;
        for (; number > 0; --number)
            zeros += zeros.empty() ? "0" : ", 0";
        return '[' + zeros + ']';
    }

    const queue_settings settings_;
    queue_model model_;
    std::vector<int> told_;
    std::string text_;
};

}  // namespace

std::string to_test_case(const queue_settings& settings, const mismatch& found)
{
    return test_case_writer(settings).write(found);
}

}  // namespace sluice::model
