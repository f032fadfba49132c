// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include "monitor/readiness.hpp"
#include "pipeline/data/content.hpp"
#include "pipeline/run/pipeline_state.hpp"
#include <sluice/coordination/coordinator.hpp>
#include <sluice/pipeline/remote_queue.hpp>
#include <sluice/pipeline/stage_context.hpp>

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sluice::pipeline {

// The context of a worker in a running pipeline: queues on both sides, and a clock that says
// what it waited for.
/*
 * Of a runner that keeps an order, what the worker writes after a read, until the next one, is the
 * result of what that read gave.
 *
 * What it takes from a queue on a server is acknowledged when its stage reads again, or has ended:
 * all that was made of it is written then, see stage::can_acknowledge(). If the worker fails or is
 * stopped before, it is returned.
 */
class worker_context final : public stage_context
{
public:
    // `sources` is asked to stop when sources should end.
    worker_context(
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
          write_on_([this](std::vector<element>& elements) { return write_on(elements); }
          ),
          order_(runner.order.get())
    {
        state_.clock.begin(std::move(task));
    }

    ~worker_context() override { state_.clock.end(); }

    [[nodiscard]] const std::string& runner() const noexcept override
    {
        return runner_.description.name;
    }

    [[nodiscard]] std::size_t worker() const noexcept override { return worker_; }

    [[nodiscard]] std::stop_token stop_token() const noexcept override
    {
        return sources_.get_stop_token();
    }

    [[nodiscard]] bool has_input() const noexcept override
    {
        return runner_.from != nullptr;
    }

    [[nodiscard]] bool has_output() const noexcept override { return !runner_.is_sink(); }

    [[nodiscard]] boost::asio::awaitable<std::vector<element>> take(read_request request
    ) override
    {
        return order_ == nullptr ? take_next(request) : take_in_order(request);
    }

    [[nodiscard]] std::string_view remote_input() const noexcept override
    {
        return runner_.leased_from != nullptr ? runner_.leased_from->name()
                                              : std::string_view();
    }

    [[nodiscard]] std::span<const element_key> keys() const noexcept override
    {
        if (batch_ == nullptr)
            return {};
        return batch_->keys();
    }

    [[nodiscard]] boost::asio::awaitable<void> write(std::vector<element>& elements
    ) override
    {
        return order_ == nullptr ? write_on(elements) : write_in_order(elements);
    }

    [[nodiscard]] error_action on_error() const noexcept override
    {
        return runner_.description.on_error.action;
    }

    [[nodiscard]] boost::asio::awaitable<void> skip(element refused, std::string reason)
        override
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

    [[nodiscard]] output& out() const noexcept override { return out_; }

    // The stage has dealt with all that it has read. What it writes from now on, in
    // stage::finish(), has no place in an order.
    [[nodiscard]] boost::asio::awaitable<void> end()
    {
        co_await end_ticket();
        order_ = nullptr;
        co_await acknowledge();
    }

    // The worker ends because of this exception.
    void note_failure(const std::exception_ptr& thrown) noexcept
    {
        if (batch_ != nullptr && is_of_surroundings(thrown))
            batch_->absolve();
    }

private:
    // How many elements are taken at a time from a queue on a server. Those of a process that dies
    // again and again count as delivered, so they are few.
    static constexpr std::size_t most_leased = 32;

    // Whether the same would happen with any other element: a queue on a server refuses, a disk is
    // full. What takes all memory is perhaps the element.
    static bool is_of_surroundings(const std::exception_ptr& thrown) noexcept
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

    boost::asio::awaitable<std::vector<element>> take_in_order(read_request request)
    {
        co_await end_ticket();
        const waiting_scope waiting(state_.clock, activity::waiting_to_dequeue);
        const auto turn = co_await order_->turn_to_read();
        std::vector<element> batch = co_await take_next(request);
        if (!batch.empty())
            ticket_ = order_->open();
        co_return batch;
    }

    boost::asio::awaitable<std::vector<element>> take_next(read_request request)
    {
        if (runner_.gate.is_paused())
            co_await wait_while_paused();
        if (runner_.from->makes_takes_wait())
            runner_.from->waits_to_take.fetch_add(1, std::memory_order_relaxed);
        std::vector<element> batch;
        {
            const waiting_scope waiting(state_.clock, activity::waiting_to_dequeue);
            if (runner_.leased_from != nullptr)
                batch = co_await take_leased(request);
            else
                batch = co_await runner_.from->take(request);
        }
        state_.items_in.fetch_add(batch.size(), std::memory_order_relaxed);
        co_return batch;
    }

    boost::asio::awaitable<std::vector<element>> take_leased(read_request request)
    {
        co_await acknowledge();
        if (!request.fill)
            request.most = std::min(request.most, most_leased);
        batch_ = co_await runner_.leased_from->take(request);
        if (batch_ == nullptr)
            co_return std::vector<element>();
        co_return std::move(batch_->elements());
    }

    boost::asio::awaitable<void> write_in_order(std::vector<element>& elements)
    {
        const waiting_scope waiting(state_.clock, activity::waiting_to_enqueue);
        co_await order_->write(ticket_.value(), elements, write_on_);
    }

    boost::asio::awaitable<void> write_on(std::vector<element>& elements)
    {
        return elements.size() < 2 * batch_size ? write_part(elements)
                                                : write_parts(elements);
    }

    // What is in a slow queue counts, while the rest waits. No part is small.
    boost::asio::awaitable<void> write_parts(std::vector<element>& elements)
    {
        for (auto rest = std::span(elements); !rest.empty();) {
            const bool is_last = rest.size() < 2 * batch_size;
            const auto next = is_last ? rest : rest.first(batch_size);
            std::vector<element> part(
                std::make_move_iterator(next.begin()),
                std::make_move_iterator(next.end())
            );
            co_await write_part(part);
            rest = rest.subspan(next.size());
        }
        elements.clear();
    }

    boost::asio::awaitable<void> write_part(std::vector<element>& elements)
    {
        if (!has_input() && runner_.gate.is_paused())
            co_await wait_while_paused();
        const std::size_t count = elements.size();
        co_await put(runner_.to, elements);
        state_.items_out.fetch_add(count, std::memory_order_relaxed);
    }

    boost::asio::awaitable<void> end_ticket()
    {
        if (!ticket_)
            co_return;
        const waiting_scope waiting(state_.clock, activity::waiting_to_enqueue);
        co_await order_->end(*std::exchange(ticket_, std::nullopt), write_on_);
    }

    boost::asio::awaitable<void> acknowledge()
    {
        if (const auto done = std::exchange(batch_, nullptr))
            co_await done->acknowledge();
    }

    // Between the elements: before it takes some, and before a source puts some.
    boost::asio::awaitable<void> wait_while_paused()
    {
        const waiting_scope paused(state_.clock);
        co_await runner_.gate.pass();
    }

    boost::asio::awaitable<void> put(output_queues& to, std::vector<element>& elements)
    {
        const waiting_scope waiting(state_.clock, activity::waiting_to_enqueue);
        co_await to.put(elements);
    }

    boost::asio::awaitable<void> run_blocking(std::function<void()> function) override
    {
        const waiting_scope blocking(state_.clock, activity::busy);
        co_await state_.thread.run(std::move(function));
    }

    running_runner& runner_;
    const std::size_t worker_;
    worker_state& state_;
    coordinator& sources_;
    output& out_;
    const result_order::write_function write_on_;
    result_order* order_;                         // null: none is kept
    std::optional<result_order::ticket> ticket_;  // of what was read last
    std::unique_ptr<remote_batch> batch_;         // what the stage works on
};

}  // namespace sluice::pipeline
