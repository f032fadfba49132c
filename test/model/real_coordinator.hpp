// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/coordinator_model.hpp"
#include "model/coordinator_step.hpp"
#include "model/idle_queue.hpp"
#include "model/noted.hpp"
#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/error.hpp>

#include <boost/asio/error.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sluice::model::coordination {

// Why: the same steps for the state machine of the library, and its answers in the words of
// the model. Its tasks and queues do nothing by themselves; its clock stands still.

/// What became known in one step.
struct news : model::news
{
    std::vector<std::string> events = {};
};

/// An exception that clean_rule::own calls clean.
struct harmless
{
};

class real_coordinator
{
public:
    explicit real_coordinator(clean_rule rule)
    {
        add_scope(0, options_of(rule), nullptr);
    }

    real_coordinator(const real_coordinator&) = delete;
    real_coordinator& operator=(const real_coordinator&) = delete;

    // Whatever is left goes, in the order in which it usually does.
    ~real_coordinator()
    {
        while (!tasks_.empty())
            end_task({.id = tasks_.begin()->first});
        for (auto& [id, r] : operations_)
            if (r.core)
                forget(r);
        while (!scopes_.empty())
            destroy(std::prev(scopes_.end())->first);
    }

    void apply(const step& s)
    {
        news_ = {};
        if (is_start(s))
            start(s);
        else if (s.what >= action::cancel && s.what <= action::forget)
            affect(s);
        else
            happen(s);
    }

    [[nodiscard]] const news& last_news() const { return news_; }

    [[nodiscard]] bool exists(int id) const { return scopes_.contains(id); }

    // Of a coordinator that exists -----------------------------------------------------------

    [[nodiscard]] bool is_stopped(int id) const { return core(id).should_stop(); }

    [[nodiscard]] bool has_stopped_token(int id) const
    {
        return core(id).get_stop_token().stop_requested();
    }

    [[nodiscard]] bool is_joined(int id) const { return core(id).joined(); }

    [[nodiscard]] std::vector<int> errors_of(int id) const
    {
        std::vector<int> numbers;
        for (const std::exception_ptr& exception : core(id).exceptions())
            numbers.push_back(number_of(exception));
        return numbers;
    }

    /// 0 if there is none.
    [[nodiscard]] int first_error_of(int id) const
    {
        try {
            core(id).rethrow_requested_exception();
            return 0;
        } catch (...) {
            return number_of(std::current_exception());
        }
    }

    [[nodiscard]] std::vector<int> tasks_of(int id) const
    {
        std::vector<int> numbers;
        for (const task_info& info : core(id).tasks())
            numbers.push_back(std::stoi(info.name.substr(1)));
        return numbers;
    }

    [[nodiscard]] std::optional<int> next_due(int id) const
    {
        const auto due = core(id).next_due();
        return due ? std::optional(int((*due - time_zero) / std::chrono::hours(1)))
                   : std::nullopt;
    }

    /// What can be seen of an operation that was started.
    [[nodiscard]] operation look(int id) const
    {
        const record& r = operations_.at(id);
        operation seen{.start = r.start, .now = r.state()};
        if (seen.now == operation::state::decided ||
            seen.now == operation::state::delivered)
            seen.outcome = outcome_of(r.waiter());
        return seen;
    }

private:
    using base = sluice::detail::coordinator_core;
    using base_ptr = boost::intrusive_ptr<base>;
    using clock = sluice::detail::time_limit::clock;
    using delivery = sluice::detail::delivery;
    using deliveries = sluice::detail::wait_hub::deliveries;
    using wait_mode = sluice::detail::wait_mode;
    using phase = sluice::detail::waiter::phase;

    static constexpr clock::time_point time_zero{std::chrono::hours(1000)};

    // With a clock and a grace timer as simple as they can be; like the real one, the timer
    // keeps its coordinator while it runs.
    class scope_core final : public base
    {
    public:
        scope_core(
            real_coordinator& world,
            int id,
            coordinator_options options,
            core_ptr parent
        )
            : coordinator_core(std::move(options), std::move(parent)),
              world_(world),
              id_(id)
        {
        }

