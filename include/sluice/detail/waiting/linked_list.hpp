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

// Owns nothing. Each call takes a constant time, but for size(), clear() and the destructor.
template <class T, class Hook>
class linked_list
{
    template <class Element, class Node>
    class basic_iterator
    {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = Element*;
        using reference = Element&;
        using iterator_category = std::forward_iterator_tag;

        basic_iterator() = default;
        explicit basic_iterator(Node* node) noexcept : node_(node) {}

        Element& operator*() const noexcept { return element_of(*node_); }
        Element* operator->() const noexcept { return &element_of(*node_); }

        basic_iterator& operator++() noexcept
        {
            node_ = node_->next;
            return *this;
        }

        basic_iterator operator++(int) noexcept
        {
            return basic_iterator(std::exchange(node_, node_->next));
        }

        bool operator==(const basic_iterator&) const = default;

    private:
        Node* node_ = nullptr;
    };

public:
    using iterator = basic_iterator<T, list_node>;
    using const_iterator = basic_iterator<const T, const list_node>;

    linked_list() = default;
    linked_list(linked_list&& other) noexcept { splice_back(other); }
    linked_list& operator=(linked_list&&) = delete;

    ~linked_list() { clear(); }

    [[nodiscard]] bool empty() const noexcept { return ends_.next == &ends_; }

    [[nodiscard]] std::size_t size() const noexcept
    {
        return static_cast<std::size_t>(std::distance(begin(), end()));
    }

    [[nodiscard]] T& front() noexcept { return element_of(*ends_.next); }
    [[nodiscard]] const T& front() const noexcept { return element_of(*ends_.next); }

    void push_front(T& element) noexcept { insert_before(*ends_.next, element); }
    void push_back(T& element) noexcept { insert_before(ends_, element); }
    void pop_front() noexcept { static_cast<Hook&>(front()).unlink(); }

    void clear() noexcept
    {
        while (!empty())
            pop_front();
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

    [[nodiscard]] iterator begin() noexcept { return iterator(ends_.next); }
    [[nodiscard]] iterator end() noexcept { return iterator(&ends_); }
    [[nodiscard]] const_iterator begin() const noexcept
    {
        return const_iterator(ends_.next);
    }
    [[nodiscard]] const_iterator end() const noexcept { return const_iterator(&ends_); }

private:
    static T& element_of(list_node& node) noexcept
    {
        return static_cast<T&>(static_cast<Hook&>(node));
    }

    static const T& element_of(const list_node& node) noexcept
    {
        return static_cast<const T&>(static_cast<const Hook&>(node));
    }

    void insert_before(list_node& place, T& element) noexcept
    {
        list_node& node = static_cast<Hook&>(element);
        node.previous = place.previous;
        node.next = &place;
        place.previous->next = &node;
        place.previous = &node;
    }

    list_node ends_{&ends_, &ends_};  // before the first and behind the last
};

}  // namespace sluice::detail
