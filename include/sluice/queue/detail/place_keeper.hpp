// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/closable.hpp>

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <cstddef>

namespace sluice::detail {

// What a permit needs of its queue. Each call ends the places that it was given for.
template <class T>
class place_keeper : public closable
{
public:
    // False if the queue is destroyed. Strong: if it throws, place and element are as before.
    [[nodiscard]] virtual bool fill_place(T&& element) = 0;

    virtual void free_places(std::size_t count) noexcept = 0;
};

template <class T>
using place_keeper_ptr = boost::intrusive_ptr<place_keeper<T>>;

// Makes a permit of what was taken; for queues, and with a number for semaphores.
struct permit_access
{
    template <class Permit, class Queue, class... Places>
    [[nodiscard]] static Permit permit_of(Queue* queue, Places... places) noexcept
    {
        return Permit(queue, places...);
    }
};

}  // namespace sluice::detail
