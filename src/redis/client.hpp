// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "redis/address.hpp"
#include "redis/command.hpp"
#include "redis/link.hpp"
#include "redis/strand.hpp"
#include <sluice/redis/connection_options.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::redis::detail {

// The two links of a connection, for commands and for events: connects them, again and again, and
// tells the cores. All but the constructor, start(), stop(), add(), leave(), post_pump(),
// defer_pump(), run_pump(), is_connected(), problem() and warning() is called on the strand.
class client final : public command_sink, public std::enable_shared_from_this<client>
{
public:
    client(
        const boost::asio::any_io_executor& executor,
        address server,
        const connection_options& options
    );

    // From any thread -------------------------------------------------------------------------

    void start();
    void stop();
    void add(remote_core_ptr core);
    // Has no queue any more. It is kept until its last delivery has been settled.
    void leave(remote_core& core);
    void post_pump(remote_core& core) override;
    void defer_pump(remote_core& core) override;
    void run_pump(remote_core& core) override;
    [[nodiscard]] bool is_connected() const noexcept { return is_connected_; }
    [[nodiscard]] std::string problem() const;
    [[nodiscard]] std::string warning() const;

    // On the strand ---------------------------------------------------------------------------

    void send(remote_core& core, lane from, command text) noexcept override;
    void flush() noexcept override;

private:
    using clock = std::chrono::steady_clock;

    awaitable<void> run();
    awaitable<void> poll();
    awaitable<void> connect();
    awaitable<void> look_for_eviction();
    awaitable<void> serve();
    void attend(remote_core& core);
    void on_push(const reply& message);
    void check_silence();
    void judge(const reply& answer, lane from) noexcept;
    [[nodiscard]] bool owes_nothing() const noexcept;
    void note_failure(const system_error& why);
    void note_problem(std::string why);
    void disconnect(std::string_view why) noexcept;
    void forget_finished_cores();
    void subscribe(const std::string& channel);
    void subscribe_again();
    void unsubscribe(const std::string& channel);

    const strand_type home_;
    const address server_;
    const connection_options options_;
    boost::asio::steady_timer pause_;
    boost::asio::steady_timer tick_;
    std::shared_ptr<link> commands_;
    std::shared_ptr<link> events_;
    std::vector<remote_core_ptr> cores_;
    std::chrono::milliseconds next_pause_;
    clock::time_point lost_since_ = clock::now();
    std::optional<clock::time_point> pinged_at_;  // the link for events, silent since
    error_code out_of_reach_;  // what cores are told that are added now
    std::exception_ptr cause_;
    bool is_refused_ = false;  // the server connects, but answers that it cannot serve
    // Over this connection an operation was answered, or none was to be. If not, what is sent again
    // may be what breaks it.
    bool is_of_use_ = false;
    bool misses_events_ = false;  // the server has refused a channel
    bool is_stopped_ = false;
    std::atomic<bool> is_connected_ = false;
    mutable std::mutex mutex_;
    std::string problem_;  // guarded by mutex_
    std::string warning_;  // guarded by mutex_
};

}  // namespace sluice::redis::detail
