// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/redis_queues.hpp"

#include "pipeline_redis/redis_ends.hpp"
#include "redis/address.hpp"
#include <sluice/error.hpp>
#include <sluice/redis/redis_administration.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::pipeline {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t largest_put = 256;  // elements in one command
constexpr auto patience = 30s;            // for a server that cannot be reached
constexpr auto patience_at_the_end = 3s;

std::string drawn_by_lot()
{
    std::random_device device;
    return fmt::format("{:08x}{:08x}", device(), device());
}

// See redis::delivery::id().
element_key key_of(const redis::delivery<std::string>& taken)
{
    const std::string id = taken.id();
    const char* const end = id.data() + id.size();
    element_key key;
    const auto [dash, error] = std::from_chars(id.data(), end, key.number);
    if (error != std::errc() || dash == end ||
        std::from_chars(dash + 1, end, key.moment).ec != std::errc())
        throw std::runtime_error("its identifier is not that of a queue of this program");
    return key;
}

// Of a server's errors a user wants to know which queue and which server are meant; others are
// thrown again as they are. Called in a handler of the error.
[[noreturn]] void rethrow_with_name(const system_error& error, redis_ends& ends)
{
    if (error.code().category() != redis::redis_category() &&
        error.code() != errc::invalid_argument)
        throw;
    const std::string why = error.what();
    const std::string& server = ends.server().address();
    const bool is_named = why.find(server) != std::string::npos;
    throw remote_queue_failed(fmt::format(
        "the queue '{}'{}: {}",
        ends.name(),
        is_named ? "" : " on " + server,
        why
    ));
}

// What was delivered before may be what a stage cannot process. It goes alone: whatever shares a
// batch with it would fail with it, and be a dead letter in the end.
void leave_those_delivered_before(redis_ends::deliveries& taken)
{
    const auto found = std::ranges::find_if(taken, [](const auto& each) {
        return each.attempt() > 1;
    });
    const auto first_left = found == taken.begin() && found != taken.end() ? found + 1
                                                                           : found;
    for (auto& each : std::ranges::subrange(first_left, taken.end()))
        each.forget();
    taken.erase(first_left, taken.end());
}

struct batch_contents
{
    std::vector<element> elements;
    std::vector<element_key> keys;
};

std::string fate_of(std::uint32_t attempt, std::uint32_t max_deliveries)
{
    if (max_deliveries == 0)
        return R"(it comes again, because "max_deliveries" is 0)";
    if (attempt >= max_deliveries)
        return "it is a dead letter now";
    return fmt::format(
        "this was delivery {} of {}, after which it is a dead letter",
        attempt,
        max_deliveries
    );
}

// What cannot be read is returned as delivered, and the others as not delivered.
batch_contents contents_of(redis_ends::deliveries& taken, const queue_description& queue)
{
    batch_contents found;
    found.elements.reserve(taken.size());
    found.keys.reserve(taken.size());
    for (redis::delivery<std::string>& each : taken) {
        try {
            found.keys.push_back(key_of(each));
            found.elements.push_back(element_codec::decode(each.value()));
        } catch (const std::runtime_error& error) {
            for (redis::delivery<std::string>& other : taken)
                if (&other != &each)
                    other.forget();
            throw std::runtime_error(fmt::format(
                "the queue '{}': the element {} cannot be read: {}; {}",
                queue.name,
                each.id(),
                error.what(),
                fate_of(each.attempt(), queue.max_deliveries)
            ));
        }
        each.value() = std::string();  // or its bytes would be there twice
    }
    return found;
}

class redis_batch final : public remote_batch
{
public:
    redis_batch(
        std::shared_ptr<redis_ends> ends,
        redis_ends::deliveries taken,
        batch_contents contents,
        const coordinator& tasks
    )
        : ends_(std::move(ends)),
          tasks_(tasks),
          held_(ends_->hold(std::move(taken))),
          contents_(std::move(contents))
    {
    }

