// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/idle_queue.hpp"
#include "model/runner_model.hpp"
#include "model/runner_step.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/detail/awaiting/budget.hpp>
#include <sluice/error.hpp>
#include <sluice/runner/queue_runner.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::model::running {

// Why: the same steps for the runners of the library, and their answers in the words of the
// model. What decides when a worker ends is its coroutine, so there is an io_context; it runs
// only when a step says so. The queues do nothing but write down how they were closed.

namespace asio = boost::asio;

/// An exception that the coordinators call clean.
struct harmless
{
};

/// What a worker waits for in a call of its operation.
class gate
{
public:
    gate() = default;
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate() { forget(); }

    [[nodiscard]] bool is_waiting() const { return waiting_ != nullptr; }

    /// The wait ends, with an exception or without.
    void open(std::exception_ptr exception)
    {
        if (const auto waiting = std::move(waiting_))
            waiting->complete(std::move(exception));
    }

    /// Destroys the coroutine that waits, when it is its turn: Asio posts that.
    void forget() { const auto destroyed = std::move(waiting_); }

    /// Not for two at a time. A deaf one takes no notice of a cancellation.
    asio::awaitable<void> wait(bool deaf)
    {
        return asio::
            async_initiate<const asio::use_awaitable_t<>, void(std::exception_ptr)>(
                [this, deaf](auto handler) {
                    using handler_type = decltype(handler);
                    auto slot = asio::get_associated_cancellation_slot(handler);
                    waiting_ = std::make_unique<suspended<handler_type>>(std::move(handler
                    ));
                    if (slot.is_connected() && !deaf)
                        slot.assign([this](asio::cancellation_type) {
                            open(std::make_exception_ptr(
                                system_error(asio::error::operation_aborted)
                            ));
                        });
                },
                asio::use_awaitable
            );
    }

private:
    struct suspended_base
    {
        virtual ~suspended_base() = default;
        virtual void complete(std::exception_ptr exception) = 0;
    };

    template <class Handler>
    struct suspended final : suspended_base
    {
        explicit suspended(Handler h) : handler(std::move(h)) {}

        void complete(std::exception_ptr exception) override
        {
            auto executor = asio::get_associated_executor(handler);
            asio::post(
                executor,
                [h = std::move(handler), e = std::move(exception)]() mutable {
                    std::move(h)(std::move(e));
                }
            );
        }

        Handler handler;
    };

    std::unique_ptr<suspended_base> waiting_;
};

class real_runners
{
public:
    explicit real_runners(const cast& all) : events_(all.size()), entries_(all.size())
    {
        for (int i = 0; i != 2; ++i)
            scopes_.push_back(std::make_unique<coordinator>(*context_, own_rule()));
        for (std::size_t i = 0; i != all.size(); ++i)
            make_runner(static_cast<int>(i), all[i]);
    }

    real_runners(const real_runners&) = delete;
    real_runners& operator=(const real_runners&) = delete;

    ~real_runners() { lose_context(); }

    void apply(const step& s)
    {
        for (std::vector<std::string>& events : events_)
            events.clear();
        switch (s.what) {
        case action::start:
            return start(s, [&] { return runner_of(s).start(*scope_of(s)); });
        case action::start_alone:
            return start(s, [&] { return runner_of(s).start(*context_); });
        case action::finish:
            entry_of(s).more[index(s.worker)] = s.more;
            return gate_of(s).open(exception_of(s));
        case action::forget:
            return gate_of(s).forget();
        case action::close:
            return close(s);
        case action::request_stop:
            return scope_of(s)->request_stop(exception_of(s));
        case action::clear_stop:
            return scope_of(s)->clear_stop();
        case action::destroy_scope: {
            const auto destroyed = std::move(scope_of(s));
            return;
        }
        case action::destroy_runner:
            return entry_of(s).runner.reset();
        case action::lose_context:
            lose_context();
            context_.emplace();
            return;
        case action::run:
            return run();
        }
    }

