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

// The place for what one flush achieves.
template <class Role>
class flushed final : public Role
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

// The try_ members of a queue. They make no waiter if they succeed. A flush has one: it decides
// what is unclear without, and says why nothing was possible, if that is asked for.
template <class Core>
class try_forms
{
    using element_type = typename Core::element_type;
    using producer = flushed<typename Core::producer>;
    using consumer = flushed<typename Core::consumer>;

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
        producer row(std::addressof(element));
        flush(core, row, error);
        return row.accepted() == 1;
    }

    [[nodiscard]] static std::optional<element_type> pop(
        Core& core,
        error_code* error = nullptr
    )
    {
        std::optional<element_type> element;
        if (is_known(core.try_pop(element), error))
            return element;
        consumer one(demand::one, 1);
        flush(core, one, error);
        return std::move(one.item());
    }

    [[nodiscard]] static std::size_t push_many(
        Core& core,
        std::span<element_type> elements,
        error_code* error = nullptr
    )
    {
        producer rows(elements);
        flush(core, rows, error);
        return rows.accepted();
    }

    [[nodiscard]] static typename Core::batch_type pop_many(
        Core& core,
        std::size_t max,
        error_code* error = nullptr
    )
    {
        consumer batch(Core::whole_batches ? demand::some : demand::up_to, max);
        flush(core, batch, error);
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

    // The operation as far as it comes without waiting.
    template <class Role>
    static void flush(Core& core, flushed<Role>& tried, error_code* error)
    {
        core.flush(tried);
        tried.rethrow_element_failure();
        if (error != nullptr)
            *error = tried.code();
    }
};

}  // namespace sluice::detail
