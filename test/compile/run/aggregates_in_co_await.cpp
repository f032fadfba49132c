// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Ways to enqueue an aggregate, to hand over a lambda that owns something, and to pass options
// beside a `co_await`, that GCC 12 compiles rightly. What it gets wrong it destroys twice, or
// copies bit by bit, which a text of this program notices.

#include <sluice/coordination/with_tasks.hpp>
#include <sluice/error.hpp>
#include <sluice/input/bucketer.hpp>
#include <sluice/io_context_pool.hpp>
#include <sluice/queue/broadcast.hpp>
#include <sluice/queue/fifo_queue.hpp>
#include <sluice/task/retry.hpp>
#include <sluice/task/run_blocking.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace this_coro = boost::asio::this_coro;
using asio::awaitable;

namespace {

class text
{
public:
    explicit text(std::size_t length) : characters_(length, 'x') { ++alive_; }
    text(const text& other) : characters_(other.characters_) { ++alive_; }
    text(text&& other) noexcept : characters_(std::move(other.characters_)) { ++alive_; }
    text& operator=(text&&) = delete;

    ~text()
    {
        if (self_ != this)
            std::abort();
        self_ = nullptr;
        --alive_;
    }

    [[nodiscard]] int size() const { return static_cast<int>(characters_.size()); }

    // The one below, when all others are gone.
    static bool is_alone() { return alive_ == 1; }

private:
    static inline std::atomic<int> alive_ = 0;

    std::string characters_;
    const text* volatile self_ = this;  // volatile: it is written when its life has ended
};

struct job
{
    int number;
    text what;
};

const text long_text(60);

job make_job()
{
    return {9, long_text};
}

awaitable<void> enqueue_jobs(sluice::fifo_queue<job>& queue)
{
    co_await queue.emplace(1, long_text);

    job named{2, long_text};
    co_await queue.enqueue(std::ref(named));

    const job kept{3, long_text};
    co_await queue.enqueue(kept);
    co_await queue.emplace(kept);

    job other{5, long_text};
    co_await queue.enqueue(std::ref(other)).within(std::chrono::seconds(60));

    const job with_token{6, long_text};
    co_await queue.async_enqueue(with_token, asio::use_awaitable);

    auto place = co_await queue.reserve();
    place.fill(job{7, long_text});

    if (!queue.try_enqueue(job{8, long_text}))
        std::abort();

    job made = make_job();
    co_await queue.enqueue(std::ref(made));

    auto operation = queue.emplace(10, long_text);
    co_await std::move(operation);
    queue.close();
}

awaitable<int> call_lambdas(asio::thread_pool& blocking)
{
    int lengths = 0;
    const auto size = [what = long_text] { return what.size(); };
    lengths += co_await sluice::run_blocking(blocking, size);

    auto moved = [what = std::make_unique<text>(long_text)] { return what->size(); };
    lengths += co_await sluice::run_blocking(blocking, std::ref(moved));

    const text& what = long_text;
    lengths += co_await sluice::run_blocking(blocking, [&what] { return what.size(); });

    const auto attempt = [what = long_text]() -> awaitable<int> {
        co_return what.size();
    };
    lengths += co_await sluice::retry({.attempts = 2}, attempt);
    co_return lengths;
}

awaitable<void> publish_jobs(sluice::broadcast<job>& news)
{
    auto subscription = news.subscribe({.capacity = 1});
    const job named{1, long_text};
    if (co_await news.publish(named) != 1)
        std::abort();
}

const std::string long_name = "a name that is longer than a short string";

awaitable<bool> keeps_the_options_of_queues(std::string prefix)
{
    sluice::fifo_queue<int> named{
        co_await this_coro::executor,
        {.capacity = 4, .name = long_name}
    };
    sluice::fifo_queue<int> computed{
        co_await this_coro::executor,
        {.capacity = 4, .name = prefix + long_name}
    };
    co_return (named.name() == long_name) && (computed.name() == prefix + long_name);
}

awaitable<bool> keeps_the_options_of_a_scope()
{
    const std::string result = co_await sluice::with_tasks(
        co_await this_coro::executor,
        {.stop_grace_period = std::chrono::seconds(1)},
        [](auto& tasks) -> awaitable<std::string> {
            tasks.request_stop();
            co_return long_name;
        }
    );
    co_return result == long_name;
}

// Its options are more than words: lists, and a callable that captures.
awaitable<bool> keeps_the_options_of_a_bucketer()
{
    const auto read = [n = 0]() mutable -> awaitable<int> {
        if (n == 5)
            throw sluice::system_error(sluice::errc::end_of_queue);
        co_return n++;
    };
    int first = 1;
    sluice::bucketer<int> buckets{
        co_await this_coro::executor,
        read,
        {.length = [&first](int n) { return n + first; },
         .boundaries = {3, 5},
         .batch_sizes = {2, 3, 4},
         .name = std::string(long_name)}
    };
    buckets.start(co_await this_coro::executor);
    std::string sizes;
    while (auto next = co_await buckets.next())
        sizes += std::to_string(next->bucket) + std::to_string(next->batch.size()) + " ";
    co_return sizes == "02 12 21 " && buckets.name() == long_name;
}

bool has_run_right()
{
    sluice::io_context_pool pool(1);
    sluice::fifo_queue<job> queue(pool, {.capacity = 16});
    sluice::broadcast<job> news(pool);
    asio::thread_pool blocking(1);
    int sum = 0;
    int lengths = 0;
    bool are_kept = false;
    pool.run([&]() -> awaitable<void> {
        co_await enqueue_jobs(queue);
        while (auto each = co_await queue.next())
            if (each->what.size() == long_text.size())
                sum += each->number;
        lengths = co_await call_lambdas(blocking);
        co_await publish_jobs(news);
        are_kept = co_await keeps_the_options_of_queues("q, ") &&
                   co_await keeps_the_options_of_a_scope() &&
                   co_await keeps_the_options_of_a_bucketer();
    });
    std::printf("%d %d %d\n", sum, lengths, are_kept);
    return sum == 54 && lengths == 240 && are_kept;
}

}  // namespace

int main()
{
    return has_run_right() && text::is_alone() ? 0 : 1;
}