    /// As in the model.
    [[nodiscard]] const std::vector<std::string>& events(int runner) const
    {
        return events_.at(index(runner));
    }

    // Of what exists -------------------------------------------------------------------------

    [[nodiscard]] bool is_running(int runner) const
    {
        return entries_.at(index(runner)).runner->is_running();
    }

    [[nodiscard]] std::vector<int> failures_of(int runner) const
    {
        return numbers_of(entries_.at(index(runner)).runner->exceptions_raised());
    }

    [[nodiscard]] bool is_waiting(worker_id id) const
    {
        return entries_.at(index(id.runner)).gates.at(index(id.worker))->is_waiting();
    }

    [[nodiscard]] bool is_stopped(int scope) const
    {
        return scopes_.at(index(scope))->should_stop();
    }

    [[nodiscard]] std::vector<int> errors_of(int scope) const
    {
        return numbers_of(scopes_.at(index(scope))->exceptions());
    }

    [[nodiscard]] std::vector<std::string> tasks_of(int scope) const
    {
        std::vector<std::string> names;
        for (const task_info& info : scopes_.at(index(scope))->tasks())
            names.push_back(info.name);
        return names;
    }

private:
    class noted_queue final : public idle_queue
    {
    public:
        noted_queue(int number, real_runners& world)
            : idle_queue("r" + std::to_string(number)), number_(number), world_(world)
        {
        }

        void close(close_mode mode, std::exception_ptr cause) noexcept override
        {
            if (mode == close_mode::drain)
                world_.closed(number_, closing::drain, 0);
            else if (cause)
                world_.closed(number_, closing::with_cause, world_.number_of(cause));
            else
                world_.closed(number_, closing::cancel_pending, 0);
        }

    private:
        const int number_;
        real_runners& world_;
    };

    // What a runner is made of, as far as it needs to be a queue.
    struct queue_handle
    {
        [[nodiscard]] noted_queue& core() const { return *queue; }

        noted_queue* queue;
    };

    struct entry
    {
        std::vector<manner> kinds;
        std::vector<std::unique_ptr<gate>> gates;
        std::vector<int> more;  // how many calls return at once
        bool closed = false;
        boost::intrusive_ptr<noted_queue> queue;
        std::unique_ptr<queue_runner> runner;
    };

    static coordinator_options own_rule()
    {
        return {.is_clean_stop = [](const std::exception_ptr& exception) {
            try {
                std::rethrow_exception(exception);
            } catch (const harmless&) {
                return true;
            } catch (...) {
                return is_clean_stop(exception);
            }
        }};
    }

    static std::size_t index(int number) { return static_cast<std::size_t>(number); }

    entry& entry_of(const step& s) { return entries_.at(index(s.runner)); }

    gate& gate_of(const step& s) { return *entry_of(s).gates.at(index(s.worker)); }

    queue_runner& runner_of(const step& s) { return *entry_of(s).runner; }

    std::unique_ptr<coordinator>& scope_of(const step& s)
    {
        return scopes_.at(index(s.scope));
    }

    void make_runner(int number, const std::vector<manner>& kinds)
    {
        entry& e = entries_[index(number)];
        e.kinds = kinds;
        e.more.resize(kinds.size());
        e.queue = new noted_queue(number, *this);
        std::vector<queue_runner::operation> operations;
        for (std::size_t i = 0; i != kinds.size(); ++i) {
            e.gates.push_back(std::make_unique<gate>());
            operations.emplace_back([this, &e, id = worker_id{number, int(i)}] {
                return call(e, id);
            });
        }
        queue_handle handle{e.queue.get()};
        e.runner = std::make_unique<queue_runner>(handle, std::move(operations));
    }

