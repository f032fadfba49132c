// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/runner/queue_runner_collection.hpp>

#include <sluice/error.hpp>

#include <algorithm>
#include <mutex>
#include <vector>

namespace sluice::detail {
namespace {

namespace asio = boost::asio;

class runner_collection final : public asio::execution_context::service
{
public:
    using key_type = runner_collection;
    static inline asio::execution_context::id id;

    explicit runner_collection(asio::execution_context& context) : service(context) {}

    void add(std::shared_ptr<queue_runner> runner)
    {
        const std::lock_guard lock(mutex_);
        runners_.push_back(std::move(runner));
    }

    [[nodiscard]] std::vector<std::shared_ptr<queue_runner>> runners() const
    {
        const std::lock_guard lock(mutex_);
        return runners_;
    }

private:
    void shutdown() override { runners_.clear(); }

    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<queue_runner>> runners_;  // guarded by mutex_
};

// False if it runs already, or if its queue is closed.
bool try_start(queue_runner& runner, coordinator& scope)
{
    try {
        return runner.start(scope);
    } catch (const system_error& error) {
        if (error.code() != errc::queue_closed)
            throw;
        return false;
    }
}

}  // namespace

void add_queue_runner(
    asio::execution_context& context,
    std::shared_ptr<queue_runner> runner
)
{
    asio::use_service<runner_collection>(context).add(std::move(runner));
}

std::size_t start_queue_runners(asio::execution_context& context, coordinator& scope)
{
    const auto runners = asio::use_service<runner_collection>(context).runners();
    return static_cast<std::size_t>(std::count_if(
        runners.begin(),
        runners.end(),
        [&scope](const auto& runner) { return try_start(*runner, scope); }
    ));
}

}  // namespace sluice::detail
