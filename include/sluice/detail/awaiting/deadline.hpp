// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <utility>

namespace sluice::detail {

class deadline_service;
class waiter;

// A node of a red-black tree, which the service orders.
struct deadline_node
{
    deadline_node* parent = nullptr;
    deadline_node* left = nullptr;
    deadline_node* right = nullptr;
    bool is_black = false;
};

// A waiting operation that has a deadline. Lives as long as it is armed.
class deadline_entry : private deadline_node
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    deadline_entry() = default;
    deadline_entry(const deadline_entry&) = delete;
    deadline_entry& operator=(const deadline_entry&) = delete;

    // The deadline passed. The entry may be destroyed in this call, but elsewhere not before
    // it returns, because disarm() waits for that. Called without a lock: it completes
    // operations, and so calls their executors, which may belong to the program.
    virtual void expire() noexcept = 0;

    [[nodiscard]] bool is_linked() const noexcept { return parent != nullptr; }

protected:
    ~deadline_entry() = default;

private:
    friend class deadline_service;

    time_point due_;  // guarded by the mutex of the service, as the node
};

// The deadline of an operation, in the service of its context.
class operation_deadline : protected deadline_entry
{
public:
    void disarm() noexcept
    {
        if (service_ != nullptr)
            leave(*std::exchange(service_, nullptr));
    }

protected:
    ~operation_deadline() = default;

    void enter(waiter& target, boost::asio::execution_context& context);
    void set(const time_limit& limit);

    waiter* target_ = nullptr;
    deadline_service* service_ = nullptr;

private:
    void leave(deadline_service& service) noexcept;
};

// That of one with a limit.
class deadline final : public operation_deadline
{
public:
    void arm(
        waiter& target,
        boost::asio::execution_context& context,
        const time_limit& limit
    );

private:
    void expire() noexcept override;
};

// That of a batch that lingers: first for the wait until something is there, then for the rest.
class linger_deadline final : public operation_deadline
{
public:
    void arm(
        waiter& target,
        boost::asio::execution_context& context,
        const linger_limit& limit
    );

    // See waiter::linger().
    [[nodiscard]] bool linger() noexcept;

private:
    void expire() noexcept override;

    time_limit others_;
    bool lingers_ = false;  // guarded by the mutex of the hub
};

// That of one that has none, and needs no room to say so.
class no_deadline
{
public:
    static void disarm() noexcept {}
};

}  // namespace sluice::detail
