// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/worker_context.hpp"

#include "pipeline/data/content.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

void add(std::atomic<std::uint64_t>& total, std::uint64_t count)
{
    total.fetch_add(count, std::memory_order_relaxed);
}

}  // namespace

worker_context::worker_context(const surroundings& around) : around_(around)
{
    around_.state.clock.begin(around_.task);
}

worker_context::~worker_context()
{
    around_.state.clock.end();
}

const std::string& worker_context::runner() const noexcept
{
    return around_.runner;
}

std::size_t worker_context::worker() const noexcept
{
    return around_.worker;
}

std::stop_token worker_context::stop_token() const noexcept
{
    return around_.sources.get_stop_token();
}

bool worker_context::has_input() const noexcept
{
    return around_.from.queue != nullptr;
}

bool worker_context::has_output() const noexcept
{
    return !around_.to.empty();
}

asio::awaitable<std::vector<element>> worker_context::take(read_request request)
{
    if (around_.gate.is_paused())
        co_await wait_while_paused();
    if (around_.from.queue->makes_takes_wait())
        add(*around_.from.waits, 1);
    std::vector<element> batch;
    {
        const waiting_scope waiting(around_.state.clock, activity::waiting_to_dequeue);
        batch = co_await take_from_queue(request);
    }
    add(around_.state.items_in, batch.size());
    co_return batch;
}

asio::awaitable<std::vector<element>> worker_context::take_from_queue(read_request request
)
{
    return around_.from.queue->take(request);
}

asio::awaitable<void> worker_context::wait_while_paused()
{
    const paused_scope paused(around_.state.clock);
    co_await around_.gate.pass();
}

asio::awaitable<void> worker_context::write(std::vector<element>& elements)
{
    if (!has_input() && around_.gate.is_paused())
        co_await wait_while_paused();
    const std::size_t count = elements.size();
    co_await put(around_.to, elements);
    add(around_.state.items_out, count);
}

asio::awaitable<void> worker_context::put(
    output_queues& to,
    std::vector<element>& elements
)
{
    const waiting_scope waiting(around_.state.clock, activity::waiting_to_enqueue);
    co_await to.put(elements);
}

error_action worker_context::on_error() const noexcept
{
    return around_.on_error;
}

asio::awaitable<void> worker_context::skip(element refused, std::string reason)
{
    if (around_.on_error == error_action::fail)
        throw std::runtime_error(reason);
    const detail::record_block* const block = detail::block_of(refused);
    const bool has_place = block != nullptr && block->file() != nullptr;
    const std::uint64_t line = has_place ? block->line_of(refused.record()) : 0;
    if (has_place)
        reason = fmt::format("{}, line {}: {}", *block->file(), line, reason);
    if (around_.on_error == error_action::divert) {
        json_value diverted = json_value::object();
        diverted["runner"] = around_.runner;
        diverted["error"] = reason;
        if (has_place) {
            diverted["file"] = *block->file();
            diverted["line"] = line;
        }
        diverted["element"] = std::move(refused).to_json();
        std::vector<element> one;
        one.emplace_back(std::move(diverted));
        co_await put(around_.errors_to, one);
    }
    around_.errors.add(std::move(reason));
}

output& worker_context::out() const noexcept
{
    return around_.out;
}

asio::awaitable<void> worker_context::end()
{
    co_return;
}

asio::awaitable<void> worker_context::run_blocking(std::function<void()> function)
{
    const waiting_scope blocking(around_.state.clock, activity::busy);
    co_await around_.state.thread.run(std::move(function));
}

}  // namespace sluice::pipeline
