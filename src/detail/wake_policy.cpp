// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/wake_policy.hpp>

#include <boost/asio/execution_context.hpp>

#include <memory>
#include <utility>

namespace sluice::detail {
namespace {

// While wakes are kept, one run in so many is measured.
constexpr int sample = 16;

// After so many wakes it is seen again whether the context has several threads.
constexpr int pause = 1000;

struct thread_state
{
    recent_runs runs;
    recent_runs::clock::time_point began;  // the run that is measured
    bool was_long = false;                 // the last run that was measured
    int to_ignore = 0;                     // wakes before the next measurement
    kept_wakes* kept = nullptr;            // see owner
    bool is_over = false;                  // there is no owner any more
};

thread_local constinit thread_state here;

// Apart, because it is not of a trivial type, and asking for such a one takes longer.
struct kept_owner
{
    ~kept_owner()
    {
        // The thread may still run handlers, in destructors of objects that end later.
        here.kept = nullptr;
        here.is_over = true;
    }

    std::shared_ptr<kept_wakes> wakes;
};

thread_local kept_owner owner;

}  // namespace

kept_wakes* wake_policy::decide(boost::asio::io_context& context) noexcept
{
    bool keeps = here.kept != nullptr && here.kept->is_open() &&
                 here.kept->belongs_to(context);
    // Here, where the context is sure to live.
    if (keeps && here.was_long) {
        here.kept->close();
        keeps = false;
    }
    if (here.to_ignore > 0)
        --here.to_ignore;
    else if (!keeps && here.runs.are_short())
        return begin_keeping(context);
    else if (!measures_)
        begin_measurement();
    return keeps ? here.kept : nullptr;
}

kept_wakes* wake_policy::begin_keeping(boost::asio::io_context& context) noexcept
{
    here.runs.forget();
    if (here.is_over)
        return nullptr;
    if (here.kept != nullptr && here.kept->take_stuck()) {
        here.runs.distrust();
        return nullptr;
    }
    try {
        auto& watch = boost::asio::use_service<wake_watch>(context);
        if (here.kept == nullptr || !here.kept->belongs_to(context)) {
            auto obtained = watch.obtain();
            here.kept = obtained.get();
            owner.wakes = std::move(obtained);
        }
        watch.open(*here.kept);
    } catch (...) {  // no memory: posting does as well
        return nullptr;
    }
    if (here.kept->is_open())
        return here.kept;
    here.to_ignore = pause;
    return nullptr;
}

void wake_policy::begin_measurement() noexcept
{
    measures_ = true;
    here.began = recent_runs::clock::now();
}

void wake_policy::end_measurement() noexcept
{
    measures_ = false;
    here.was_long = !here.runs.add(here.began, recent_runs::clock::now());
    if (here.kept != nullptr && here.kept->is_open() && !here.was_long)
        here.to_ignore = sample;
}

}  // namespace sluice::detail
