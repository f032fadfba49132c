// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/queue/detail/queue_core.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::detail {

// What an operation gives that reports failures as a code: `take()`, unless it failed.
// Padding elements may throw, and in this form that is a code, too: a handler that is not
// called would leave its owner waiting for ever (P3).
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

// What an operation of a queue is, for people.
[[nodiscard]] std::string on_queue(const std::string& operation, const waiter& w);

[[nodiscard]] inline std::string on_queue(
    const char* operation,
    std::size_t count,
    const waiter& w
)
{
    return on_queue(operation + ("(" + std::to_string(count) + ")"), w);
}

// In brackets behind the message.
[[nodiscard]] std::string in_brackets(const queue_end& end);

// Who closed the queue, for the message of a consumer that was told of a stop.
template <class Core>
[[nodiscard]] std::string who_stopped(const typename Core::consumer& c)
{
    if (c.error() != errc::stop_requested)
        return {};
    return in_brackets(static_cast<const Core&>(*c.hub_).how_it_ended().end);
}

// enqueue(T&&) and enqueue(const T&): refers to the caller's element, which is moved from, or
// copied if `Element` is constant.
template <class Core, class Element>
class borrowed_enqueue : public Core::producer
{
    using base = typename Core::producer;

    static constexpr bool is_copied = std::is_const_v<Element>;

public:
    using signature = void(error_code);
    static constexpr bool borrows = true;

    struct arguments
    {
        Core* core;
        Element* element;
    };

    class fast_path
    {
    public:
        [[nodiscard, gnu::always_inline]] static detail::attempt attempt(
            const arguments& args
        ) noexcept
        {
            if constexpr (is_copied)
                return args.core->try_push(*args.element);
            else
                return args.core->try_push(std::move(*args.element));
        }

        static void result() noexcept {}

        [[nodiscard]] static std::tuple<error_code> outcome() noexcept { return {}; }
    };

    explicit borrowed_enqueue(arguments&& args) : base(args.element, args.core) {}

    void result() const
    {
        if (this->failed())
            this->throw_failure();
    }

    [[nodiscard]] std::tuple<error_code> outcome() const noexcept
    {
        return {this->code()};
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("enqueue", *this);
    }

protected:
    ~borrowed_enqueue() = default;
};

// async_enqueue(T): owns its element.
template <class Core>
class owning_enqueue : public Core::producer
{
    using base = typename Core::producer;
    using element = typename Core::element_type;

public:
    using signature = void(error_code);

    struct arguments
    {
        Core* core;
        element owned;
    };

    explicit owning_enqueue(arguments&& args)
        : base(std::span<element>(&owned_, 1), args.core), owned_(std::move(args.owned))
    {
    }

    void result() const
    {
        if (this->failed())
            this->throw_failure();
    }

    [[nodiscard]] std::tuple<error_code> outcome() const noexcept
    {
        return {this->code()};
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("enqueue", *this);
    }

protected:
    ~owning_enqueue() = default;

private:
    element owned_;
};

// Makes a permit of what was taken.
struct permit_access
{
    template <class Permit, class... Args>
    [[nodiscard]] static Permit permit_of(Args... args) noexcept
    {
        return Permit(args...);
    }
};

// What reserve() and the acquire() of a semaphore have in common: places for rows that come later.
template <class Core, class Permit>
class places_request : public Core::producer
{
    using base = typename Core::producer;

public:
    using signature = void(error_code, Permit);

protected:
    places_request(Core* core, std::size_t places) : base(place_tag{places}, core) {}

    // One whose outcome was not taken.
    ~places_request()
    {
        if (this->places() > 0)
            core().free_places(this->places());
    }

    [[nodiscard]] Core& core() const noexcept { return static_cast<Core&>(*this->hub_); }
};

// reserve(): takes a place for an element that comes later.
template <class Core, class Permit>
class place_request : public places_request<Core, Permit>
{
    using base = places_request<Core, Permit>;

public:
    struct arguments
    {
        Core* core;
    };

    explicit place_request(arguments&& args) : base(args.core, 1) {}

    [[nodiscard]] Permit result()
    {
        if (this->failed())
            this->throw_failure(
                this->error() == errc::invalid_argument
                    ? " (capacity 0 has no places; use enqueue)"
                    : ""
            );
        this->leave_places();
        return permit_access::permit_of<Permit>(&this->core(), &Core::end_place);
    }

    [[nodiscard]] std::tuple<error_code, Permit> outcome()
    {
        if (this->failed())
            return {this->code(), Permit()};
        return {error_code(), result()};
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("reserve", *this);
    }

protected:
    ~place_request() = default;
};

// enqueue_many(span): refers to the caller's rows.
template <class Core>
class enqueue_rows : public Core::producer
{
    using base = typename Core::producer;
    using element = typename Core::element_type;

public:
    using signature = void(error_code, std::size_t);
    static constexpr bool borrows = true;
    static constexpr bool accepts_in_part = true;  // so it cannot be a branch of a select

    struct arguments
    {
        Core* core;
        std::span<element> rows;
    };

    explicit enqueue_rows(arguments&& args)
        : base(args.rows, args.core), asked_(args.rows.size())
    {
    }