    private:
        void changed() noexcept override
        {
            if (const auto due = next_due())
                world_.timers_[id_] = {this, *due};
            else
                world_.timers_.erase(id_);
        }

        [[nodiscard]] clock::time_point now() const noexcept override
        {
            return world_.now_;
        }

        real_coordinator& world_;
        const int id_;
    };

    // An operation; it holds its coordinator until it is over.
    struct record
    {
        [[nodiscard]] sluice::detail::waiter& waiter()
        {
            return stop ? static_cast<sluice::detail::waiter&>(*stop) : *join;
        }

        [[nodiscard]] const sluice::detail::waiter& waiter() const
        {
            return stop ? static_cast<const sluice::detail::waiter&>(*stop) : *join;
        }

        [[nodiscard]] operation::state state() const
        {
            if (forgotten)
                return operation::state::forgotten;
            const phase now = waiter().phase_;
            if (now == phase::waiting)
                return operation::state::waiting;
            return now == phase::delivered ? operation::state::delivered
                                           : operation::state::decided;
        }

        step start;
        const void* context = nullptr;
        base_ptr core;
        std::optional<noted<sluice::detail::stop_waiter>> stop;  // one of these two
        std::optional<noted<sluice::detail::join_waiter>> join;
        bool forgotten = false;
    };

    class noted_task final : public sluice::detail::supervised_task
    {
    public:
        noted_task(int id, news& all, std::shared_ptr<void> companion)
            : supervised_task("t" + std::to_string(id), std::move(companion)),
              id_(id),
              news_(all)
        {
        }

    private:
        void cancel() noexcept override
        {
            news_.events.push_back(numbered("cancel", id_));
        }

        const int id_;
        news& news_;
    };

    class noted_queue final : public idle_queue
    {
    public:
        noted_queue(int id, news& all) : idle_queue({}), id_(id), news_(all) {}

        void close(close_mode mode, std::exception_ptr cause) noexcept override
        {
            const bool as_promised = mode == close_mode::cancel_pending && !cause;
            if (!orphaned)
                news_.events.push_back(
                    numbered(as_promised ? "close" : "close wrongly", id_)
                );
        }

    private:
        const int id_;
        news& news_;
    };

    struct token_call
    {
        void operator()() const { all->events.push_back(numbered("token of", id)); }

        news* all;
        int id;
    };

    struct scope_record
    {
        base_ptr core;
        std::optional<std::stop_callback<token_call>> on_stop;
    };

    struct task_record
    {
        base_ptr core;
        std::shared_ptr<noted_task> task;
    };

    struct timer
    {
        base_ptr core;
        clock::time_point due;
    };

    [[nodiscard]] base& core(int id) const { return *scopes_.at(id).core; }

    [[nodiscard]] const void* context(int number) const
    {
        return number == 0 ? nullptr : &contexts_[static_cast<std::size_t>(number)];
    }

    static coordinator_options options_of(clean_rule rule)
    {
        if (rule == clean_rule::by_default)
            return {};
        if (rule == clean_rule::none)
            return {.is_clean_stop = nullptr};
        return {.is_clean_stop = [](const std::exception_ptr& exception) {
            try {
                std::rethrow_exception(exception);
            } catch (const harmless&) {
                return true;
            } catch (...) {
                return false;
            }
        }};
    }

    // Coordinators ---------------------------------------------------------------------------

    void happen(const step& s)
    {
        switch (s.what) {
        case action::make_child:
            return add_scope(s.id, core(s.scope).options(), scopes_.at(s.scope).core);
        case action::request_stop:
            return request_stop(s);
        case action::clear_stop:
            core(s.scope).clear_stop();
            return watch_token(s.scope);
        case action::destroy:
            return destroy(s.scope);
        case action::add_queue:
            queues_[s.id] = new noted_queue(s.id, news_);
            return core(s.scope).close_on_stop(queues_[s.id]);
        case action::lose_queue:
            if (queues_.contains(s.id))
                queues_[s.id]->orphaned = true;
            queues_.erase(s.id);
            return;
        case action::add_task:
            return add_task(s.scope, s.id);
        case action::end_task:
            return end_task(s);
        case action::abandon:
            return abandon(context(s.id));
        default:
            return pass_time(std::chrono::hours(s.hours));
        }
    }