    ~redis_batch() override
    {
        if (ends_ == nullptr)
            return;
        redis_ends::deliveries returned = ends_->release(held_);
        // A worker that fails drops its batch before the others are stopped. What these have is
        // not to blame, so this delivery does not count.
        if (is_absolved_ || tasks_.should_stop())
            for (auto& each : returned)
                each.forget();
    }

    [[nodiscard]] std::vector<element>& elements() noexcept override
    {
        return contents_.elements;
    }

    [[nodiscard]] std::span<const element_key> keys() const noexcept override
    {
        return contents_.keys;
    }

    [[nodiscard]] asio::awaitable<void> acknowledge() override
    {
        const std::shared_ptr<redis_ends> ends = std::move(ends_);
        redis_ends::deliveries done = ends->release(held_);
        try {
            co_await ends->input().acknowledge(done);
        } catch (const system_error& error) {
            if (error.code() != redis::errc::lease_expired)
                rethrow_with_name(error, *ends);
        }
    }

    void absolve() noexcept override { is_absolved_ = true; }

private:
    std::shared_ptr<redis_ends> ends_;  // null: acknowledged
    bool is_absolved_ = false;
    const coordinator& tasks_;
    redis_ends::held_list::iterator held_;
    batch_contents contents_;
};

// A queue of a pipeline on a Redis server.
class redis_remote_queue final : public remote_queue
{
public:
    redis_remote_queue(
        std::shared_ptr<redis::connection> server,
        remote_queue_request request
    )
        : request_(std::move(request)),
          who_(drawn_by_lot()),
          ends_(std::make_shared<redis_ends>(std::move(server), request_))
    {
    }

    ~redis_remote_queue() override { ends_->stop(); }

    [[nodiscard]] std::string_view name() const noexcept override
    {
        return request_.queue.key;
    }

    void end_with(coordinator& taking, coordinator& tasks) override
    {
        taking_ = &taking;
        tasks_ = &tasks;
        taking.close_on_stop(ends_->input());
        tasks.close_on_stop(ends_->output());
        ends_->start();
    }

    [[nodiscard]] asio::awaitable<std::unique_ptr<remote_batch>> take(read_request request
    ) override
    {
        redis_ends::deliveries taken;
        try {
            taken = co_await dequeue(request);
        } catch (const system_error& error) {
            if (!is_end_of_taking(error.code()))
                rethrow_with_name(error, *ends_);
        }
        co_return batch_of(std::move(taken));
    }

    // Each command brings in all of its elements or none, so one that is large beside the capacity
    // would wait for an empty queue.
    [[nodiscard]] asio::awaitable<void> put(std::vector<element>& elements) override
    {
        const std::size_t share =
            std::clamp<std::size_t>(request_.queue.capacity / 8, 1, largest_put);
        try {
            for (std::size_t first = 0; first < elements.size(); first += share) {
                const std::size_t count = std::min(share, elements.size() - first);
                const std::span<const element> part(elements.data() + first, count);
                co_await ends_->output().enqueue_many(part);
            }
        } catch (const system_error& error) {
            if (error.code() != errc::queue_closed || tasks_->should_stop())
                rethrow_with_name(error, *ends_);
            // no end of the work here, but of that of others
            throw remote_queue_failed(fmt::format(
                "the queue '{}' has been closed on {}; delete it before the pipeline is "
                "run anew, and see that \"copies\" of who feeds it is right",
                request_.queue.key,
                ends_->server().address()
            ));
        }
        elements.clear();
    }

    [[nodiscard]] asio::awaitable<void> note_end_of(const std::string& runner) override
    {
        try {
            if (is_closed_by_its_only_feeder())
                co_await ends_->output().close();
            else
                co_await tell_of_end(runner);
        } catch (const system_error& error) {
            rethrow_with_name(error, *ends_);
        }
    }

    [[nodiscard]] asio::awaitable<void> flush() override
    {
        co_await ends_->flush(patience_at_the_end);
        ends_->stop();
    }

