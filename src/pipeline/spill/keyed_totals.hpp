// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "pipeline/spill/in_steps.hpp"
#include "pipeline/spill/keyed_table.hpp"
#include "pipeline/spill/merge.hpp"
#include "pipeline/spill/run.hpp"
#include "pipeline/spill/run_set.hpp"
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::pipeline::spill {

// What all workers of a stage have of each key. Each fills a table of its own; what they take
// together is limited, and goes to disk beyond.
/*
 * A worker calls enter(), then spill() wherever is_full(), and leave() at its end. When all have
 * left there is prepare(), and then next() until it is false.
 *
 * Thread safety: several workers at a time, until prepare().
 */
template <class Form>
class keyed_totals
{
public:
    using table = keyed_table<Form>;
    using value = typename Form::value;

    explicit keyed_totals(std::uint64_t memory, Form form = {})
        : form_(std::move(form)), memory_(memory)
    {
    }

    // From now on the memory is shared by one worker more.
    void enter() noexcept { workers_.fetch_add(1, std::memory_order_relaxed); }

    // Whether a worker has more than its share.
    [[nodiscard]] bool is_full(table& own) const noexcept
    {
        // what is asked for each element must cost nothing
        return own.has_grown() &&
               own.exceeds(memory_ / workers_.load(std::memory_order_relaxed));
    }

    // Puts all to disk that the table has.
    [[nodiscard]] boost::asio::awaitable<void> spill(table& own, stage_context& context)
    {
        co_await in_steps(context, [this, &own] {
            const std::optional<run> spilled = own.spill_step(form_);
            if (spilled)
                add(*spilled);
            return !spilled;
        });
    }

    void leave(table&& own)
    {
        const std::lock_guard lock(mutex_);
        if (!own.empty())
            tables_.push_back(std::move(own));
    }

    // Brings the tables of all workers together.
    [[nodiscard]] boost::asio::awaitable<void> prepare(stage_context& context)
    {
        while (tables_.size() > 1 && runs_.empty())
            co_await unite_last(context);
        if (!runs_.empty()) {
            for (table& each : tables_)
                co_await spill(each, context);
            tables_.clear();
            co_await in_steps(context, [this] { return runs_.reduce_step(); });
            on_disk_.emplace(runs_.merged());
        } else if (!tables_.empty()) {
            next_ = tables_.front().begin();
        }
    }

    // Goes to the next key, the first one at first; false at the end. In no order.
    [[nodiscard]] bool next()
    {
        if (on_disk_)
            return next_on_disk();
        if (tables_.empty() || next_ == tables_.front().end())
            return false;
        key_ = next_->first;
        value_ = &next_->second;
        ++next_;
        return true;
    }

    [[nodiscard]] std::string_view key() const noexcept { return key_; }

    [[nodiscard]] value& current() noexcept { return *value_; }

private:
    void add(const run& spilled)
    {
        const std::lock_guard lock(mutex_);
        runs_.add(spilled);
    }

    // Adds the last table to the first one.
    boost::asio::awaitable<void> unite_last(stage_context& context)
    {
        table& to = tables_.front();
        table& from = tables_.back();
        auto next = from.begin();
        while (next != from.end()) {
            co_await in_steps(context, [this, &to, &from, &next] {
                for (std::size_t i = 0; i < step_size && next != from.end();
                     ++i, ++next) {
                    value& total = to[std::string(next->first)];
                    to.grow(form_.add(total, std::move(next->second)));
                }
                return next != from.end() && !to.exceeds(memory_);
            });
            if (to.exceeds(memory_))
                co_await spill(to, context);
        }
        tables_.pop_back();
    }

    [[nodiscard]] bool next_on_disk()
    {
        if (!on_disk_->has_record())
            return false;
        kept_key_ = on_disk_->record().key();
        kept_value_ = form_.take(on_disk_->record().value());
        on_disk_->next();
        while (on_disk_->has_record() && on_disk_->record().key() == kept_key_) {
            form_.add(kept_value_, form_.take(on_disk_->record().value()));
            on_disk_->next();
        }
        key_ = kept_key_;
        value_ = &kept_value_;
        return true;
    }

    const Form form_;
    const std::uint64_t memory_;
    std::atomic<std::size_t> workers_ = 0;
    std::mutex mutex_;
    std::vector<table>
        tables_;    // of those who have left; guarded by mutex_ until prepare()
    run_set runs_;  // guarded by mutex_ until prepare()
    typename table::map::iterator next_;        // if nothing is on disk
    std::optional<merge<run_reader>> on_disk_;  // else
    std::string kept_key_;                      // what is read from there
    value kept_value_{};                        // what is read from there
    std::string_view key_;
    value* value_ = nullptr;
};

}  // namespace sluice::pipeline::spill