    void add_scope(int id, coordinator_options options, base_ptr parent)
    {
        const base_ptr added(
            new scope_core(*this, id, std::move(options), std::move(parent))
        );
        scopes_[id].core = added;
        watch_token(id);
        added->join_parent();
    }

    void watch_token(int id)
    {
        scopes_.at(id).on_stop.emplace(core(id).get_stop_token(), token_call{&news_, id});
    }

    void request_stop(const step& s)
    {
        try {
            core(s.scope).request_stop(exception_of(s));
        } catch (...) {
            news_.events.push_back(numbered("throws", number_of(std::current_exception()))
            );
        }
    }

    void destroy(int id)
    {
        const auto gone = scopes_.extract(id);
        gone.mapped().core->shut_down();
        gone.mapped().core = nullptr;
    }

    void pass_time(clock::duration duration)
    {
        now_ += duration;
        const auto timers = timers_;
        for (const auto& [id, t] : timers)
            if (t.due <= now_) {
                timers_.erase(id);
                t.core->expire_joins(now_);
                rearm(id, t.core);
            }
    }

    void rearm(int id, const base_ptr& core)
    {
        if (const auto due = core->next_due())
            timers_[id] = {core, *due};
    }

    // Tasks ----------------------------------------------------------------------------------

    void add_task(int scope, int id)
    {
        const std::shared_ptr<void> companion(nullptr, [this, id](void*) {
            if (const auto found = tasks_.find(id); found != tasks_.end())
                news_.events.push_back(release_of(id, found->second.core->tasks().size())
                );
        });
        auto added = std::make_shared<noted_task>(id, news_, companion);
        try {
            core(scope).add_task(added);
            tasks_[id] = {scopes_.at(scope).core, std::move(added)};
        } catch (const system_error& error) {
            const bool by_stop = error.code() == errc::stop_requested;
            news_.events.push_back(numbered(by_stop ? "refuses" : "fails on", id));
        }
    }

    void end_task(const step& s)
    {
        const auto found = tasks_.find(s.id);
        if (found == tasks_.end())
            return;
        const task_record ended = found->second;
        ended.core->task_ended(ended.task, exception_of(s));
        tasks_.erase(s.id);
    }

    // Operations -----------------------------------------------------------------------------

    void start(const step& s)
    {
        record& r = operations_[s.id];
        r.start = s;
        r.context = context(s.context);
        r.core = scopes_.at(s.scope).core;
        if (s.what == action::wait_for_stop)
            start(r, r.stop.emplace(s.id, news_));
        else
            start(r, r.join.emplace(s.id, news_, grace_period(s.hours)));
        if (r.state() == operation::state::delivered)
            r.core = nullptr;
    }

    template <class Waiter>
    static void start(const record& r, Waiter& w)
    {
        base& core = *r.core;
        w.context_ = r.context;
        wait_mode waits = wait_mode::waits;
        if (r.start.how == manner::cancelled)
            core.cancel(w, boost::asio::error::operation_aborted);
        else if (r.start.how == manner::expired)
            core.cancel(w, errc::timed_out);
        else if (r.start.how == manner::impatient)
            waits = wait_mode::gives_up;
        else if (r.start.how == manner::shortest && try_start(core, w))
            return;
        const bool posted = r.start.how == manner::posted ||
                            r.start.how == manner::cancelled;
        // who has the outcome can be seen from the waiter
        [[maybe_unused]] const bool complete = core.start(
            w,
            posted ? delivery::always_posted : delivery::inline_if_ready,
            waits
        );
    }