    [[nodiscard]] metrics::queue_snapshot snapshot() const override
    {
        return ends_->snapshot();
    }

private:
    [[nodiscard]] asio::awaitable<redis_ends::deliveries> dequeue(read_request request)
    {
        if (request.linger)
            co_return co_await ends_->input()
                .dequeue_up_to(request.most)
                .linger(*request.linger);
        if (request.fill)
            co_return co_await ends_->input().dequeue_up_to(request.most);
        // Of a small queue no worker takes all, or others would have to wait. What may be delivered
        // only once goes alone: whatever shares a batch with an element that fails counts as
        // delivered.
        const std::size_t share =
            request_.queue.max_deliveries == 1
                ? 1
                : std::max<std::size_t>(1, request_.queue.capacity / 4);
        redis_ends::deliveries taken = co_await ends_->input().dequeue_some(
            std::min(request.most, share)
        );
        leave_those_delivered_before(taken);
        co_return taken;
    }

    [[nodiscard]] bool is_end_of_taking(error_code error) const noexcept
    {
        return error == errc::end_of_queue ||
               (error == asio::error::operation_aborted && taking_->should_stop());
    }

    [[nodiscard]] std::unique_ptr<remote_batch> batch_of(redis_ends::deliveries taken)
    {
        if (taken.empty())
            return nullptr;
        batch_contents contents = contents_of(taken, request_.queue);
        return std::make_unique<redis_batch>(
            ends_,
            std::move(taken),
            std::move(contents),
            *tasks_
        );
    }

    [[nodiscard]] bool is_closed_by_its_only_feeder() const noexcept
    {
        return request_.feeders.size() == 1 && request_.feeders.front().copies == 1;
    }

    [[nodiscard]] asio::awaitable<void> tell_of_end(std::string runner)
    {
        const auto executor = co_await asio::this_coro::executor;
        const redis::administration server(executor, request_.queue.url);
        std::vector<redis::feeder_count> all;
        for (const remote_feeder& each : request_.feeders)
            all.push_back({.feeder = each.runner, .copies = each.copies});
        const auto deadline = std::chrono::steady_clock::now() + patience;
        asio::steady_timer pause(executor);
        for (;;) {
            try {
                co_await server.note_end(request_.queue.key, runner, who_, all);
                co_return;
            } catch (const system_error& error) {
                const bool is_final = error.code() == redis::errc::access_denied ||
                                      error.code() == redis::errc::unsupported_server ||
                                      error.code() == redis::errc::tls_failed ||
                                      tasks_->should_stop();
                if (is_final || std::chrono::steady_clock::now() > deadline)
                    throw;
            }
            pause.expires_after(500ms);
            co_await pause.async_wait(asio::use_awaitable);
        }
    }

    const remote_queue_request request_;
    const std::string who_;  // tells this process from others
    const std::shared_ptr<redis_ends> ends_;
    coordinator* taking_ = nullptr;  // set before the first operation, as tasks_
    coordinator* tasks_ = nullptr;
};

}  // namespace

remote_queue_factory redis_queues()
{
    using connections = std::map<std::string, std::weak_ptr<redis::connection>>;
    return [known = std::make_shared<connections>(
            )](const asio::any_io_executor& executor,
               const remote_queue_request& request) -> std::unique_ptr<remote_queue> {
        std::weak_ptr<redis::connection>& of_url = (*known)[request.queue.url];
        std::shared_ptr<redis::connection> server = of_url.lock();
        if (server == nullptr) {
            server = std::make_shared<redis::connection>(executor, request.queue.url);
            of_url = server;
        }
        return std::make_unique<redis_remote_queue>(std::move(server), request);
    };
}

std::optional<problem> check_redis_address(const std::string& url)
try {
    static_cast<void>(redis::detail::parse_address(url));
    return std::nullopt;
} catch (const redis::detail::wrong_address& error) {
    return problem{
        .found = fmt::format("\"{}\"", error.shown()),
        .expected = std::string(redis::detail::address_forms),
        .hint = "it " + error.why()
    };
}

}  // namespace sluice::pipeline
