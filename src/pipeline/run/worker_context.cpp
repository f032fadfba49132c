// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/worker_context.hpp"

#include "pipeline/data/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sluice::pipeline {

namespace asio = boost::asio;

namespace {

void add(std::atomic<std::uint64_t>& total, std::uint64_t count)
{
    total.fetch_add(count, std::memory_order_relaxed);
}

// Whether the same would happen with any other element: a queue on a server refuses, a disk is
// full. What takes all memory is perhaps the element.
bool is_of_surroundings(const std::exception_ptr& thrown) noexcept
{
    try {
        std::rethrow_exception(thrown);
    } catch (const remote_queue_failed&) {
        return true;
    } catch (const std::system_error&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace

worker_context::worker_context(
    running_runner& runner,
    std::size_t worker,
    sluice::detail::readiness task,
    coordinator& sources,
    output& out
)
    : runner_(runner),
      worker_(worker),
      state_(runner.workers[worker]),
      sources_(sources),
      out_(out),
      write_on_([this](std::vector<element>& elements) { return write_on(elements); }),
      order_(runner.order.get())
{
    state_.clock.begin(std::move(task));
}

worker_context::~worker_context()
{
    state_.clock.end();
}

asio::awaitable<std::vector<element>> worker_context::take(read_request request)
{
    return order_ == nullptr ? take_next(request) : take_in_order(request);
}

asio::awaitable<std::vector<element>> worker_context::take_in_order(read_request request)
{
    co_await end_ticket();
    const waiting_scope waiting(state_.clock, activity::waiting_to_dequeue);
    const auto turn = co_await order_->turn_to_read();
    std::vector<element> batch = co_await take_next(request);
    if (!batch.empty())
        ticket_ = order_->open();
    co_return batch;
}

asio::awaitable<std::vector<element>> worker_context::take_next(read_request request)
{
    if (runner_.gate.is_paused())
        co_await wait_while_paused();
    if (runner_.from->makes_takes_wait())
        add(runner_.from->waits_to_take, 1);
    std::vector<element> batch;
    {
        const waiting_scope waiting(state_.clock, activity::waiting_to_dequeue);
        if (runner_.leased_from != nullptr)
            batch = co_await take_leased(request);
        else
            batch = co_await runner_.from->take(request);
    }
    add(state_.items_in, batch.size());
    co_return batch;
}

asio::awaitable<std::vector<element>> worker_context::take_leased(read_request request)
{
    co_await acknowledge();
    if (!request.fill)
        request.most = std::min(request.most, most_leased);
    batch_ = co_await runner_.leased_from->take(request);
    if (batch_ == nullptr)
        co_return std::vector<element>();
    co_return std::move(batch_->elements());
}

std::string_view worker_context::remote_input() const noexcept
{
    return runner_.leased_from != nullptr ? runner_.leased_from->name()
                                          : std::string_view();
}

std::span<const element_key> worker_context::keys() const noexcept
{
    if (batch_ == nullptr)
        return {};
    return batch_->keys();
}

asio::awaitable<void> worker_context::acknowledge()
{
    if (const auto done = std::exchange(batch_, nullptr))
        co_await done->acknowledge();
}

asio::awaitable<void> worker_context::wait_while_paused()
{
    const waiting_scope paused(state_.clock);
    co_await runner_.gate.pass();
}

asio::awaitable<void> worker_context::write(std::vector<element>& elements)
{
    return order_ == nullptr ? write_on(elements) : write_in_order(elements);
}

asio::awaitable<void> worker_context::write_in_order(std::vector<element>& elements)
{
    const waiting_scope waiting(state_.clock, activity::waiting_to_enqueue);
    co_await order_->write(ticket_.value(), elements, write_on_);
}

asio::awaitable<void> worker_context::write_on(std::vector<element>& elements)
{
    if (!has_input() && runner_.gate.is_paused())
        co_await wait_while_paused();
    const std::size_t count = elements.size();
    co_await put(runner_.to, elements);
    add(state_.items_out, count);
}

asio::awaitable<void> worker_context::put(
    output_queues& to,
    std::vector<element>& elements
)
{
    const waiting_scope waiting(state_.clock, activity::waiting_to_enqueue);
    co_await to.put(elements);
}

asio::awaitable<void> worker_context::end_ticket()
{
    if (!ticket_)
        co_return;
    const waiting_scope waiting(state_.clock, activity::waiting_to_enqueue);
    co_await order_->end(*std::exchange(ticket_, std::nullopt), write_on_);
}

asio::awaitable<void> worker_context::end()
{
    co_await end_ticket();
    order_ = nullptr;
    co_await acknowledge();
}

void worker_context::note_failure(const std::exception_ptr& thrown) noexcept
{
    if (batch_ != nullptr && is_of_surroundings(thrown))
        batch_->absolve();
}

asio::awaitable<void> worker_context::skip(element refused, std::string reason)
{
    if (on_error() == error_action::fail)
        throw std::runtime_error(reason);
    const detail::record_block* const block = detail::block_of(refused);
    const bool has_place = block != nullptr && block->file() != nullptr;
    const std::uint64_t line = has_place ? block->line_of(refused.record()) : 0;
    if (has_place)
        reason = fmt::format("{}, line {}: {}", *block->file(), line, reason);
    if (on_error() == error_action::divert) {
        json_value diverted = json_value::object();
        diverted["runner"] = runner();
        diverted["error"] = reason;
        if (has_place) {
            diverted["file"] = *block->file();
            diverted["line"] = line;
        }
        diverted["element"] = std::move(refused).to_json();
        std::vector<element> one;
        one.emplace_back(std::move(diverted));
        co_await put(runner_.errors_to, one);
    }
    runner_.errors.add(std::move(reason));
}

asio::awaitable<void> worker_context::run_blocking(std::function<void()> function)
{
    const waiting_scope blocking(state_.clock, activity::busy);
    co_await state_.thread.run(std::move(function));
}

}  // namespace sluice::pipeline
