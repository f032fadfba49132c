// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "model/noted.hpp"
#include "model/queue_model.hpp"
#include "model/select_step.hpp"
#include <sluice/close_mode.hpp>
#include <sluice/detail/waiting/hub_operation.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/detail/select_core.hpp>
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <boost/asio/error.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::model::selecting {

// Why: the same steps for the state machines of the library, and their answers in the words
// of the model.

using core_type = sluice::detail::queue_core<int, sluice::fifo_store<int>>;

// A dequeue of any kind, as a branch.
class any_dequeue : public sluice::detail::hub_operation<core_type, core_type::consumer>
{
public:
    struct arguments
    {
        core_type* core;
        demand kind;
        std::size_t count;
    };

    explicit any_dequeue(arguments&& args)
        : hub_operation(*args.core, args.kind, args.count)
    {
    }

    [[nodiscard]] std::string describe() const override { return {}; }
};

class any_enqueue : public sluice::detail::hub_operation<core_type, core_type::producer>
{
public:
    struct arguments
    {
        core_type* core;
        std::span<int> rows;
    };

    explicit any_enqueue(arguments&& args) : hub_operation(*args.core, args.rows) {}

    [[nodiscard]] std::string describe() const override { return {}; }
};

class real_select : public sluice::detail::select_core
{
public:
    void dequeue(core_type& core, demand kind, std::size_t count)
    {
        auto& added = taking_.emplace_back(
            any_dequeue::arguments{.core = &core, .kind = kind, .count = count},
            *this
        );
        entries_.push_back({.branch = &added, .producer = nullptr, .consumer = &added});
    }

    void enqueue(core_type& core, std::span<int> rows)
    {
        auto& added = giving_.emplace_back(
            any_enqueue::arguments{.core = &core, .rows = rows},
            *this
        );
        entries_.push_back({.branch = &added, .producer = &added, .consumer = nullptr});
    }

    void live_in(const void* context)
    {
        for (const entry& e : entries_)
            e.branch->node().context_ = context;
    }

    /// The index of the branch that was taken; -1 if there is none.
    [[nodiscard]] int taken() const
    {
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (entries_[i].branch == winner())
                return static_cast<int>(i);
        return -1;
    }

    [[nodiscard]] core_type::producer* producer(std::size_t index) const
    {
        return entries_[index].producer;
    }

    [[nodiscard]] core_type::consumer* consumer(std::size_t index) const
    {
        return entries_[index].consumer;
    }

private:
    struct entry
    {
        sluice::detail::select_branch* branch;
        core_type::producer* producer;  // one of these two
        core_type::consumer* consumer;
    };

    [[nodiscard]] std::size_t branch_count() const noexcept override
    {
        return entries_.size();
    }

    [[nodiscard]] sluice::detail::select_branch& branch(std::size_t index
    ) noexcept override
    {
        return *entries_[index].branch;
    }

    std::deque<sluice::detail::select_branch_of<any_dequeue>> taking_;
    std::deque<sluice::detail::select_branch_of<any_enqueue>> giving_;
    std::vector<entry> entries_;
};

class real_selects
{
public:
    explicit real_selects(const std::array<std::size_t, 2>& capacities)
    {
        for (std::size_t i = 0; i < 2; ++i) {
            cores_[i] = new core_type(
                sluice::fifo_store<int>(sluice::queue_options{}),
                capacities[i],
                "q"
            );
            cores_[i]->set_home_context(&contexts_[i + 1]);
        }
    }

    real_selects(const real_selects&) = delete;
    real_selects& operator=(const real_selects&) = delete;

    ~real_selects()
    {
        for (auto& [id, r] : records_)
            forget(r);
    }

    void apply(const step& s)
    {
        news_ = {};
        if (s.what == action::start)
            start(s);
        else if (s.what == action::abandon)
            for (const auto& core : cores_)
                core->abandon(&contexts_[static_cast<std::size_t>(s.id)]);
        else if (is_close(s))
            close(s);
        else if (records_.contains(s.id))
            affect(records_.at(s.id), s.what);
        for (const int id : news_.told)
            records_.at(id).is_decided = true;
        for (const int id : news_.abandoned)
            records_.at(id).is_over = true;
    }

    [[nodiscard]] const news& last_news() const { return news_; }

    [[nodiscard]] queue_stats stats(int queue) const { return core(queue).stats(); }

    [[nodiscard]] int taken(int id) const
    {
        const record& r = records_.at(id);
        return r.select ? r.select->taken() : -1;
    }

    /// The failure of the whole, if no branch was taken.
    [[nodiscard]] error_code error(int id) const
    {
        const record& r = records_.at(id);
        return r.select && r.select->taken() < 0 ? r.select->error() : error_code();
    }

    [[nodiscard]] model::operation::state state(int id) const
    {
        using state = model::operation::state;
        const record& r = records_.at(id);
        return r.is_over      ? state::delivered
               : r.is_decided ? state::decided
                              : state::waiting;
    }

    /// What can be seen of a branch: its outcome, or what it holds while it waits.
    [[nodiscard]] model::operation look(int id, std::size_t index)
    {
        record& r = records_.at(id);
        model::operation seen;
        if (auto* const p = r.producer_of(index)) {
            seen.error = p->error();
            seen.accepted = p->accepted();
        } else {
            auto& c = *r.consumer_of(index);
            seen.error = c.error();
            if (seen.error == errc::end_of_queue)
                seen.left = c.left();
            if (c.kind() != demand::one)
                seen.elements = c.batch();
            else if (c.item())
                seen.elements = {*c.item()};
        }
        return seen;
    }

    [[nodiscard]] const std::vector<int>& rows(int id, std::size_t index) const
    {
        return records_.at(id).rows.at(index);
    }

private:
    using producer = noted<core_type::producer>;
    using consumer = noted<core_type::consumer>;
    using delivery = sluice::detail::delivery;
    using deliveries = sluice::detail::wait_hub::deliveries;
    using wait_mode = sluice::detail::wait_mode;

    struct record
    {
        [[nodiscard]] core_type::producer* producer_of(std::size_t index)
        {
            if (select)
                return select->producer(index);
            return producer ? &*producer : nullptr;
        }

        [[nodiscard]] core_type::consumer* consumer_of(std::size_t index)
        {
            if (select)
                return select->consumer(index);
            return consumer ? &*consumer : nullptr;
        }

        [[nodiscard]] sluice::detail::waiter& single()
        {
            if (producer)
                return *producer;
            return *consumer;
        }

        core_type* core = nullptr;                 // of a single operation
        std::vector<std::vector<int>> rows;        // of each branch
        std::optional<noted<real_select>> select;  // one of these three
        std::optional<real_selects::producer> producer;
        std::optional<real_selects::consumer> consumer;
        bool is_decided = false;
        bool is_over = false;
    };

    [[nodiscard]] core_type& core(int queue) const
    {
        return *cores_[static_cast<std::size_t>(queue)];
    }

    // Starting ------------------------------------------------------------------------------

    void start(const step& s)
    {
        record& r = records_[s.id];
        for (const branch& b : s.branches) {
            r.rows.emplace_back(b.produces ? b.count : 0);
            std::iota(r.rows.back().begin(), r.rows.back().end(), b.first);
        }
        const void* const context = s.context == 0
                                        ? nullptr
                                        : &contexts_[static_cast<std::size_t>(s.context)];
        if (s.is_select)
            start_select(r, s, context);
        else
            start_single(r, s, context);
    }

    void start_select(record& r, const step& s, const void* context)
    {
        noted<real_select>& select = r.select.emplace(s.id, news_);
        for (std::size_t i = 0; i < s.branches.size(); ++i) {
            const branch& b = s.branches[i];
            if (b.produces)
                select.enqueue(core(b.queue), r.rows[i]);
            else
                select.dequeue(core(b.queue), b.kind, b.count);
        }
        select.live_in(context);
        if (s.how == manner::cancelled)
            select.cancel(boost::asio::error::operation_aborted);
        const bool expires = s.how == manner::expired;
        if (expires)
            select.cancel(errc::timed_out);
        r.is_over = (s.how == manner::shortest && select.try_start()) ||
                    select.start(
                        delivery_of(s.how),
                        expires ? wait_mode::waits : patience_of(s.how)
                    );
    }

    void start_single(record& r, const step& s, const void* context)
    {
        const branch& b = s.branches.front();
        r.core = &core(b.queue);
        if (b.produces)
            start_single(
                r,
                s.how,
                r.producer.emplace(s.id, news_, std::span<int>(r.rows.front())),
                context
            );
        else
            start_single(
                r,
                s.how,
                r.consumer.emplace(s.id, news_, b.kind, b.count),
                context
            );
    }

    template <class Waiter>
    void start_single(record& r, manner how, Waiter& waiter, const void* context)
    {
        waiter.context_ = context;
        if (how == manner::attempt) {
            r.core->flush(waiter);
            r.is_over = true;
        } else
            r.is_over = r.core->start(waiter, delivery_of(how), patience_of(how));
    }

    [[nodiscard]] static delivery delivery_of(manner how)
    {
        return how == manner::at_once || how == manner::shortest || how == manner::expired
                   ? delivery::inline_if_ready
                   : delivery::always_posted;
    }

    [[nodiscard]] static wait_mode patience_of(manner how)
    {
        return how == manner::impatient || how == manner::expired ? wait_mode::gives_up
                                                                  : wait_mode::waits;
    }

    // Going on ------------------------------------------------------------------------------

    void affect(record& r, action what)
    {
        if (r.is_over)
            return;
        if (what == action::forget)
            forget(r);
        else if (what != action::deliver)
            cancel(
                r,
                what == action::cancel ? error_code(boost::asio::error::operation_aborted)
                                       : error_code(errc::timed_out)
            );
        else if (r.is_decided)
            deliver(r);
    }

    static void cancel(record& r, error_code why)
    {
        if (r.select)
            r.select->cancel(why);
        else
            r.core->cancel(r.single(), why);
    }

    static void deliver(record& r)
    {
        r.is_over = true;
        if (r.select)
            r.select->finish_delivery();
        else
            r.core->finish_delivery(r.single());
    }

    static void forget(record& r)
    {
        r.is_over = true;
        if (r.select)
            r.select->forget(deliveries::over);
        else
            r.core->forget(r.single(), deliveries::over);
    }

    void close(const step& s)
    {
        if (s.what == action::close)
            core(s.queue).close(close_mode::drain, nullptr);
        else if (s.what == action::cancel_pending)
            core(s.queue).close(close_mode::cancel_pending, nullptr);
        else
            core(s.queue).shut_down();
    }

    std::array<char, 3> contexts_{};
    std::array<boost::intrusive_ptr<core_type>, 2> cores_;
    news news_;
    std::map<int, record> records_;  // a map keeps its values where they are
};

}  // namespace sluice::model::selecting
