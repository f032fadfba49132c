// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/wait_hub.hpp>
#include <sluice/error.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::test {

// Why: what all hubs have in common is tested with one that does nothing else.

// A waiter that holds something, and calls back when it is told or abandoned.
class recording_waiter final : public sluice::detail::waiter
{
public:
    explicit recording_waiter(std::string label = "operation")
        : waiter(0), label_(std::move(label))
    {
    }

    bool holds = false;
    int suspensions = 0;
    int deliveries = 0;
    int abandonments = 0;
    std::function<void()> on_deliver = [] {};

private:
    void suspend() noexcept override { ++suspensions; }

    void deliver(sluice::detail::waiter_list& /*others*/) noexcept override
    {
        ++deliveries;
        on_deliver();
    }

    void abandon() noexcept override { ++abandonments; }

    [[nodiscard]] std::string describe() const override { return label_; }

    std::string label_;
};

// The simplest hub: tokens, and a list of waiters that each want one.
class recording_hub final : public sluice::detail::wait_hub
{
public:
    explicit recording_hub(bool* destroyed = nullptr) noexcept : destroyed_(destroyed) {}

    ~recording_hub() override
    {
        if (destroyed_ != nullptr)
            *destroyed_ = true;
    }

    [[nodiscard]] bool try_start(sluice::detail::waiter& /*w*/) noexcept override
    {
        return false;
    }

    [[nodiscard]] bool start(
        sluice::detail::waiter& w,
        sluice::detail::delivery how,
        sluice::detail::wait_mode mode
    ) noexcept override
    {
        critical_section section(*this);
        if (w.failed()) {
            section.decide(w);
        } else {
            section.append(list_, w);
            serve(section);
        }
        return conclude(w, how, mode, section);
    }

    void start(sluice::detail::waiter& w) noexcept
    {
        (void)start(
            w,
            sluice::detail::delivery::always_posted,
            sluice::detail::wait_mode::waits
        );
    }

    void add(int tokens) noexcept
    {
        critical_section section(*this);
        tokens_ += tokens;
        serve(section);
    }

    void fail_all(error_code why) noexcept
    {
        critical_section section(*this);
        while (!list_.empty())
            section.decide_failed(list_.front(), why);
    }

    [[nodiscard]] int tokens() const noexcept
    {
        mutex_.lock();
        const int now = tokens_;
        mutex_.unlock();
        return now;
    }

    [[nodiscard]] std::string describe() const override { return "hub"; }

    std::vector<std::string> calls;  // of withdraw and reclaim
    int dead_homes = 0;              // told by home_destroyed
    bool refuses_to_reclaim = false;

private:
    void serve(critical_section& section) noexcept override
    {
        for (; tokens_ > 0 && !list_.empty(); --tokens_) {
            auto& next = static_cast<recording_waiter&>(list_.front());
            next.holds = true;
            section.decide(next);
        }
    }

    void withdraw(sluice::detail::waiter&) noexcept override
    {
        calls.push_back("withdraw");
    }

    bool reclaim(sluice::detail::waiter& target) noexcept override
    {
        calls.push_back("reclaim");
        if (refuses_to_reclaim)
            return false;
        static_cast<recording_waiter&>(target).holds = false;
        ++tokens_;
        return true;
    }

    void collect(const void* context, sluice::detail::waiter_list& abandoned) noexcept
        override
    {
        collect_from(list_, context, abandoned);
    }

    void home_destroyed() noexcept override { ++dead_homes; }

    sluice::detail::waiter_list list_;
    int tokens_ = 0;
    bool* destroyed_;
};

using recording_hub_ptr = boost::intrusive_ptr<recording_hub>;

}  // namespace sluice::test
