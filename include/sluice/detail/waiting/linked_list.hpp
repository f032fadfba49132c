// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace sluice::detail {

// The part of boost::intrusive::list that wait lists need: that header takes as long to compile as
// all of this library.

struct list_node
{
    list_node* previous = nullptr;
    list_node* next = nullptr;
};

// The base of what is linked into a list, which it leaves by itself when it is destroyed. One that
// is linked into two lists has two hooks with different tags.
template <class Tag = void>
class list_hook : private list_node
{
public:
    list_hook() = default;
    list_hook(const list_hook&) = delete;
    list_hook& operator=(const list_hook&) = delete;

    ~list_hook() { unlink(); }

    [[nodiscard]] bool is_linked() const noexcept { return next != nullptr; }

    // Nothing happens if it is not linked.
    void unlink() noexcept
    {
        if (next == nullptr)
            return;
        previous->next = next;
        next->previous = previous;
        next = previous = nullptr;
    }

private:
    template <class T, class Hook>
    friend class linked_list;
};

// Owns nothing, so a constant list gives elements that are not constant. Each call takes a constant
// time, but for size(), clear() and the destructor.
template <class T, class Hook>
class linked_list
{
public:
    class iterator
    {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = T*;
        using reference = T&;
        using iterator_category = std::forward_iterator_tag;

        iterator() = default;
        explicit iterator(list_node* node) noexcept : node_(node) {}

        T& operator*() const noexcept { return element_of(*node_); }
        T* operator->() const noexcept { return &element_of(*node_); }

        iterator& operator++() noexcept
        {
            node_ = node_->next;
            return *this;
        }

        iterator operator++(int) noexcept
        {
            return iterator(std::exchange(node_, node_->next));
        }

        bool operator==(const iterator&) const = default;

    private:
        list_node* node_ = nullptr;
    };

    linked_list() = default;
    linked_list(linked_list&& other) noexcept { splice_back(other); }
    linked_list& operator=(linked_list&&) = delete;

    ~linked_list() { clear(); }

    [[nodiscard]] bool empty() const noexcept { return ends_.next == &ends_; }

    [[nodiscard]] std::size_t size() const noexcept
    {
        return static_cast<std::size_t>(std::distance(begin(), end()));
    }

    [[nodiscard]] T& front() const noexcept { return element_of(*ends_.next); }

    void push_front(T& element) noexcept { insert_before(*ends_.next, element); }
    void push_back(T& element) noexcept { insert_before(ends_, element); }

    // There is one.
    T& take_front() noexcept
    {
        T& first = front();
        static_cast<Hook&>(first).unlink();
        return first;
    }

    void clear() noexcept
    {
        while (!empty())
            (void)take_front();
    }

    // All of `other`, behind all of this one.
    void splice_back(linked_list& other) noexcept
    {
        if (other.empty())
            return;
        list_node& first = *other.ends_.next;
        list_node& last = *other.ends_.previous;
        first.previous = ends_.previous;
        ends_.previous->next = &first;
        last.next = &ends_;
        ends_.previous = &last;
        other.ends_ = {&other.ends_, &other.ends_};
    }

    [[nodiscard]] iterator begin() const noexcept { return iterator(ends_.next); }
    [[nodiscard]] iterator end() const noexcept { return iterator(&ends_); }

private:
    static T& element_of(list_node& node) noexcept
    {
        return static_cast<T&>(static_cast<Hook&>(node));
    }

    void insert_before(list_node& place, T& element) noexcept
    {
        list_node& node = static_cast<Hook&>(element);
        node.previous = place.previous;
        node.next = &place;
        place.previous->next = &node;
        place.previous = &node;
    }

    // Before the first and behind the last; mutable for end(), by which nothing is changed.
    mutable list_node ends_{&ends_, &ends_};
};

}  // namespace sluice::detail