    // As the awaiters do it.
    template <class Waiter>
    static bool try_start(base& core, Waiter& w)
    {
        if (!core.start(w, delivery::inline_if_ready, wait_mode::gives_up))
            return false;
        if (w.error() != errc::timed_out)
            return true;
        w.rearm();
        return false;
    }

    void affect(const step& s)
    {
        const auto found = operations_.find(s.id);
        if (found == operations_.end() || !found->second.core)
            return;
        record& r = found->second;
        if (s.what == action::cancel)
            r.core->cancel(r.waiter(), boost::asio::error::operation_aborted);
        else if (s.what == action::time_out)
            r.core->cancel(r.waiter(), errc::timed_out);
        else if (s.what == action::forget)
            forget(r);
        else if (r.state() == operation::state::decided) {
            r.core->finish_delivery(r.waiter());
            r.core = nullptr;
        }
    }

    static void forget(record& r)
    {
        r.core->forget(r.waiter(), deliveries::over);
        r.core = nullptr;
        r.forgotten = true;
    }

    // What the registry of a context does with those that know it.
    void abandon(const void* context)
    {
        std::map<int, base_ptr> cores;
        for (const auto& [id, r] : operations_)
            if (r.core)
                cores[r.start.scope] = r.core;
        for (const auto& [id, core] : cores)
            core->abandon(context);
        for (const int id : news_.abandoned) {
            operations_.at(id).forgotten = true;
            operations_.at(id).core = nullptr;
        }
    }

    // Words ----------------------------------------------------------------------------------

    static sluice::detail::time_limit grace_period(int hours)
    {
        return sluice::detail::time_limit::within(std::chrono::hours(hours));
    }

    std::exception_ptr exception_of(const step& s)
    {
        if (s.why == reason::none)
            return nullptr;
        std::exception_ptr& exception = exceptions_[s.error];
        if (!exception)
            exception = make_exception(s.why, s.error);
        return exception;
    }

    static std::exception_ptr make_exception(reason why, int number)
    {
        const auto with = [](error_code code) {
            return std::make_exception_ptr(system_error(code));
        };
        switch (why) {
        case reason::harmless:
            return std::make_exception_ptr(harmless());
        case reason::end_of_queue:
            return with(errc::end_of_queue);
        case reason::queue_closed:
            return with(errc::queue_closed);
        case reason::stop_requested:
            return with(errc::stop_requested);
        case reason::aborted:
            return with(boost::asio::error::operation_aborted);
        default:
            return std::make_exception_ptr(number);
        }
    }

    [[nodiscard]] int number_of(const std::exception_ptr& exception) const
    {
        for (const auto& [number, known] : exceptions_)
            if (exception == known)
                return number;
        return -1;
    }

    [[nodiscard]] std::string outcome_of(const sluice::detail::waiter& w) const
    {
        if (!w.failed())
            return w.exception_ ? "an exception without an error" : "ok";
        if (w.error() == errc::tasks_still_running && number_of(w.exception_) < 0)
            return running(named_in(message_of(w.exception_)));
        if (w.exception_)
            return numbered("error", number_of(w.exception_));
        if (w.error() == boost::asio::error::operation_aborted)
            return "aborted";
        return w.error() == errc::timed_out ? "timed out" : w.error().message();
    }

    // The numbers of the tasks 't1', 't2' and so on.
    static std::vector<int> named_in(const std::string& message)
    {
        std::vector<int> numbers;
        for (auto at = message.find("'t"); at != std::string::npos;
             at = message.find("'t", at + 1))
            numbers.push_back(std::stoi(message.substr(at + 2)));
        return numbers;
    }

    news news_;
    clock::time_point now_ = time_zero;
    std::array<char, 3> contexts_{};
    std::map<int, timer> timers_;
    std::map<int, scope_record> scopes_;  // those that were not destroyed
    std::map<int, task_record> tasks_;    // those that have not ended
    std::map<int, record> operations_;    // a map keeps its values where they are
    std::map<int, boost::intrusive_ptr<noted_queue>> queues_;
    std::map<int, std::exception_ptr> exceptions_;
};

}  // namespace sluice::model::coordination
