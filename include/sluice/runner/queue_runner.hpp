// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/coordination/coordinator.hpp>
#include <sluice/detail/closable.hpp>
#include <sluice/runner/queue_runner_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice {

class queue_runner
{
public:
    using operation = std::function<boost::asio::awaitable<void>()>;

    template <class Queue>
    queue_runner(
        Queue& queue,
        std::initializer_list<operation> operations,
        queue_runner_options options = {}
    )
        : queue_runner(&queue.core(), std::vector<operation>(operations), std::move(options))
    {
    }

    template <class Queue>
    queue_runner(
        Queue& queue,
        std::vector<operation> operations,
        queue_runner_options options = {}
    )
        : queue_runner(
              detail::closable_ptr(&queue.core()),
              std::move(operations),
              std::move(options)
          )
    {
    }

    template <class Queue>
    queue_runner(
        Queue& queue,
        operation op,
        std::size_t workers = 1,
        queue_runner_options options = {}
    )
        : queue_runner(
              detail::closable_ptr(&queue.core()),
              std::vector<operation>(workers, std::move(op)),
              std::move(options)
          )
    {
    }

    queue_runner(const queue_runner&) = delete;
    queue_runner& operator=(const queue_runner&) = delete;
    ~queue_runner();

    bool start(coordinator& scope);

    bool start(const boost::asio::any_io_executor& executor);

    template <class Context>
        requires(!std::same_as<Context, coordinator>) && requires(Context& context) {
            {
                context.get_executor()
            } -> std::convertible_to<boost::asio::any_io_executor>;
        }
    bool start(Context& context)
    {
        return start(boost::asio::any_io_executor(context.get_executor()));
    }

    [[nodiscard]] const std::string& name() const noexcept;

    [[nodiscard]] std::size_t size() const noexcept;

    [[nodiscard]] bool is_running() const;

    [[nodiscard]] std::vector<std::exception_ptr> exceptions_raised() const;

private:
    class state;

    queue_runner(
        detail::closable_ptr queue,
        std::vector<operation> operations,
        queue_runner_options options
    );

    const std::shared_ptr<state> state_;
};

}  // namespace sluice
