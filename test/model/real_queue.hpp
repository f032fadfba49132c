// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/queue_model.hpp"
#include "model/queue_settings.hpp"
#include "model/step.hpp"
#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/detail/waiting/claim.hpp>
#include <sluice/detail/waiting/hub_registry.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/queue_stats.hpp>
#include <sluice/queue_end.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::model {

// Why: the same steps for the state machine of the library, and its answers in the words of
// the model.

/// Who was told an outcome, or freed, in one step.
struct news
{
    std::vector<int> told = {};
    std::vector<int> abandoned = {};
};

/// A waiter that notes when it is told its outcome, or freed.
template <class Role>
class noted final : public Role
{
public:
    template <class... Arguments>
    noted(int id, news& all, Arguments&&... arguments)
        : Role(std::forward<Arguments>(arguments)...), id_(id), news_(all)
    {
    }

private:
    // Its time begins, and is over when a step says so.
    [[nodiscard]] bool linger() noexcept override { return true; }

    void deliver(detail::waiter_list& /*others*/) noexcept override
    {
        news_.told.push_back(id_);
    }
    void abandon() noexcept override { news_.abandoned.push_back(id_); }
    [[nodiscard]] std::string describe() const override { return {}; }

    const int id_;
    news& news_;
};

/// Element number n as a T: itself, or a row of that length for a padding queue.
template <class T>
[[nodiscard]] T make_element(int number)
{
    if constexpr (std::is_same_v<T, int>)
        return number;
    else
        return T(static_cast<std::size_t>(number));
}

[[nodiscard]] inline int number_of(int element)
{
    return element;
}

[[nodiscard]] inline int number_of(const std::vector<int>& row)
{
    return int(row.size());
}

/// The numbers of a batch.
template <class T>
[[nodiscard]] std::vector<int> numbers_of(const std::vector<T>& batch)
{
    std::vector<int> numbers;
    for (const T& element : batch)
        numbers.push_back(number_of(element));
    return numbers;
}

/// The numbers of a batch whose rows must have the length of the longest.
template <class Batch>
    requires requires(Batch batch) { batch.lengths(); }
[[nodiscard]] std::vector<int> numbers_of(const Batch& batch)
{
    const auto& lengths = batch.lengths();
    std::vector<int> numbers(lengths.begin(), lengths.end());
    for (const auto& row : batch)
        if (row.size() != *std::max_element(lengths.begin(), lengths.end()))
            numbers.push_back(-1);  // equals nothing that the model expects
    return numbers;
}

template <class T, class Store>
class real_queue
{
public:
    explicit real_queue(const queue_settings& settings)
        : core_(new core_type(options_of(settings)))
    {
        core_->attach_home(std::make_shared<sluice::detail::hub_registry>(context(home)));
    }

    real_queue(const real_queue&) = delete;
    real_queue& operator=(const real_queue&) = delete;

    ~real_queue()
    {
        for (auto& [id, r] : records_)
            (void)core_->forget(r.waiter());
        core_->detach();
    }

    void apply(const step& s)
    {
        news_ = {};
        if (is_start(s))
            start(s);
        else if (is_close(s))
            close(s);
        else if (s.what == action::abandon)
            core_->abandon(context(s.id));
        else if (records_.contains(s.id))
            affect(records_.at(s.id), s.what);
    }

    [[nodiscard]] const news& last_news() const { return news_; }

    [[nodiscard]] queue_stats stats() const { return core_->stats(); }

    /// What can be seen of an operation.
    [[nodiscard]] operation look(int id)
    {
        record& r = records_.at(id);
        operation seen{.start = r.start, .now = state_of(r)};
        if (r.producer)
            seen.accepted = r.by_fast_path ? 1 : r.producer->accepted();
        else
            seen.elements = r.result ? *r.result : held_by(*r.consumer);
        if (r.start.how == manner::attempt)
            return seen;  // why it was not more its caller is not told
        seen.claimed = r.start.is_branch && r.claim.is_taken();
        seen.error = r.waiter().error();
        seen.cause = cause_of(r.waiter().exception_);
        if (r.consumer &&
            (seen.error == errc::end_of_queue || seen.error == errc::input_failed))
            seen.left = r.consumer->left();
        return seen;
    }

    /// The rows that did not go in are still with their owner, and whole.
    [[nodiscard]] bool has_kept_its_rows(int id, std::size_t accepted) const
    {
        const record& r = records_.at(id);
        for (std::size_t i = accepted; i < r.rows.size(); ++i)
            if (number_of(r.rows[i]) != r.start.first + int(i))
                return false;
        return true;
    }

private:
    using core_type = sluice::detail::queue_core<T, Store>;
    using producer = noted<typename core_type::producer>;
    using consumer = noted<typename core_type::consumer>;
    using attempt = sluice::detail::attempt;
    using delivery = sluice::detail::delivery;
    using wait_mode = sluice::detail::wait_mode;
    using phase = sluice::detail::waiter::phase;

    struct record
    {
        [[nodiscard]] sluice::detail::waiter& waiter()
        {
            if (producer)
                return *producer;
            return *consumer;
        }

        step start;
        sluice::detail::claim claim;  // of the select, if it is a branch
        std::vector<T> rows;
        std::optional<real_queue::producer> producer;  // one of these two
        std::optional<real_queue::consumer> consumer;
        bool complete = false;      // without having been a waiter
        bool by_fast_path = false;  // not even its waiter was used
        bool forgotten = false;
        std::optional<std::vector<int>> result;  // what the owner of a dequeue got
    };

    static typename Store::options_type options_of(const queue_settings& settings)
    {
        typename Store::options_type options{
            .capacity = settings.capacity,
            .weight_limit = settings.weight_limit,
            .overflow = settings.overflow
        };
        if constexpr (requires { options.seed; }) {
            options.min_after_dequeue = settings.min_after_dequeue;
            options.seed = settings.seed;
        }
        return options;
    }

