// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/metrics/queue_source.hpp>
#include <sluice/redis/detail/remote_calls.hpp>
#include <sluice/redis/queue_status.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace sluice::redis {
namespace detail {

class client;

}  // namespace detail

/// A redis::queue as a monitor looks at it; made by redis::queue::source().
/**
 * A look gives what the server said last, and has it asked again if that is older than an interval.
 * If no program looks, the server is not asked.
 *
 * @par Example
 * @code
 * const auto source = jobs.source();
 * const auto seen = source->look();  // what the server said last
 * std::cout << seen.name << ": " << seen.stats.size << '\n';
 * @endcode
 *
 * @par Object lifetime  it may outlive the queue and the connection.
 * @par Thread safety    all members from any thread.
 */
class remote_source final : public metrics::queue_source,
                            public std::enable_shared_from_this<remote_source>
{
public:
    /// How long an answer is good enough, if nothing else is said: half a second.
    static constexpr std::chrono::nanoseconds default_interval =
        std::chrono::milliseconds(500);

    /// @cond
    // For queues.
    remote_source(
        detail::remote_state_ptr core,
        std::weak_ptr<detail::client> server,
        std::chrono::nanoseconds interval
    );
    /// @endcond

    /// What the server said last, and why there is no connection to it if there is none. Never
    /// waits; has it asked again if that is due.
    [[nodiscard]] metrics::queue_snapshot look() override;

    /// Whether the queue has been destroyed.
    [[nodiscard]] bool is_over() const noexcept override;

    /// Takes what queue::status() has given, as if it had asked itself.
    /**
     * For a last look before the connection goes.
     *
     * @par Exception safety  no-throw.
     */
    void note(const queue_status& status) noexcept;

    /// @cond
    [[nodiscard]] const sluice::detail::wait_hub* hub() const noexcept override;
    [[nodiscard]] metrics::activity doing_in(unsigned char list) const noexcept override;
    /// @endcond

private:
    using clock = std::chrono::steady_clock;

    void ask_if_due();
    void ask();
    void on_answer(const error_code& error, const queue_status& status) noexcept;

    const detail::remote_state_ptr core_;
    const std::weak_ptr<detail::client> server_;
    const std::chrono::nanoseconds interval_;
    std::mutex mutex_;
    // Guarded by mutex_.
    metrics::queue_snapshot seen_;
    std::optional<clock::time_point> read_at_;
    std::optional<clock::time_point> asked_at_;
    bool is_asking_ = false;
};

}  // namespace sluice::redis
