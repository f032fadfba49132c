// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/waiting_room.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace sluice::detail {

// The accounts of a queue runner: how many workers run, what they failed with, which of them is
// the last, and who waits for the end of the run.
//
//   idle ──begin(n)──▶ running ──n-th worker_ended()──▶ releasing ──end_run()──▶ idle
//
// (R1) Exactly one worker of a run is told that it is the last. It releases the queue, and is
//      counted until it has.
// (R2) A run begins with an empty list of exceptions.
// (R3) A join is decided when no worker is counted, with the first failure of the last run.
class runner_core : public waiting_room<wait_hub>
{
public:
    // What the end of a worker means for the queue.
    struct ending
    {
        bool last;                 // it releases the queue, then calls end_run(),
        std::exception_ptr cause;  // with the first failure of the run, or the first cut
    };

    explicit runner_core(std::string name);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    // Runs ----------------------------------------------------------------------------------

    // False if a run is going on already. The end of a worker allocates nothing.
    [[nodiscard]] bool begin(std::size_t workers);

    // `cut`: its input was cut off by the stop of others. That is no failure of the run, but the
    // queue was not given everything either.
    [[nodiscard]] ending worker_ended(
        std::exception_ptr failure,
        std::exception_ptr cut = nullptr
    ) noexcept;

    void end_run() noexcept;

    [[nodiscard]] std::size_t running() const;

    [[nodiscard]] std::vector<std::exception_ptr> exceptions() const;

    // The runner is being destroyed: no further run begins. Leaves its contexts once the last
    // one has ended, because until then joins may wait that a context has to abandon.
    void shut_down() noexcept;

    // Destroyed, and without a worker: nothing will change any more.
    [[nodiscard]] bool is_over() const noexcept;

    [[nodiscard]] std::string describe() const override;

protected:
    ~runner_core() override = default;

private:
    [[nodiscard]] bool is_ready(const waiter& join) const noexcept override;
    void serve(critical_section& section) noexcept override;

    void leave_if_over() noexcept;

    const std::string name_;

    // Guarded by mutex_.
    std::size_t running_ = 0;
    bool orphaned_ = false;  // shut_down() has been called
    std::vector<std::exception_ptr> exceptions_;
    std::exception_ptr cut_;
};

}  // namespace sluice::detail
