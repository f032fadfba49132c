// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/redis/detail/remote_calls.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::redis::detail {

// What consumers get, made of the bytes that came.
template <class Delivery, class Codec>
class typed_consumer : public remote_consumer
{
public:
    using remote_consumer::remote_consumer;

protected:
    ~typed_consumer() = default;

    // The next element becomes a delivery. If it cannot be read it goes back, as delivered.
    [[nodiscard]] Delivery take(leased_element& element) const
    {
        return Delivery(
            remote_state_ptr(&static_cast<remote_state&>(core())),
            std::move(element),
            [](const std::string& bytes) { return Codec::decode(bytes); }
        );
    }

    [[nodiscard]] Delivery take_one()
    {
        leased_element first = std::move(elements.front());
        elements.clear();
        return take(first);
    }

    [[nodiscard]] std::vector<Delivery> take_all()
    {
        std::vector<Delivery> batch;
        batch.reserve(elements.size());
        auto taken = std::exchange(elements, {});
        std::size_t next = 0;
        try {
            for (; next < taken.size(); ++next)
                batch.push_back(take(taken[next]));
        } catch (...) {
            // The one that cannot be read has gone back; so do the others, unseen.
            for (Delivery& each : batch)
                each.forget();
            taken.erase(
                taken.begin(),
                taken.begin() + static_cast<std::ptrdiff_t>(next + 1)
            );
            elements = std::move(taken);
            throw;
        }
        return batch;
    }

    // In the form with a code, what decoding throws is a code, too.
    template <class Value, class Take>
    [[nodiscard]] static std::tuple<error_code, Value> outcome_of(
        error_code code,
        Take&& take
    )
    {
        if (code.failed())
            return {code, Value()};
        try {
            return {code, take()};
        } catch (...) {
            return {
                sluice::detail::code_of(
                    std::current_exception(),
                    sluice::errc::element_failed
                ),
                Value()
            };
        }
    }
};

// dequeue().
template <class Delivery, class Codec>
class dequeue_call : public typed_consumer<Delivery, Codec>
{
    using base = typed_consumer<Delivery, Codec>;

public:
    using signature = void(error_code, std::optional<Delivery>);

    struct arguments
    {
        remote_state* core;
    };

    explicit dequeue_call(arguments&& args) : base(remote_demand::some, 1, args.core) {}

    [[nodiscard]] Delivery result()
    {
        if (this->failed())
            this->throw_failure();
        return this->take_one();
    }

    [[nodiscard]] std::tuple<error_code, std::optional<Delivery>> outcome()
    {
        return base::template outcome_of<std::optional<Delivery>>(this->code(), [this] {
            return this->take_one();
        });
    }

    [[nodiscard]] std::string describe() const override
    {
        return "dequeue on " + this->hub_->describe();
    }

protected:
    ~dequeue_call() = default;
};

// next(): a dequeue to which the end of the queue is not a failure.
template <class Delivery, class Codec>
class next_call : public typed_consumer<Delivery, Codec>
{
    using base = typed_consumer<Delivery, Codec>;

public:
    using signature = void(error_code, std::optional<Delivery>);

    struct arguments
    {
        remote_state* core;
    };

    explicit next_call(arguments&& args) : base(remote_demand::some, 1, args.core) {}

    [[nodiscard]] std::optional<Delivery> result()
    {
        if (is_end())
            return std::nullopt;
        if (this->failed())
            this->throw_failure();
        return this->take_one();
    }

    [[nodiscard]] std::tuple<error_code, std::optional<Delivery>> outcome()
    {
        return base::template outcome_of<std::optional<Delivery>>(code(), [this] {
            return result();
        });
    }

    [[nodiscard]] error_code code() const noexcept override
    {
        return is_end() ? error_code() : base::code();
    }

    [[nodiscard]] std::string describe() const override
    {
        return "next on " + this->hub_->describe();
    }

protected:
    ~next_call() = default;

private:
    [[nodiscard]] bool is_end() const noexcept
    {
        return this->error() == sluice::errc::end_of_queue;
    }
};

template <class Delivery, class Codec, remote_demand Kind>
class batch_call;

// How a batch is related to the one with a linger().
template <class Delivery, class Codec, remote_demand Kind>
struct batch_call_traits
{
};

template <class Delivery, class Codec>
struct batch_call_traits<Delivery, Codec, remote_demand::up_to>
{
    using lingering = batch_call<Delivery, Codec, remote_demand::linger>;
};

template <class Delivery, class Codec>
struct batch_call_traits<Delivery, Codec, remote_demand::linger>
{
    static constexpr bool lingers = true;
};

// dequeue_many(), dequeue_up_to() and dequeue_some().
template <class Delivery, class Codec, remote_demand Kind>
class batch_call : public typed_consumer<Delivery, Codec>,
                   public batch_call_traits<Delivery, Codec, Kind>
{
    using base = typed_consumer<Delivery, Codec>;
    using batch_type = std::vector<Delivery>;

public:
    using signature = void(error_code, batch_type);

    struct arguments
    {
        remote_state* core;
        std::size_t count;
    };

    explicit batch_call(arguments&& args) : base(Kind, args.count, args.core) {}

    [[nodiscard]] batch_type result()
    {
        if (this->failed())
            this->throw_failure();
        return this->take_all();
    }

    [[nodiscard]] std::tuple<error_code, batch_type> outcome()
    {
        return base::template outcome_of<batch_type>(this->code(), [this] {
            return this->take_all();
        });
    }

    [[nodiscard]] std::string describe() const override
    {
        constexpr const char* name = Kind == remote_demand::exactly ? "dequeue_many"
                                     : Kind == remote_demand::some  ? "dequeue_some"
                                                                    : "dequeue_up_to";
        return name + ("(" + std::to_string(this->wanted) + ") on ") +
               this->hub_->describe();
    }

protected:
    ~batch_call() = default;
};

// try_dequeue(): a dequeue that a refusal ends, which is no failure unless a code is asked for.
template <class Delivery, class Codec>
class try_dequeue_call : public dequeue_call<Delivery, Codec>
{
    using base = dequeue_call<Delivery, Codec>;

public:
    explicit try_dequeue_call(typename base::arguments&& args) : base(std::move(args))
    {
        this->tries = true;
    }

    [[nodiscard]] std::optional<Delivery> result()
    {
        if (is_refusal(this->error()))
            return std::nullopt;
        return base::result();
    }

    [[nodiscard]] std::string describe() const override
    {
        return "try_" + base::describe();
    }

protected:
    ~try_dequeue_call() = default;
};

// try_dequeue_many(): the same of what there is, up to a number.
template <class Delivery, class Codec>
class try_batch_call : public batch_call<Delivery, Codec, remote_demand::some>
{
    using base = batch_call<Delivery, Codec, remote_demand::some>;

public:
    explicit try_batch_call(typename base::arguments&& args) : base(std::move(args))
    {
        this->tries = true;
    }

    [[nodiscard]] std::vector<Delivery> result()
    {
        if (is_refusal(this->error()))
            return {};
        return base::result();
    }

    [[nodiscard]] std::string describe() const override
    {
        return "try_dequeue_many(" + std::to_string(this->wanted) + ") on " +
               this->hub_->describe();
    }

protected:
    ~try_batch_call() = default;
};

}  // namespace sluice::redis::detail