    [[nodiscard]] std::size_t result() const
    {
        if (this->failed())
            this->throw_failure(
                " (" + std::to_string(this->accepted()) + " of " +
                std::to_string(asked_) + " went in)"
            );
        return this->accepted();
    }

    [[nodiscard]] std::tuple<error_code, std::size_t> outcome() const noexcept
    {
        return {this->code(), this->accepted()};
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("enqueue_many", asked_, *this);
    }

protected:
    ~enqueue_rows() = default;

private:
    const std::size_t asked_;
};

// The fast path of the operations that take one element.
template <class Core, class Result>
class element_fast_path
{
    using element = typename Core::element_type;

public:
    template <class Arguments>
    [[nodiscard, gnu::always_inline]] detail::attempt attempt(const Arguments& args
    ) noexcept
    {
        return args.core->try_pop(item_);
    }

    [[nodiscard]] Result result() { return Result(std::move(*item_)); }

    [[nodiscard]] std::tuple<error_code, std::optional<element>> outcome()
    {
        return {error_code(), std::move(item_)};
    }

private:
    std::optional<element> item_;
};

// dequeue().
template <class Core>
class dequeue_one : public Core::consumer
{
    using base = typename Core::consumer;
    using element = typename Core::element_type;

public:
    using signature = void(error_code, std::optional<element>);

    using fast_path = element_fast_path<Core, element>;

    struct arguments
    {
        Core* core;
    };

    explicit dequeue_one(arguments&& args) : base(demand::one, 1, args.core) {}

    [[nodiscard]] element result()
    {
        if (this->failed())
            this->throw_failure(who_stopped<Core>(*this));
        return std::move(*this->item());
    }

    [[nodiscard]] std::tuple<error_code, std::optional<element>> outcome()
    {
        return outcome_of<std::optional<element>>(this->code(), [this]() -> auto&& {
            return std::move(this->item());
        });
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("dequeue", *this);
    }

protected:
    ~dequeue_one() = default;
};

// next(): a dequeue to which the end of the queue is not a failure.
template <class Core>
class dequeue_next : public Core::consumer
{
    using base = typename Core::consumer;
    using element = typename Core::element_type;

public:
    using signature = void(error_code, std::optional<element>);

    using fast_path = element_fast_path<Core, std::optional<element>>;

    struct arguments
    {
        Core* core;
    };

    explicit dequeue_next(arguments&& args) : base(demand::one, 1, args.core) {}

    [[nodiscard]] std::optional<element> result()
    {
        if (this->failed() && !is_end())
            this->throw_failure(who_stopped<Core>(*this));
        return std::move(this->item());
    }

    [[nodiscard]] std::tuple<error_code, std::optional<element>> outcome()
    {
        return outcome_of<std::optional<element>>(code(), [this]() -> auto&& {
            return std::move(this->item());
        });
    }

    // Hides that of waiter, also from a select of which this is a branch.
    [[nodiscard]] error_code code() const noexcept override
    {
        return is_end() ? error_code() : base::code();
    }

    [[nodiscard]] std::string describe() const override
    {
        return on_queue("next", *this);
    }

protected:
    ~dequeue_next() = default;

private:
    [[nodiscard]] bool is_end() const noexcept
    {
        return this->error() == errc::end_of_queue && !this->exception_;
    }
};

template <class Core, demand Kind>
class dequeue_batch;

// How a batch is related to the one with a linger().
template <class Core, demand Kind>
struct batch_traits
{
};

template <class Core>
struct batch_traits<Core, demand::up_to>
{
    using lingering = dequeue_batch<Core, demand::linger>;
};

template <class Core>
struct batch_traits<Core, demand::linger>
{
    static constexpr bool lingers = true;
};

// dequeue_many, dequeue_up_to and dequeue_some.
template <class Core, demand Kind>
class dequeue_batch : public Core::consumer, public batch_traits<Core, Kind>
{
    using base = typename Core::consumer;
    using batch_type = typename Core::batch_type;

public:
    using signature = void(error_code, batch_type);

    struct arguments
    {
        Core* core;
        std::size_t count;
    };

    explicit dequeue_batch(arguments&& args)
        : base(Kind, args.count, args.core), asked_(args.count)
    {
    }

    [[nodiscard]] batch_type result()
    {
        if (this->failed())
            this->throw_failure(numbers());
        return core().make_batch(*this);
    }

    [[nodiscard]] std::tuple<error_code, batch_type> outcome()
    {
        return outcome_of<batch_type>(this->code(), [this] {
            return core().make_batch(*this);
        });
    }

    [[nodiscard]] std::string describe() const override
    {
        constexpr const char* name = Kind == demand::exactly ? "dequeue_many"
                                     : Kind == demand::some  ? "dequeue_some"
                                                             : "dequeue_up_to";
        return on_queue(name, asked_, *this);
    }

protected:
    ~dequeue_batch() = default;

private:
    [[nodiscard]] Core& core() const noexcept { return static_cast<Core&>(*this->hub_); }

    [[nodiscard]] std::string numbers() const
    {
        if (this->error() == errc::end_of_queue)
            return " (" + std::to_string(this->left()) + " left)";
        if (this->error() == errc::invalid_argument)  // more than can be stored at a time
            return " (capacity " + std::to_string(core().capacity()) + ")";
        return who_stopped<Core>(*this);
    }

    const std::size_t asked_;
};

}  // namespace sluice::detail
