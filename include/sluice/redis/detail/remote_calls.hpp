// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/error.hpp>
#include <sluice/redis/detail/remote_core.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

using sluice::detail::demand;
using sluice::detail::gives_batch;
using sluice::detail::gives_next;
using sluice::detail::gives_nothing;
using sluice::detail::gives_value;

// enqueue() and enqueue_many().
class enqueue_request : public remote_producer
{
public:
    // Half of its batch is never in. But it may be in while another branch of a select is taken.
    static constexpr bool accepts_in_part = true;

    struct arguments
    {
        remote_state* core;
        std::vector<record> records;
    };

    explicit enqueue_request(arguments&& args)
        : remote_producer(args.core, std::move(args.records))
    {
    }

protected:
    ~enqueue_request() = default;
};

using enqueue_call = gives_nothing<enqueue_request>;

// Whether an attempt was answered, and with no.
[[nodiscard]] inline bool is_refusal(const error_code& error) noexcept
{
    return error == sluice::errc::queue_full || error == sluice::errc::queue_empty ||
           error == sluice::errc::queue_busy || error == sluice::errc::queue_closed ||
           error == sluice::errc::end_of_queue;
}

// An attempt: an operation that a refusal ends, which is no failure unless a code is asked for.
// try_enqueue() and try_enqueue_many().
class try_enqueue_call : public enqueue_request
{
public:
    using signature = void(error_code, bool);

    explicit try_enqueue_call(arguments&& args) : enqueue_request(std::move(args))
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

protected:
    ~try_enqueue_call() = default;
};

// try_dequeue() and try_dequeue_many().
template <class Dequeue>
class attempt_of : public Dequeue
{
public:
    explicit attempt_of(typename Dequeue::arguments&& args) : Dequeue(std::move(args))
    {
        this->tries = true;
    }

    [[nodiscard]] typename Dequeue::completion_type result()
    {
        if (is_refusal(this->error()))
            return {};
        return Dequeue::result();
    }

protected:
    ~attempt_of() = default;
};

// What outlives the parts of an operation that refer to it. A delivery may outlive its queue.
class core_keeper
{
protected:
    explicit core_keeper(remote_state_ptr core) noexcept : core_(std::move(core)) {}

private:
    const remote_state_ptr core_;
};

// acknowledge(), requeue() and extend().
class settle_call : private core_keeper, public gives_nothing<remote_settler>
{
public:
    static constexpr bool accepts_in_part = true;  // the server may have done it

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
        : core_keeper(args.core),
          gives_nothing(args.what, args.core.get(), std::move(args.elements))
    {
        args.elements.clear();
    }

protected:
    ~settle_call() = default;
};

template <remote_query::question Asked, class Value = void>
class query_taker : public remote_query
{
public:
    using value_type = Value;

    struct arguments
    {
        remote_state* core;
    };

    explicit query_taker(arguments&& args) : remote_query(Asked, args.core) {}

    [[nodiscard]] Value take() const
    {
        if constexpr (Asked == question::status)
            return status;
        else
            return static_cast<Value>(number);
    }

    [[nodiscard]] static std::string numbers() { return {}; }

protected:
    ~query_taker() = default;
};

using close_call = gives_nothing<query_taker<remote_query::question::close>>;
using flush_call = gives_nothing<query_taker<remote_query::question::flush>>;
using status_call =
    gives_value<query_taker<remote_query::question::status, queue_status>>;
using size_call = gives_value<query_taker<remote_query::question::size, std::size_t>>;
using position_call =
    gives_value<query_taker<remote_query::question::position, std::uint64_t>>;

// Makes a delivery of the bytes that came. An element that cannot be read is returned as
// delivered.
template <class Delivery, class Codec>
class delivery_maker : public remote_consumer
{
public:
    using core_type = remote_state;
    using remote_consumer::remote_consumer;

protected:
    ~delivery_maker() = default;

    [[nodiscard]] Delivery made_of(leased_element& element) const
    {
        return Delivery(
            remote_state_ptr(&static_cast<remote_state&>(core())),
            std::move(element),
            [](const std::string& bytes) { return Codec::decode(bytes); }
        );
    }
};

// Takes one element.
template <class Delivery, class Codec>
class delivery_taker : public delivery_maker<Delivery, Codec>
{
public:
    using value_type = Delivery;

    struct arguments
    {
        remote_state* core;
    };

    explicit delivery_taker(arguments&& args)
        : delivery_maker<Delivery, Codec>(demand::one, 1, args.core)
    {
    }

    [[nodiscard]] Delivery take()
    {
        auto taken = std::exchange(this->elements, {});
        return this->made_of(taken.front());
    }

protected:
    ~delivery_taker() = default;
};

// Takes a batch.
template <class Delivery, class Codec>
class deliveries_taker : public delivery_maker<Delivery, Codec>
{
public:
    using value_type = std::vector<Delivery>;
    using delivery_maker<Delivery, Codec>::delivery_maker;

    [[nodiscard]] value_type take()
    {
        value_type batch;
        batch.reserve(this->elements.size());
        auto taken = std::exchange(this->elements, {});
        try {
            for (leased_element& each : taken)
                batch.push_back(this->made_of(each));
        } catch (...) {
            // The one that cannot be read has gone back; so do the others, unseen.
            const auto next = static_cast<std::ptrdiff_t>(batch.size() + 1);
            for (Delivery& each : batch)
                each.forget();
            taken.erase(taken.begin(), taken.begin() + next);
            this->elements = std::move(taken);
            throw;
        }
        return batch;
    }

protected:
    ~deliveries_taker() = default;
};

template <class Delivery, class Codec>
using dequeue_call =
    gives_value<delivery_taker<Delivery, Codec>, std::optional<Delivery>>;

template <class Delivery, class Codec>
using next_call = gives_next<delivery_taker<Delivery, Codec>>;

template <class Delivery, class Codec, demand Kind>
using batch_call = gives_batch<deliveries_taker<Delivery, Codec>, Kind>;

}  // namespace sluice::redis::detail