    // The operation of a worker.
    asio::awaitable<void> call(entry& e, worker_id id)
    {
        const std::size_t i = index(id.worker);
        events_[index(id.runner)].push_back("call " + name(id));
        if (e.kinds[i] == manner::producer && e.closed)
            throw system_error(errc::queue_closed);
        if (e.more[i] == 0)
            co_await e.gates[i]->wait(e.kinds[i] == manner::deaf);
        else
            --e.more[i];
    }

    template <class Function>
    void start(const step& s, Function begin)
    {
        std::vector<std::string>& events = events_.at(index(s.runner));
        try {
            events.emplace_back(begin() ? "started" : "runs already");
        } catch (const system_error& error) {
            const bool by_stop = error.code() == errc::stop_requested;
            events.emplace_back(by_stop ? "stopped" : error.what());
        }
    }

    void run()
    {
        constexpr int many = 10'000;
        int handlers = 0;
        context_->restart();
        for (sluice::detail::budget::reset(); context_->poll_one() != 0;)
            if (++handlers == many) {
                events_.front().emplace_back("does not come to rest");
                return;
            }
    }

    // What waits has its coroutine, so it goes before the context.
    void lose_context()
    {
        for (entry& e : entries_)
            for (const auto& g : e.gates)
                g->forget();
        context_.reset();
        for (auto& scope : scopes_)
            const auto destroyed = std::move(scope);  // whoever asks finds none
    }

    // Queues ---------------------------------------------------------------------------------

    void close(const step& s)
    {
        noted_queue& queue = *entry_of(s).queue;
        if (s.how == closing::drain)
            queue.close(close_mode::drain, nullptr);
        else
            queue.close(
                close_mode::cancel_pending,
                s.how == closing::with_cause ? numbered(s.error) : nullptr
            );
    }

    void closed(int queue, closing how, int cause)
    {
        std::string stops;
        for (const auto& scope : scopes_)
            stops += !scope ? '-' : scope->should_stop() ? '1' : '0';
        events_[index(queue)].push_back(closing_of(queue, how, cause, stops));
        entry& e = entries_[index(queue)];
        e.closed = true;
        for (std::size_t i = 0; how != closing::drain && i != e.gates.size(); ++i)
            if (e.kinds[i] == manner::producer)
                e.gates[i]->open(std::make_exception_ptr(system_error(errc::queue_closed))
                );
    }

    // Exceptions -----------------------------------------------------------------------------

    std::exception_ptr exception_of(const step& s)
    {
        const auto with = [&](auto code) {
            return exceptions_[s.error] = std::make_exception_ptr(system_error(code));
        };
        switch (s.why) {
        case reason::none:
            return nullptr;
        case reason::broken:
            return numbered(s.error);
        case reason::harmless:
            return exceptions_[s.error] = std::make_exception_ptr(harmless());
        case reason::end_of_queue:
            return with(errc::end_of_queue);
        case reason::queue_closed:
            return with(errc::queue_closed);
        case reason::stop_requested:
            return with(errc::stop_requested);
        case reason::aborted:
            break;
        }
        return with(asio::error::operation_aborted);
    }

    std::exception_ptr numbered(int error)
    {
        return exceptions_[error] = std::make_exception_ptr(error);
    }

    [[nodiscard]] int number_of(const std::exception_ptr& exception) const
    {
        for (const auto& [number, known] : exceptions_)
            if (exception == known)
                return number;
        return -1;
    }

    [[nodiscard]] std::vector<int> numbers_of(const std::vector<std::exception_ptr>& list
    ) const
    {
        std::vector<int> numbers;
        for (const std::exception_ptr& exception : list)
            numbers.push_back(number_of(exception));
        return numbers;
    }

    std::vector<std::vector<std::string>> events_;  // of each runner
    std::map<int, std::exception_ptr> exceptions_;
    std::vector<entry> entries_;
    std::optional<asio::io_context> context_{std::in_place};
    std::vector<std::unique_ptr<coordinator>> scopes_;  // empty if destroyed
};

}  // namespace sluice::model::running
