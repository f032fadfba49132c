// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/waiter.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/dequeue_waiter.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace sluice::detail {

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
    void deliver() noexcept override {}
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
        return is_known(tried, error)
                   ? tried == attempt::done
                   : push_with_waiter(core, std::addressof(element), error);
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
