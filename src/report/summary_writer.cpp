// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/report/summary_writer.hpp>

#include "report/event_file.hpp"
#include "report/event_record.hpp"
#include "report/summary_event.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace sluice {

namespace {

double now()
{
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

// Signals are for the threads of the program. And a write beyond the limit of the size of a file
// sends SIGXFSZ, which must not end the program.
class signals_blocked
{
public:
    signals_blocked()
    {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }

    ~signals_blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    signals_blocked(const signals_blocked&) = delete;
    signals_blocked& operator=(const signals_blocked&) = delete;

private:
    sigset_t before_{};
};

// A thread begins with the mask of the one that starts it.
std::thread start_without_signals(auto function)
{
    const signals_blocked blocked;
    return std::thread(std::move(function));
}

}  // namespace

// Records wait in `pending_`. The thread takes all of them at once and writes them without the
// lock, so an add waits for a copy at most, never for the disk.
class summary_writer::background
{
public:
    background(const std::filesystem::path& directory, summary_writer_options options)
        : options_(std::move(options)),
          file_(directory),
          pending_(report::make_record(report::version_event(now())))
    {
        if (options_.resume_step)
            pending_ += report::make_record(
                report::restart_event({now(), *options_.resume_step})
            );
        // A time that no clock can count is a day as well.
        options_.flush_interval =
            std::min<duration>(options_.flush_interval, std::chrono::hours(24));
        thread_ = start_without_signals([this] { run(); });
    }

    ~background()
    {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }

    background(const background&) = delete;
    background& operator=(const background&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept
    {
        return file_.path();
    }

    [[nodiscard]] std::uint64_t dropped() const
    {
        const std::lock_guard lock(mutex_);
        return dropped_;
    }

    [[nodiscard]] error_code error() const
    {
        const std::lock_guard lock(mutex_);
        return error_;
    }

    void add(std::string_view event)
    {
        const std::string record = report::make_record(event);
        {
            const std::lock_guard lock(mutex_);
            const std::size_t used = pending_.size() + unwritten_;
            if (record.size() > options_.buffer_limit ||
                used > options_.buffer_limit - record.size()) {
                ++dropped_;
                return;
            }
            const std::size_t before = pending_.size();
            const std::size_t half = options_.buffer_limit / 2;
            pending_ += record;
            if (before <= half && pending_.size() > half)
                half_reached_ = true;
            else if (before != 0)
                return;  // the thread knows, and lets the interval pass
        }
        wake_.notify_one();
    }

    // Returns the number of this request.
    std::uint64_t request_flush()
    {
        std::uint64_t request = 0;
        {
            const std::lock_guard lock(mutex_);
            request = ++flush_requested_;
        }
        wake_.notify_one();
        return request;
    }

    void flush()
    {
        const std::uint64_t request = request_flush();
        std::unique_lock lock(mutex_);
        flushed_.wait(lock, [&] { return flush_done_ >= request; });
        if (error_)
            throw system_error(error_, "cannot write " + path().string());
    }

private:
    using duration = std::chrono::steady_clock::duration;

    // Whether to write now instead of after the interval.
    [[nodiscard]] bool is_urgent() const
    {
        return stop_ || half_reached_ || flush_done_ != flush_requested_;
    }

    // A disk that is full is not asked all the time.
    [[nodiscard]] duration interval() const
    {
        const duration interval = options_.flush_interval;
        return error_ ? std::max<duration>(interval, std::chrono::seconds(1)) : interval;
    }

    void run()
    {
        std::string records;  // what is being written; after a failure the rest of it
        std::unique_lock lock(mutex_);
        for (bool stopping = false; !stopping;) {
            wake_.wait(lock, [&] {
                return is_urgent() || !pending_.empty() || !records.empty();
            });
            wake_.wait_for(lock, interval(), [&] { return is_urgent(); });
            stopping = stop_;
            half_reached_ = false;
            write_all(records, lock);
        }
    }

    void write_all(std::string& records, std::unique_lock<std::mutex>& lock)
    {
        // Requests that come later may be for records that come later.
        const std::uint64_t request = flush_requested_;
        error_code error = write(records, lock);
        if (!error) {
            records.swap(pending_);
            error = write(records, lock);
        }
        const bool is_news = error && !error_;
        error_ = error;
        flush_done_ = request;
        flushed_.notify_all();
        if (is_news && options_.on_error) {
            lock.unlock();
            tell(error);
            lock.lock();
        }
    }

    // What it throws must not end the thread, and with it the program (S56).
    void tell(error_code error) const noexcept
    {
        try {
            options_.on_error(error);
        } catch (...) {
            // error() and flush() tell of the failure, too
        }
    }

    error_code write(std::string& records, std::unique_lock<std::mutex>& lock)
    {
        unwritten_ = records.size();
        lock.unlock();
        const error_code error = file_.append(records);
        lock.lock();
        unwritten_ = records.size();
        return error;
    }

    summary_writer_options options_;  // constant once the thread runs
    report::event_file file_;  // of the thread, but for the path, which is constant

    mutable std::mutex mutex_;
    std::condition_variable wake_;       // of the thread
    std::condition_variable flushed_;    // flush_done_ has changed
    std::string pending_;                // whole records; guarded by mutex_
    std::size_t unwritten_ = 0;          // bytes that the thread has; guarded by mutex_
    bool half_reached_ = false;          // since the last attempt; guarded by mutex_
    bool stop_ = false;                  // guarded by mutex_
    std::uint64_t flush_requested_ = 0;  // guarded by mutex_
    std::uint64_t flush_done_ = 0;       // guarded by mutex_
    std::uint64_t dropped_ = 0;          // guarded by mutex_
    error_code error_;                   // of the last attempt; guarded by mutex_
    std::thread thread_;                 // started last: it uses all others
};

summary_writer::summary_writer(
    const std::filesystem::path& directory,
    summary_writer_options options
)
    : background_(std::make_unique<background>(directory, std::move(options)))
{
}

summary_writer::~summary_writer() = default;

const std::filesystem::path& summary_writer::path() const noexcept
{
    return background_->path();
}

std::uint64_t summary_writer::dropped() const
{
    return background_->dropped();
}

error_code summary_writer::error() const
{
    return background_->error();
}

void summary_writer::scalar(std::string_view tag, double value, std::int64_t step)
{
    background_->add(report::scalar_event({now(), step}, tag, value));
}

void summary_writer::histogram(
    std::string_view tag,
    std::span<const double> samples,
    std::int64_t step
)
{
    background_->add(report::histogram_event({now(), step}, tag, samples));
}

void summary_writer::text(
    std::string_view tag,
    std::string_view markdown,
    std::int64_t step
)
{
    background_->add(report::text_event({now(), step}, tag, markdown));
}

void summary_writer::graph(const flow_graph& graph)
{
    background_->add(report::graph_event({now(), 0}, graph));
}

void summary_writer::request_flush()
{
    background_->request_flush();
}

void summary_writer::flush()
{
    background_->flush();
}

}  // namespace sluice
