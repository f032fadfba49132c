// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/waiter.hpp>
#include <sluice/error.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// The forms in which operations of queues give their outcome, for queues of this process and on a
// server: what co_await gives, what a completion gets, and what the end of a queue is to them.

// How much a dequeue operation asks for.
enum class demand : unsigned char
{
    one,      // a single element; all other kinds give a batch
    exactly,  // that many
    up_to,    // that many, fewer once the queue is closed and short
    some,     // at least one, at most that many
    linger    // as up_to, and fewer when its time is over
};

[[nodiscard]] constexpr const char* name_of(demand kind) noexcept
{
    return kind == demand::one       ? "dequeue"
           : kind == demand::exactly ? "dequeue_many"
           : kind == demand::some    ? "dequeue_some"
                                     : "dequeue_up_to";
}

// What an operation of a queue is, for people.
[[nodiscard]] std::string on_queue(const char* operation, const waiter& w);
[[nodiscard]] std::string on_queue(
    const char* operation,
    std::size_t count,
    const waiter& w
);

// Who closed the queue, for the message of a consumer that was told of a stop.
[[nodiscard]] std::string who_stopped(const waiter& w);

// The numbers for the message of a batch that failed.
[[nodiscard]] std::string numbers_of_batch(
    const waiter& w,
    std::size_t left,
    std::size_t capacity
);

// What an operation gives that reports failures as a code: `take()`, unless it failed.
// Padding elements and decoders may throw, and in this form that is a code, too: a handler that is
// not called would leave its owner waiting for ever (P3).
template <class Value, class Take>
[[nodiscard]] std::tuple<error_code, Value> outcome_of(error_code code, Take&& take)
{
    if (code.failed())
        return {code, Value()};
    try {
        return {code, take()};
    } catch (...) {
        return {code_of(std::current_exception(), errc::element_failed), Value()};
    }
}

// Gives nothing.
template <class Waiter>
class gives_nothing : public Waiter
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
    ~gives_nothing() = default;
};

// A taker has a `value_type`, and take() that gives one and is called once it has not failed;
// numbers() for the message of a failure, and described() with the name of the operation.

// Gives what a taker takes. A completion gets an element as an optional, which is empty if there is
// none.
template <class Taker, class Completion = typename Taker::value_type>
class gives_value : public Taker
{
public:
    using fast_path = typename Taker::template fast_path_to<typename Taker::value_type>;
    using completion_type = Completion;
    using signature = void(error_code, Completion);
    using Taker::Taker;

    [[nodiscard]] typename Taker::value_type result()
    {
        if (this->failed())
            this->throw_failure(this->numbers());
        return this->take();
    }

    [[nodiscard]] std::tuple<error_code, Completion> outcome()
    {
        return outcome_of<Completion>(this->code(), [this]() -> decltype(auto) {
            return this->take();
        });
    }

protected:
    ~gives_value() = default;
};

// The same for next(), to which the end of the queue is no failure.
template <class Taker, class Optional = std::optional<typename Taker::value_type>>
class gives_next : public Taker
{
public:
    using fast_path = typename Taker::template fast_path_to<Optional>;
    using signature = void(error_code, Optional);
    using Taker::Taker;

    [[nodiscard]] Optional result()
    {
        if (is_end())
            return std::nullopt;
        if (this->failed())
            this->throw_failure(this->numbers());
        return this->take();
    }

    [[nodiscard]] std::tuple<error_code, Optional> outcome()
    {
        return outcome_of<Optional>(code(), [this] { return result(); });
    }

    // Hides that of waiter, also from a select of which this is a branch.
    [[nodiscard]] error_code code() const noexcept override
    {
        return is_end() ? error_code() : Taker::code();
    }

    [[nodiscard]] std::string describe() const override
    {
        return this->described("next");
    }

protected:
    ~gives_next() = default;

private:
    [[nodiscard]] bool is_end() const noexcept
    {
        return this->error() == errc::end_of_queue && !this->exception_;
    }
};

// dequeue_many(), dequeue_up_to() and dequeue_some().
template <class Taker, demand Kind>
class gives_batch : public gives_value<Taker>
{
    using base = gives_value<Taker>;

public:
    using lingering = std::
        conditional_t<Kind == demand::up_to, gives_batch<Taker, demand::linger>, void>;
    static constexpr bool lingers = Kind == demand::linger;

    struct arguments
    {
        typename Taker::core_type* core;
        std::size_t count;
    };

    explicit gives_batch(arguments&& args) : base(Kind, args.count, args.core) {}

    void expire() noexcept override
    {
        if constexpr (lingers)
            this->hub_->expire(*this);
        else
            base::expire();
    }

protected:
    ~gives_batch() = default;
};

}  // namespace sluice::detail
