// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/detail/coordinator_core.hpp>
#include <sluice/coordination/task_options.hpp>
#include <sluice/detail/awaiting/post.hpp>
#include <sluice/detail/awaiting/supervised_executor.hpp>
#include <sluice/detail/awaiting/task_strand.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>

namespace sluice::detail {

// A coroutine under supervision, on a strand. Types of cancellation that are to be emitted are
// collected until the strand gets to it.
class coroutine_task final : public supervised_task,
                             public std::enable_shared_from_this<coroutine_task>
{
public:
    coroutine_task(
        record_ptr record,
        const task_options& options,
        boost::asio::awaitable<void> body,
        std::shared_ptr<void> companion
    );

    // Once the scope knows it. The launch is posted, so that it and a cancellation follow each
    // other on the strand.
    void launch(const boost::intrusive_ptr<coordinator_core>& scope);

    // What a stop does.
    void cancel() noexcept override { cancel(on_stop_); }

    void cancel(boost::asio::cancellation_type type) noexcept;

private:
    using type_bits = std::underlying_type_t<boost::asio::cancellation_type>;

    class end_of_task;
    class cancellation;

    void enter(coordinator_core& scope, end_of_task ending);
    [[nodiscard]] boost::asio::cancellation_type arrive() noexcept;
    void emit(boost::asio::cancellation_type type) noexcept;
    void drop(coordinator_core& scope) noexcept;
    void end_unfinished(coordinator_core& scope) noexcept;
    [[nodiscard]] bool end() noexcept;

    const supervised_executor executor_;
    const boost::asio::cancellation_type on_stop_;
    std::optional<boost::asio::awaitable<void>> body_;  // used on executor_ only
    boost::asio::cancellation_signal signal_;           // used on executor_ only
    bool cancelled_ = false;                            // used on executor_ only
    bool ended_ = false;                                // used on executor_ only
    bool is_entering_ = false;                          // used on executor_ only
    bool was_dropped_ = false;                          // used on executor_ only
    std::exception_ptr failure_;                        // used on executor_ only
    std::atomic<type_bits> to_emit_{0};  // not 0: a cancellation is on its way
    post_memory memory_;                 // of that
};

}  // namespace sluice::detail
