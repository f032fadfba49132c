// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/stages/stages.hpp"
#include <sluice/pipeline/stage.hpp>
#include <sluice/pipeline/stage_registry.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

using clock = std::chrono::steady_clock;

struct rate_limit_options
{
    double per_second = 1;
    std::int64_t burst = 1;
};

// Says when each element may pass. After a pause as many as a burst pass at once.
class timetable
{
public:
    explicit timetable(const rate_limit_options& options)
        : interval_(std::chrono::ceil<clock::duration>(
              std::chrono::duration<double>(1 / options.per_second)
          )),
          credit_((options.burst - 1) * interval_)
    {
    }

    [[nodiscard]] clock::time_point book(clock::time_point now)
    {
        const std::lock_guard lock(mutex_);
        const clock::time_point booked = std::max(next_, now - credit_);
        next_ = booked + interval_;
        return booked;
    }

private:
    const clock::duration interval_;
    const clock::duration credit_;
    std::mutex mutex_;
    clock::time_point next_ = clock::time_point::min();  // guarded by mutex_
};

class rate_limit final : public stage
{
public:
    explicit rate_limit(const rate_limit_options& options)
        : per_second_(options.per_second),
          batch_size_(batch_size(options.per_second)),
          timetable_(options)
    {
    }

    asio::awaitable<void> work(stage_context& context) override
    {
        asio::steady_timer timer(co_await asio::this_coro::executor);
        std::vector<element> out;
        while (true) {
            std::vector<element> in = co_await context.read(batch_size_);
            if (in.empty())
                co_return;
            for (element& each : in) {
                const clock::time_point time = timetable_.book(clock::now());
                if (time > clock::now()) {
                    if (!out.empty())
                        co_await context.write(out);
                    timer.expires_at(time);
                    co_await timer.async_wait(asio::use_awaitable);
                }
                out.push_back(std::move(each));
            }
            co_await context.write(out);
        }
    }

    [[nodiscard]] bool can_acknowledge() const noexcept override { return true; }

    [[nodiscard]] std::string own_limit() const override
    {
        return fmt::format("\"per_second\": {}", per_second_);
    }

private:
    // What passes in a tenth of a second, so that no worker holds elements for long while
    // another has none.
    static std::size_t batch_size(double per_second)
    {
        constexpr auto most = static_cast<double>(stage_context::batch_size);
        return static_cast<std::size_t>(std::clamp(per_second / 10, 1.0, most));
    }

    const double per_second_;
    const std::size_t batch_size_;
    timetable timetable_;  // shared by the workers
};

constexpr const char* rate_limit_details =
    R"(The limit is one for all workers together. After a pause "burst" elements pass at once.

    { "stage": "rate_limit", "from": "urls", "to": "next_urls",
      "options": { "per_second": 5, "burst": 10 } })";

}  // namespace

void add_rate_limit(stage_registry& stages)
{
    using options = rate_limit_options;
    stages.add<rate_limit>(
        {.name = "rate_limit",
         .summary = "passes on a limited number of elements each second",
         .takes = element_kind::any,
         .gives = element_kind::same,
         .details = rate_limit_details},
        stage_options<options>()
            .required(
                "per_second",
                &options::per_second,
                "how many pass each second",
                {.minimum = 1e-3, .maximum = 1e9}
            )
            .optional(
                "burst",
                &options::burst,
                "how many pass at once after a pause",
                {.minimum = 1, .maximum = 1e6}
            )
    );
}

}  // namespace sluice::pipeline
