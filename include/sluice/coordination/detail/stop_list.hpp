// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/waiting/linked_list.hpp>

#include <utility>

namespace sluice::detail {

// The base of what a stop has to be told to, with the reference that its list holds.
template <class Pointer>
class stop_member : public list_hook<Pointer>
{
private:
    template <class T, class P>
    friend class stop_list;

    Pointer self_;  // while it is in the list
};

// The members that a stop is told to, in the order in which they came. Each comes and goes in
// O(1). A stop takes no memory (C6): it marks all of them, and then takes one after the other,
// between which the lock of the owner is released.
template <class T, class Pointer>
class stop_list
{
    using list_type = linked_list<T, list_hook<Pointer>>;

public:
    stop_list() = default;
    stop_list(const stop_list&) = delete;
    stop_list& operator=(const stop_list&) = delete;
    ~stop_list()
    {
        while (!empty())
            (void)erase(told_.empty() ? untold_.front() : told_.front());
    }

    void push_back(Pointer member) noexcept
    {
        T& added = *member;
        static_cast<stop_member<Pointer>&>(added).self_ = std::move(member);
        told_.push_back(added);
    }

    // Gives the reference, to be dropped after the lock; null if it is not in the list.
    [[nodiscard]] Pointer erase(T& member) noexcept
    {
        member.stop_member<Pointer>::unlink();
        return std::move(static_cast<stop_member<Pointer>&>(member).self_);
    }

    // From here on all are to be told.
    void mark_all() noexcept
    {
        told_.splice_back(untold_);
        untold_.splice_back(told_);
    }

    // The next one that is to be told, which is told from here on; null if there is none.
    [[nodiscard]] Pointer take_untold() noexcept
    {
        if (untold_.empty())
            return nullptr;
        T& next = untold_.take_front();
        told_.push_back(next);
        return static_cast<stop_member<Pointer>&>(next).self_;
    }

    template <class Function>
    void for_each(Function function) const
    {
        for (const list_type* const list : {&told_, &untold_})
            for (const T& member : *list)
                function(static_cast<const stop_member<Pointer>&>(member).self_);
    }

    [[nodiscard]] bool empty() const noexcept { return told_.empty() && untold_.empty(); }

private:
    list_type told_;
    list_type
        untold_;  // while a stop is carried out: come behind those that have been told
};

}  // namespace sluice::detail