    // Contexts are known by their addresses.
    [[nodiscard]] const void* context(int number) const
    {
        return &contexts_[static_cast<std::size_t>(number)];
    }

    // Starting ------------------------------------------------------------------------------

    void start(const step& s)
    {
        record& r = records_[s.id];
        r.start = s;
        if (s.what == action::enqueue) {
            for (const int row : rows_of(s))
                r.rows.push_back(make_element<T>(row));
            r.producer.emplace(s.id, news_, std::span<T>(r.rows));
            start(r, *r.producer);
        } else {
            r.consumer.emplace(s.id, news_, s.kind, s.count);
            start(r, *r.consumer);
        }
        if (state_of(r) == operation::state::delivered)
            take_result(r);
    }

    template <class Waiter>
    void start(record& r, Waiter& w)
    {
        if (r.start.is_branch)
            w.claim_ = &r.claim;
        if (r.start.context != 0)
            w.context_ = context(r.start.context);
        switch (r.start.how) {
        case manner::posted:
            return wait(w, delivery::always_posted, wait_mode::waits);
        case manner::at_once:
            return wait(w, delivery::inline_if_ready, wait_mode::waits);
        case manner::shortest:
            return take_the_shortest_way(r, w);
        case manner::impatient:
            return wait(w, delivery::always_posted, wait_mode::gives_up);
        case manner::expired:
            core_->cancel(w, errc::timed_out);
            return wait(w, delivery::inline_if_ready, wait_mode::waits);
        case manner::cancelled:
            core_->cancel(w, boost::asio::error::operation_aborted);
            return wait(w, delivery::always_posted, wait_mode::waits);
        case manner::attempt:
            wait(w, delivery::inline_if_ready, wait_mode::tries);
            r.complete = true;
        }
    }

    template <class Waiter>
    void wait(Waiter& w, delivery how, wait_mode waits)
    {
        // who has the outcome can be seen from the waiter
        [[maybe_unused]] const bool complete = core_->start(w, how, waits);
    }

    // As the awaiters do it.
    template <class Waiter>
    void take_the_shortest_way(record& r, Waiter& w)
    {
        const attempt tried = try_fast_path(r, w);
        r.by_fast_path = tried == attempt::done;
        r.complete = r.by_fast_path || (tried == attempt::unclear && core_->try_start(w));
        if (!r.complete)
            wait(w, delivery::inline_if_ready, wait_mode::waits);
    }

    attempt try_fast_path(record& r, producer& /*waiter*/)
    {
        return r.start.count == 1 ? core_->try_push(std::move(r.rows.front()))
                                  : attempt::unclear;
    }

    attempt try_fast_path(record& r, consumer& /*waiter*/)
    {
        if (r.start.kind != demand::one)
            return attempt::unclear;
        std::optional<T> item;
        const attempt tried = core_->try_pop(item);
        if (item)
            r.result = {number_of(*item)};
        return tried;
    }

    // Going on ------------------------------------------------------------------------------

    void affect(record& r, action what)
    {
        if (what == action::cancel)
            core_->cancel(r.waiter(), boost::asio::error::operation_aborted);
        else if (what == action::time_out)
            core_->cancel(r.waiter(), errc::timed_out);
        else if (what == action::expire)
            core_->expire(r.waiter());
        else if (what == action::forget) {
            (void)core_->forget(r.waiter());
            r.forgotten = true;
        } else if (what == action::lose) {
            if (state_of(r) == operation::state::waiting)
                (void)r.claim.try_take();
        } else if (state_of(r) == operation::state::decided) {
            core_->finish_delivery(r.waiter());
            take_result(r);
        }
    }

    void close(const step& s)
    {
        if (s.what == action::close)
            core_->close({close_mode::drain});
        else if (s.what == action::cancel_pending)
            core_->close({close_mode::cancel_pending});
        else if (s.what == action::close_with_cause)
            core_->close({.mode = close_mode::cancel_pending, .cause = cause(s.id)});
        else
            core_->shut_down();
    }

    const std::exception_ptr& cause(int number)
    {
        std::exception_ptr& cause = causes_[number];
        if (!cause)
            cause = std::make_exception_ptr(number);
        return cause;
    }

    // Seeing --------------------------------------------------------------------------------

    [[nodiscard]] static operation::state state_of(record& r)
    {
        if (r.forgotten)
            return operation::state::forgotten;
        const phase now = r.waiter().phase_;
        if (r.complete || now == phase::delivered)
            return operation::state::delivered;
        return now == phase::waiting ? operation::state::waiting
                                     : operation::state::decided;
    }

    [[nodiscard]] int cause_of(const std::exception_ptr& exception) const
    {
        for (const auto& [number, cause] : causes_)
            if (exception == cause)
                return number;
        return exception ? -1 : 0;
    }

    [[nodiscard]] static std::vector<int> held_by(consumer& c)
    {
        if (c.kind() != demand::one)
            return numbers_of(c.batch());
        return c.item() ? std::vector{number_of(*c.item())} : std::vector<int>();
    }

    // The owner of a batch gets it as the store's kind of batch.
    void take_result(record& r)
    {
        if (!r.consumer || r.result)
            return;
        if (r.start.kind == demand::one)
            r.result = held_by(*r.consumer);
        else
            r.result = numbers_of(core_->make_batch(*r.consumer));
    }

    boost::intrusive_ptr<core_type> core_;
    news news_;
    std::array<char, 3> contexts_{};
    std::map<int, record> records_;  // a map keeps its values where they are
    std::map<int, std::exception_ptr> causes_;
};

}  // namespace sluice::model
