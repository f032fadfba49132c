// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/code_of.hpp>
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sluice::redis::detail {

// A core and where its completions run that have no executor of their own.
class remote_state final : public remote_core
{
public:
    remote_state(
        const queue_options& options,
        std::string prefix,
        std::weak_ptr<command_sink> sink,
        boost::asio::any_io_executor executor
    )
        : remote_core(options, std::move(prefix), std::move(sink)),
          executor_(std::move(executor))
    {
    }

    [[nodiscard]] const boost::asio::any_io_executor& executor() const noexcept
    {
        return executor_;
    }

private:
    const boost::asio::any_io_executor executor_;
};

using remote_state_ptr = boost::intrusive_ptr<remote_state>;

// What co_await and a completion get of an operation without a value.
template <class Waiter>
class without_value : public Waiter
{
public:
    using signature = void(error_code);
    using Waiter::Waiter;

    void result() const
    {
        if (this->failed())
            this->throw_failure();
    }

    [[nodiscard]] std::tuple<error_code> outcome() const noexcept
    {
        return {this->code()};
    }

protected:
    ~without_value() = default;
};

// enqueue() and enqueue_many().
class enqueue_call : public without_value<remote_producer>
{
public:
    // Half of its batch is never in. But it may be in while another branch of a select is taken.
    static constexpr bool accepts_in_part = true;

    struct arguments
    {
        remote_state* core;
        std::vector<record> records;
    };

    explicit enqueue_call(arguments&& args)
        : without_value(args.core, std::move(args.records))
    {
    }

    [[nodiscard]] std::string describe() const override
    {
        return "enqueue of " + std::to_string(records.size()) + " to " + hub_->describe();
    }

protected:
    ~enqueue_call() = default;
};

// Whether an attempt was answered, and with no.
[[nodiscard]] inline bool is_refusal(const error_code& error) noexcept
{
    return error == sluice::errc::queue_full || error == sluice::errc::queue_empty ||
           error == sluice::errc::queue_busy || error == sluice::errc::queue_closed ||
           error == sluice::errc::end_of_queue;
}

// try_enqueue() and try_enqueue_many().
class try_enqueue_call : public remote_producer
{
public:
    static constexpr bool accepts_in_part = true;  // as enqueue_call
    using signature = void(error_code, bool);
    using arguments = enqueue_call::arguments;

    explicit try_enqueue_call(arguments&& args)
        : remote_producer(args.core, std::move(args.records))
    {
        tries = true;
    }

    [[nodiscard]] bool result() const
    {
        if (failed() && !is_refusal(error()))
            throw_failure();
        return !failed();
    }

    [[nodiscard]] std::tuple<error_code, bool> outcome() const
    {
        return {code(), !failed()};
    }

    [[nodiscard]] std::string describe() const override
    {
        return "try_enqueue of " + std::to_string(records.size()) + " to " +
               hub_->describe();
    }

protected:
    ~try_enqueue_call() = default;
};

// acknowledge(), requeue() and extend().
class settle_call : public without_value<remote_settler>
{
public:
    static constexpr bool accepts_in_part = true;  // as above

    struct arguments
    {
        settling what;
        remote_state_ptr core;
        std::vector<leased_element> elements;

        arguments(
            settling how,
            remote_state_ptr owner,
            std::vector<leased_element> settled
        ) noexcept
            : what(how), core(std::move(owner)), elements(std::move(settled))
        {
        }

        arguments(arguments&&) = default;

        // Of one that was never started.
        ~arguments()
        {
            if (!elements.empty() && what != settling::extend)
                core->settle(settling::requeue, std::move(elements));
        }
    };

    explicit settle_call(arguments&& args)
        : without_value(args.what, args.core.get(), std::move(args.elements)),
          core_(std::move(args.core))
    {
        args.elements.clear();
    }

    [[nodiscard]] std::string describe() const override
    {
        const char* const name = what == settling::acknowledge ? "acknowledge"
                                 : what == settling::extend    ? "extend"
                                                               : "requeue";
        return name + (" on " + hub_->describe());
    }

protected:
    ~settle_call() = default;

private:
    const remote_state_ptr core_;  // a delivery may outlive its queue
};

// close() and flush().
template <remote_query::question Question>
class notice_call : public without_value<remote_query>
{
public:
    struct arguments
    {
        remote_state* core;
    };

    explicit notice_call(arguments&& args) : without_value(Question, args.core) {}

    [[nodiscard]] std::string describe() const override
    {
        return (Question == remote_query::question::close ? "close of " : "flush of ") +
               hub_->describe();
    }

protected:
    ~notice_call() = default;
};

class status_call : public remote_query
{
public:
    using signature = void(error_code, queue_status);

    struct arguments
    {
        remote_state* core;
    };

    explicit status_call(arguments&& args)
        : remote_query(remote_query::question::status, args.core)
    {
    }

    [[nodiscard]] queue_status result() const
    {
        if (failed())
            throw_failure();
        return status;
    }

    [[nodiscard]] std::tuple<error_code, queue_status> outcome() const
    {
        return {code(), status};
    }

    [[nodiscard]] std::string describe() const override
    {
        return "status of " + hub_->describe();
    }

protected:
    ~status_call() = default;
};

// size() and position().
template <remote_query::question Asked, class Number>
class number_call : public remote_query
{
public:
    using signature = void(error_code, Number);
    using arguments = status_call::arguments;

    explicit number_call(arguments&& args) : remote_query(Asked, args.core) {}

    [[nodiscard]] Number result() const
    {
        if (failed())
            throw_failure();
        return static_cast<Number>(number);
    }

    [[nodiscard]] std::tuple<error_code, Number> outcome() const
    {
        return {code(), static_cast<Number>(number)};
    }

    [[nodiscard]] std::string describe() const override
    {
        const char* const what = Asked == question::size ? "size of " : "position in ";
        return what + hub_->describe();
    }

protected:
    ~number_call() = default;
};

using size_call = number_call<remote_query::question::size, std::size_t>;
using position_call = number_call<remote_query::question::position, std::uint64_t>;

}  // namespace sluice::redis::detail
