// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/monitor/trace_recorder.hpp>

#include <sluice/error.hpp>
#include <sluice/monitor/monitor.hpp>
#include <sluice/report/trace.hpp>

#include <boost/asio/steady_timer.hpp>

#include <mutex>
#include <utility>

namespace sluice {

// Shared with the handler of the timer, which may be on its way when the recorder is destroyed.
class trace_recorder::state : public std::enable_shared_from_this<state>
{
public:
    state(const monitor& watched, std::string name, trace_options options)
        : watched_(watched),
          interval_(options.interval),
          trace_(std::move(name), options),
          timer_(watched.get_executor())
    {
    }

    void look()
    {
        // Until this look is over stop() waits, and with it the end of the monitor.
        const std::lock_guard lock(mutex_);
        if (is_stopped_)
            return;
        try {
            const metrics::snapshot now = watched_.snapshot();
            trace_.add_figures(now);
            trace_.add_tasks(now);
        } catch (...) {
            // A queue_source may throw, and there may be no memory. The next look may succeed.
        }
        timer_.expires_after(interval_);
        timer_.async_wait([self = shared_from_this()](const error_code& error) {
            if (!error)
                self->look();
        });
    }

    void stop()
    {
        const std::lock_guard lock(mutex_);
        if (is_stopped_)
            return;
        is_stopped_ = true;
        timer_.cancel();
        trace_.add_tasks({});  // their spans end here
    }

    [[nodiscard]] const report::trace& recorded() const noexcept { return trace_; }

private:
    const monitor& watched_;
    const std::chrono::milliseconds interval_;
    report::trace trace_;
    std::mutex mutex_;
    boost::asio::steady_timer timer_;  // guarded by mutex_
    bool is_stopped_ = false;          // guarded by mutex_
};

trace_recorder::trace_recorder(const monitor& watched, trace_options options)
    : state_(std::make_shared<state>(watched, watched.snapshot().name, options))
{
    state_->look();
}

trace_recorder::~trace_recorder()
{
    state_->stop();
}

void trace_recorder::stop()
{
    state_->stop();
}

std::uint64_t trace_recorder::dropped() const
{
    return state_->recorded().dropped();
}

std::string trace_recorder::to_json() const
{
    return state_->recorded().to_json();
}

}  // namespace sluice
