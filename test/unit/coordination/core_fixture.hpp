// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "support/message_of.hpp"
#include "support/tasks.hpp"
#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/error.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Why: the state machine of the coordinator is tested without an event loop, so tasks,
// queues and waiting operations are played by objects that do nothing by themselves.

namespace sluice::test::coordination {

using history = std::vector<std::string>;
using test::error;

/// A core without an event loop; a test owns it as a coordinator would.
class core final : public sluice::detail::coordinator_core
{
public:
    explicit core(sluice::coordinator_options options = {}, core_ptr parent = nullptr)
        : coordinator_core(std::move(options), std::move(parent))
    {
    }

    std::atomic<int> changes{0};
    std::optional<clock::time_point> time;  // instead of the real one

private:
    void changed() noexcept override { ++changes; }

    [[nodiscard]] clock::time_point now() const noexcept override
    {
        return time ? *time : coordinator_core::now();
    }
};

using core_ptr = boost::intrusive_ptr<core>;

inline core_ptr make_core(sluice::coordinator_options options = {})
{
    return {new core(std::move(options))};
}

inline core_ptr make_child(const core_ptr& parent)
{
    const core_ptr child(new core({}, parent));
    child->join_parent();
    return child;
}

/// A wait_for_stop() or a join() whose owner is the test.
template <class Role>
class recorder final : public Role
{
public:
    explicit recorder(core& target) : target_(target) {}

    ~recorder() { (void)target_.forget(*this); }

    using Role::start;

    // True if it is complete at once.
    bool start(sluice::detail::wait_mode waits = sluice::detail::wait_mode::waits)
    {
        return target_.start(*this, sluice::detail::delivery::inline_if_ready, waits);
    }

    void deliver(sluice::detail::waiter_list& /*others*/) noexcept override
    {
        target_.finish_delivery(*this);
        ++delivered;
        if (const auto then = std::move(on_delivery))
            then();  // *this may be gone when it returns
    }

    void abandon() noexcept override { ++abandoned; }

    [[nodiscard]] std::string describe() const override { return "recorder"; }

    int delivered = 0;
    int abandoned = 0;
    std::function<void()> on_delivery;

private:
    core& target_;
};

using stop_recorder = recorder<sluice::detail::stop_waiter>;
using join_recorder = recorder<sluice::detail::join_waiter>;

/// A task that writes down its cancellation and ends when the test says so.
struct task final : sluice::detail::supervised_task
{
    task(std::string name, history& events, std::shared_ptr<void> companion = nullptr)
        : supervised_task(
              std::make_shared<sluice::detail::task_record>(std::move(name)),
              std::move(companion)
          ),
          events_(&events)
    {
    }

    void cancel() noexcept override { events_->push_back("cancel " + name()); }

private:
    history* events_;
};

/// A queue that writes down how it was closed.
class queue final : public sluice::detail::closable
{
public:
    queue(std::string name, history& events) : name_(std::move(name)), events_(&events) {}

    void close(const sluice::detail::closing& how) noexcept override
    {
        const bool drains = how.mode == sluice::close_mode::drain;
        events_->push_back((how.cause ? "fail " : drains ? "drain " : "close ") + name_);
        end = {how.by, how.cuts_off(), how.cause};
        if (on_close)
            on_close();
    }

    [[nodiscard]] ending how_it_ended() const noexcept override { return {end, 3}; }

    [[nodiscard]] bool is_closed() const noexcept override { return false; }
    [[nodiscard]] bool is_orphaned() const noexcept override
    {
        ++looks;
        return orphaned;
    }
    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    [[nodiscard]] std::string describe() const override { return name_; }

    bool orphaned = false;
    mutable int looks = 0;
    sluice::queue_end end;
    std::function<void()> on_close;
    std::shared_ptr<int> life = std::make_shared<int>();  // tells whether this exists

    [[nodiscard]] bool try_start(sluice::detail::waiter&) noexcept override
    {
        return false;
    }
    [[nodiscard]] bool start(
        sluice::detail::waiter&,
        sluice::detail::delivery,
        sluice::detail::wait_mode
    ) noexcept override
    {
        return false;
    }

private:
    void serve(critical_section&) noexcept override {}
    void collect(const void*, sluice::detail::waiter_list&) noexcept override {}

    std::string name_;
    history* events_;
};

struct core_fixture
{
    std::shared_ptr<task> add_task(const core_ptr& owner, const std::string& name)
    {
        auto added = std::make_shared<task>(name, events);
        owner->add_task(added);
        return added;
    }

    void close_on_stop(
        const std::string& name,
        sluice::close_mode mode = sluice::close_mode::cancel_pending
    )
    {
        coord->close_on_stop(new queue(name, events), mode);
    }

    history events;
    core_ptr coord = make_core();
};

template <class Code>
std::exception_ptr code(Code value)
{
    return std::make_exception_ptr(sluice::system_error(value));
}

template <class Waiter>
std::string failure(const Waiter& w)
{
    return w.exception_ ? sluice::test::message_of(w.exception_) : "none";
}

}  // namespace sluice::test::coordination
