// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/operation_forms.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sluice::detail {

// enqueue(T&&) and enqueue(const T&): refers to the caller's element, which is moved from, or
// copied if `Element` is constant.
template <class Core, class Element>
class borrowed_enqueue : public gives_nothing<typename Core::producer>
{
    using base = gives_nothing<typename Core::producer>;

    static constexpr bool is_copied = std::is_const_v<Element>;

public:
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

protected:
    ~borrowed_enqueue() = default;
};

// async_enqueue(T): owns its element.
template <class Core>
class owning_enqueue : public gives_nothing<typename Core::producer>
{
    using base = gives_nothing<typename Core::producer>;
    using element = typename Core::element_type;

public:
    struct arguments
    {
        Core* core;
        element owned;
    };

    explicit owning_enqueue(arguments&& args)
        : base(&owned_, args.core), owned_(std::move(args.owned))
    {
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

    explicit enqueue_rows(arguments&& args) : base(args.rows, args.core) {}

    [[nodiscard]] std::size_t result() const
    {
        if (this->failed())
            this->throw_failure(
                " (" + std::to_string(this->accepted()) + " of " +
                std::to_string(this->asked()) + " went in)"
            );
        return this->accepted();
    }

    [[nodiscard]] std::tuple<error_code, std::size_t> outcome() const noexcept
    {
        return {this->code(), this->accepted()};
    }

protected:
    ~enqueue_rows() = default;
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

// Takes one element.
template <class Core>
class element_taker : public Core::consumer
{
    using base = typename Core::consumer;

public:
    using value_type = typename Core::element_type;
    template <class Result>
    using fast_path_to = element_fast_path<Core, Result>;

    struct arguments
    {
        Core* core;
    };

    explicit element_taker(arguments&& args) : base(demand::one, 1, args.core) {}

    [[nodiscard]] value_type&& take() noexcept { return std::move(*this->item()); }
    [[nodiscard]] std::string numbers() const { return who_stopped(*this); }

    [[nodiscard]] std::string described(const char* operation) const
    {
        return on_queue(operation, *this);
    }

    [[nodiscard]] std::string describe() const override { return described("dequeue"); }

protected:
    ~element_taker() = default;
};

template <class Core>
using dequeue_one =
    gives_value<element_taker<Core>, std::optional<typename Core::element_type>>;

template <class Core>
using dequeue_next = gives_next<element_taker<Core>>;

// Takes a batch.
template <class Core>
class batch_taker : public Core::consumer
{
    using base = typename Core::consumer;

public:
    using core_type = Core;
    using value_type = typename Core::batch_type;

    batch_taker(demand kind, std::size_t count, Core* core)
        : base(kind, count, core), asked_(count)
    {
    }

    [[nodiscard]] value_type take() { return core().make_batch(*this); }

    [[nodiscard]] std::string numbers() const
    {
        return numbers_of_batch(*this, this->left(), core().capacity());
    }

    [[nodiscard]] std::string described(const char* operation) const
    {
        return on_queue(operation, asked_, *this);
    }

    [[nodiscard]] std::string describe() const override
    {
        return described(name_of(this->kind()));
    }

protected:
    ~batch_taker() = default;

private:
    [[nodiscard]] Core& core() const noexcept { return static_cast<Core&>(*this->hub_); }

    const std::size_t asked_;
};

template <class Core, demand Kind>
using dequeue_batch = gives_batch<batch_taker<Core>, Kind>;

// The place for what an attempt achieves.
template <class Role>
class tried_once final : public Role
{
public:
    using Role::Role;

    // What copying or comparing an element threw; other failures are a matter of the code.
    void rethrow_element_failure() const
    {
        if (this->error() == errc::element_failed)
            std::rethrow_exception(this->exception_);
    }

private:
    void deliver(waiter_list& /*others*/) noexcept override {}
    void abandon() noexcept override {}
    [[nodiscard]] std::string describe() const override { return {}; }
};

// The try_ members of a queue. They make no waiter if they succeed. With one they decide what
// is unclear without, and say why nothing was possible, if that is asked for.
template <class Core>
class try_forms
{
    using element_type = typename Core::element_type;
    using producer = tried_once<typename Core::producer>;
    using consumer = tried_once<typename Core::consumer>;

public:
    // Moved, or copied if it is const.
    template <class Element>
    [[nodiscard]] static bool push(
        Core& core,
        Element&& element,
        error_code* error = nullptr
    )
    {
        const attempt tried = core.try_push(std::forward<Element>(element));
        if (is_known(tried, error))
            return tried == attempt::done;
        // It was only taken if that is done. NOLINTNEXTLINE(bugprone-use-after-move)
        return push_with_waiter(core, std::addressof(element), error);
    }

    [[nodiscard]] static std::optional<element_type> pop(
        Core& core,
        error_code* error = nullptr
    )
    {
        std::optional<element_type> element;
        if (!is_known(core.try_pop(element), error))
            pop_with_waiter(core, element, error);
        return element;
    }

    [[nodiscard]] static std::size_t push_many(
        Core& core,
        std::span<element_type> elements,
        error_code* error = nullptr
    )
    {
        producer rows(elements);
        start(core, rows, error);
        return rows.accepted();
    }

    [[nodiscard]] static typename Core::batch_type pop_many(
        Core& core,
        std::size_t max,
        error_code* error = nullptr
    )
    {
        consumer batch(Core::whole_batches ? demand::some : demand::up_to, max);
        start(core, batch, error);
        return core.make_batch(batch);
    }

    template <class Permit>
    [[nodiscard]] static Permit place(Core& core, error_code& error)
    {
        error = core.try_take_places(1);
        if (error.failed())
            return {};
        return permit_access::permit_of<Permit>(&core, &Core::end_place);
    }

private:
    [[nodiscard]] static bool is_known(attempt tried, error_code* error) noexcept
    {
        if (error != nullptr)
            error->clear();
        return tried == attempt::done ||
               (tried == attempt::must_wait && error == nullptr);
    }

    // Out of line, so that what needs none of it stays short.

    template <class Element>
    [[gnu::noinline]] static bool push_with_waiter(
        Core& core,
        Element* element,
        error_code* error
    )
    {
        producer row(element);
        start(core, row, error);
        return row.accepted() == 1;
    }

    [[gnu::noinline]] static void pop_with_waiter(
        Core& core,
        std::optional<element_type>& element,
        error_code* error
    )
    {
        consumer one(demand::one, 1);
        start(core, one, error);
        if (one.item())
            element.emplace(std::move(*one.item()));
    }

    // The operation as far as it comes without waiting.
    template <class Role>
    static void start(Core& core, tried_once<Role>& tried, error_code* error)
    {
        (void)core.start(tried, delivery::inline_if_ready, wait_mode::tries);
        tried.rethrow_element_failure();
        if (error != nullptr)
            *error = tried.code();
    }
};

}  // namespace sluice::detail
