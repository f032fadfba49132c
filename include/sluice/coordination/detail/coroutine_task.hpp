// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/detail/awaiting/post_memory.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/awaiting/task_strand.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <string>

namespace sluice::detail {

// A coroutine under supervision, on a strand of its own.
class coroutine_task final : public supervised_task,
                             public std::enable_shared_from_this<coroutine_task>
{
public:
    coroutine_task(
        std::string name,
        const boost::asio::any_io_executor& executor,
        boost::asio::awaitable<void> body,
        std::shared_ptr<void> companion
    );

    // Once the scope knows it. The launch is posted, so that it and a cancellation follow each
    // other on the strand.
    void launch(const boost::intrusive_ptr<coordinator_core>& scope);

    void cancel() noexcept override;

private:
    class end_of_task;
    class cancellation;

    coroutine_task(
        std::string name,
        const boost::intrusive_ptr<task_strand>& strand,
        boost::asio::awaitable<void> body,
        std::shared_ptr<void> companion
    );

    void enter(coordinator_core& scope, end_of_task ending);
    void arrive() noexcept;
    void emit_cancellation() noexcept;
    void drop(coordinator_core& scope) noexcept;
    void end(coordinator_core& scope, const std::exception_ptr& exception) noexcept;

    const supervised_executor executor_;
    std::optional<boost::asio::awaitable<void>> body_;  // used on executor_ only
    boost::asio::cancellation_signal signal_;           // used on executor_ only
    bool cancelled_ = false;                            // used on executor_ only
    bool ended_ = false;                                // used on executor_ only
    bool is_entering_ = false;                          // used on executor_ only
    bool was_dropped_ = false;                          // used on executor_ only
    std::exception_ptr failure_;                        // used on executor_ only
    std::atomic<bool> is_being_cancelled_{false};
    post_memory memory_;  // of a cancellation on its way
};

}  // namespace sluice::detail
