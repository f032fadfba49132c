// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/close_mode.hpp>
#include <sluice/detail/awaitable_awaiter.hpp>
#include <sluice/detail/operation.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>
#include <sluice/queue/element_store.hpp>
#include <sluice/queue/queue_stats.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

template <std::move_constructible T, element_store<T> Store, class Executor>
class basic_queue
{
    template <class Waiter>
    using operation = detail::operation<Waiter, Executor>;

    using default_token = typename boost::asio::default_completion_token<Executor>::type;

public:
    using core_type = detail::queue_core<T, Store>;
    using value_type = T;
    using batch_type = typename Store::batch_type;
    using executor_type = Executor;
    using options_type = typename Store::options_type;

    explicit basic_queue(const Executor& executor, options_type options = {})
        : executor_(executor),
          core_(new core_type(Store(options), options.capacity, std::move(options.name)))
    {
        detail::attach_home(
            *core_,
            boost::asio::query(executor_, boost::asio::execution::context)
        );
    }

    template <class Context>
        requires requires(Context& context) {
            { context.get_executor() } -> std::convertible_to<Executor>;
        }
    explicit basic_queue(Context& context, options_type options = {})
        : basic_queue(Executor(context.get_executor()), std::move(options))
    {
    }

    basic_queue(const basic_queue&) = delete;
    basic_queue& operator=(const basic_queue&) = delete;

    ~basic_queue()
    {
        core_->shut_down();
        core_->detach();
    }

    [[nodiscard]] const Executor& get_executor() const noexcept { return executor_; }

    [[nodiscard]] std::size_t size() const noexcept { return core_->size(); }

    [[nodiscard]] std::size_t capacity() const noexcept { return core_->capacity(); }

    [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }

    [[nodiscard]] const std::string& name() const noexcept { return core_->name(); }

    [[nodiscard]] queue_stats stats() const noexcept { return core_->stats(); }

    void close(close_mode mode = close_mode::drain) noexcept { core_->close(mode, nullptr); }

    void close(std::exception_ptr cause) noexcept
    {
        core_->close(close_mode::cancel_pending, std::move(cause));
    }

    [[nodiscard]] bool try_enqueue(T&& element)
    {
        return try_enqueue_many(std::span<T>(&element, 1)) == 1;
    }

    std::size_t try_enqueue_many(std::span<T> elements)
    {
        detail::flushed<typename core_type::producer> rows(elements);
        core_->flush(rows);
        return rows.accepted();
    }

    [[nodiscard]] std::optional<T> try_dequeue()
    {
        detail::flushed<typename core_type::consumer> one(detail::demand::one, 1);
        core_->flush(one);
        return std::move(one.item());
    }

    [[nodiscard]] batch_type try_dequeue_many(std::size_t max)
    {
        constexpr auto kind =
            Store::whole_batches ? detail::demand::some : detail::demand::up_to;
        detail::flushed<typename core_type::consumer> batch(kind, max);
        core_->flush(batch);
        return batch_type(std::move(batch.batch()));
    }

    [[nodiscard]] auto enqueue(T&& element)
    {
        return operation<detail::borrowed_enqueue<core_type>>(
            {core_.get(), &element, nullptr},
            executor_
        );
    }

    [[nodiscard]] auto enqueue(const T& element)
        requires std::copy_constructible<T>
    {
        return operation<detail::borrowed_enqueue<core_type>>(
            {core_.get(), nullptr, &element},
            executor_
        );
    }

    [[nodiscard]] auto enqueue_many(std::span<T> elements)
    {
        return operation<detail::enqueue_rows<core_type>>({core_.get(), elements}, executor_);
    }

    [[nodiscard]] auto dequeue()
    {
        return operation<detail::dequeue_one<core_type>>({core_.get()}, executor_);
    }

    [[nodiscard]] auto next()
    {
        return operation<detail::dequeue_next<core_type>>({core_.get()}, executor_);
    }

    [[nodiscard]] auto dequeue_many(std::size_t count)
    {
        return batch<detail::demand::exactly>(count);
    }

    [[nodiscard]] auto dequeue_up_to(std::size_t count)
    {
        return batch<detail::demand::up_to>(count);
    }

    [[nodiscard]] auto dequeue_some(std::size_t max)
    {
        return batch<detail::demand::some>(max);
    }

    template <class Token = default_token>
    auto async_enqueue(T element, Token&& token = Token())
    {
        return operation<detail::owning_enqueue<core_type>>(
            {core_.get(), std::move(element)},
            executor_
        )(std::forward<Token>(token));
    }

    template <class Token = default_token>
    auto async_enqueue_many(std::span<T> elements, Token&& token = Token())
    {
        return enqueue_many(elements)(std::forward<Token>(token));
    }

    template <class Token = default_token>
    auto async_dequeue(Token&& token = Token())
    {
        return dequeue()(std::forward<Token>(token));
    }

    template <class Token = default_token>
    auto async_next(Token&& token = Token())
    {
        return next()(std::forward<Token>(token));
    }

    template <class Token = default_token>
    auto async_dequeue_many(std::size_t count, Token&& token = Token())
    {
        return dequeue_many(count)(std::forward<Token>(token));
    }

    template <class Token = default_token>
    auto async_dequeue_up_to(std::size_t count, Token&& token = Token())
    {
        return dequeue_up_to(count)(std::forward<Token>(token));
    }

    template <class Token = default_token>
    auto async_dequeue_some(std::size_t max, Token&& token = Token())
    {
        return dequeue_some(max)(std::forward<Token>(token));
    }

    // For coordinator and runner.
    [[nodiscard]] detail::closable& core() const noexcept { return *core_; }

private:
    template <detail::demand Kind>
    auto batch(std::size_t count)
    {
        return operation<detail::dequeue_batch<core_type, Kind>>(
            {core_.get(), count},
            executor_
        );
    }

    const Executor executor_;
    const boost::intrusive_ptr<core_type> core_;
};

}  // namespace sluice
