// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/awaiter.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_waiters.hpp>
#include <sluice/queue/detail/select_core.hpp>

#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::detail {

// What one branch contributes to the result of a select.
template <class Waiter>
using branch_result = std::conditional_t<
    std::is_void_v<decltype(std::declval<Waiter&>().result())>,
    std::monostate,
    decltype(std::declval<Waiter&>().result())>;

// What a branch is made from.
template <class Waiter>
struct branch_source
{
    using waiter = Waiter;

    typename Waiter::arguments operation;
    bool is_left_out = false;
};

// Which branch is tried first.
struct in_order
{
    static constexpr std::size_t first = 0;
};

struct from_any
{
    std::size_t first;
};

// What select_of and select_any have in common: the way from the winner to an outcome.
template <class Derived, class Result>
class select_waiter : public select_core
{
public:
    using signature = void(error_code, std::size_t, std::optional<Result>);

    [[nodiscard]] Result result()
    {
        if (winner() == nullptr)
            throw system_error(this->error(), this->describe());
        return derived().winner_result();
    }

    [[nodiscard]] std::tuple<error_code, std::size_t, std::optional<Result>> outcome()
    {
        if (winner() == nullptr)
            return {this->error(), std::variant_npos, std::nullopt};
        auto [code, result] = outcome_of<std::optional<Result>>(winner()->code(), [this] {
            return derived().winner_result();
        });
        return {code, derived().winner_index(), std::move(result)};
    }

protected:
    ~select_waiter() = default;

private:
    [[nodiscard]] Derived& derived() noexcept { return static_cast<Derived&>(*this); }
};

// The fast paths of the branches, in the order in which they are tried: most often one of them
// is ready, and then the others need no waiter either.
template <class... Waiters>
class select_fast_path
{
public:
    using result_type = std::variant<branch_result<Waiters>...>;

    template <class Arguments>
    [[nodiscard]] detail::attempt attempt(const Arguments& args) noexcept
    {
        return attempt(args, std::index_sequence_for<Waiters...>());
    }

    [[nodiscard]] result_type result() { return result_from<0>(); }

    [[nodiscard]] std::tuple<error_code, std::size_t, std::optional<result_type>> outcome(
    )
    {
        return {error_code(), winner_, result()};
    }

private:
    template <class Arguments, std::size_t... Index>
    [[nodiscard]] detail::attempt attempt(
        const Arguments& args,
        std::index_sequence<Index...> /*branches*/
    ) noexcept
    {
        (void)(((Index < args.order.first || !attempt_branch<Index>(args)) && ...) &&
               ((Index >= args.order.first || !attempt_branch<Index>(args)) && ...));
        return tried_;
    }

    // True if no other branch is to be tried. One of which nothing is known may be ready, and
    // comes before the rest.
    template <std::size_t Index, class Arguments>
    [[nodiscard, gnu::always_inline]] bool attempt_branch(const Arguments& args) noexcept
    {
        const auto& branch = std::get<Index>(args.branches);
        if (branch.is_left_out)
            return false;
        winner_ = Index;
        tried_ = std::get<Index>(branches_).attempt(branch.operation);
        return tried_ != detail::attempt::must_wait;
    }

    // Of the winner, which is none of the branches before `First`.
    template <std::size_t First>
    [[nodiscard]] result_type result_from()
    {
        constexpr bool is_last = First + 1 == sizeof...(Waiters);
        if constexpr (!is_last) {
            if (winner_ != First)
                return result_from<First + 1>();
        }
        auto& branch = std::get<First>(branches_);
        if constexpr (std::is_same_v<decltype(branch), no_fast_path&>)
            std::terminate();  // has nothing to win with
        else if constexpr (std::is_void_v<decltype(branch.result())>)
            return result_type(std::in_place_index<First>);
        else
            return result_type(std::in_place_index<First>, branch.result());
    }

    std::tuple<typename Waiters::fast_path...> branches_;
    std::size_t winner_ = 0;  // index of the branch that was tried last
    detail::attempt tried_ = detail::attempt::must_wait;
};

// Of branches whose number and types are known.
template <class Order, class... Branches>
class select_of : public select_waiter<
                      select_of<Order, Branches...>,
                      std::variant<branch_result<typename Branches::waiter>...>>
{
    using branch_indexes = std::index_sequence_for<Branches...>;

public:
    using result_type = std::variant<branch_result<typename Branches::waiter>...>;
    using fast_path = select_fast_path<typename Branches::waiter...>;
    static constexpr bool borrows = (Branches::waiter::borrows || ...);

    struct arguments
    {
        std::tuple<Branches...> branches;
        [[no_unique_address]] Order order;
    };

    explicit select_of(arguments&& args) : select_of(std::move(args), branch_indexes()) {}

    [[nodiscard]] result_type winner_result()
    {
        std::optional<result_type> result;
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            (take_result<Index>(result), ...);
        }(branch_indexes());
        return std::move(*result);
    }

    [[nodiscard]] std::size_t winner_index() const noexcept
    {
        return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            return (std::size_t{0} + ... + (is_winner<Index>() ? Index : 0));
        }(branch_indexes());
    }

protected:
    ~select_of() = default;

private:
    template <std::size_t... Index>
    select_of(arguments&& args, std::index_sequence<Index...> /*branches*/)
    {
        ((Index < args.order.first || add_branch<Index>(args)), ...);
        ((Index >= args.order.first || add_branch<Index>(args)), ...);
    }

    template <std::size_t Index>
    bool add_branch(arguments& args)
    {
        auto& made_from = std::get<Index>(args.branches);
        if (!made_from.is_left_out)
            tried_[count_++] = &std::get<Index>(branches_).emplace(
                std::move(made_from.operation),
                *this
            );
        return true;
    }

    template <std::size_t Index>
    [[nodiscard]] bool is_winner() const noexcept
    {
        const auto& branch = std::get<Index>(branches_);
        return branch && this->winner() == &*branch;
    }

    template <std::size_t Index>
    void take_result(std::optional<result_type>& result)
    {
        if (!is_winner<Index>())
            return;
        auto& branch = *std::get<Index>(branches_);
        if constexpr (std::is_void_v<decltype(branch.result())>) {
            branch.result();
            result.emplace(std::in_place_index<Index>);
        } else {
            result.emplace(std::in_place_index<Index>, branch.result());
        }
    }

    [[nodiscard]] std::size_t branch_count() const noexcept override { return count_; }

    [[nodiscard]] waiter& branch(std::size_t index) noexcept override
    {
        return *tried_[index];
    }

    // optional, because a waiter cannot be moved into a tuple, and may be left out
    std::tuple<std::optional<select_branch<typename Branches::waiter>>...> branches_;
    waiter* tried_[sizeof...(Branches)];  // the first count_, in this order
    std::size_t count_ = 0;
};

// Of dequeues from a number of queues that is known at run time.
template <class Core>
class select_any : public select_waiter<
                       select_any<Core>,
                       std::pair<std::size_t, typename Core::element_type>>
{
    using element = typename Core::element_type;
    using branch_type = select_branch<dequeue_one<Core>>;

public:
    // A queue, and its index in the range that the caller gave.
    using indexed_core = std::pair<std::size_t, Core*>;

    using result_type = std::pair<std::size_t, element>;
    using signature = void(error_code, std::size_t, std::optional<element>);

    struct arguments
    {
        std::vector<indexed_core> cores;  // in the order in which they are tried
    };

    class fast_path
    {
    public:
        [[nodiscard]] detail::attempt attempt(const arguments& args) noexcept
        {
            detail::attempt tried = detail::attempt::must_wait;
            for (const auto& [index, core] : args.cores) {
                index_ = index;
                tried = core->try_pop(item_);
                if (tried != detail::attempt::must_wait)
                    break;
            }
            return tried;
        }

        [[nodiscard]] result_type result() { return {index_, std::move(*item_)}; }

        [[nodiscard]] std::tuple<error_code, std::size_t, std::optional<element>> outcome(
        )
        {
            return {error_code(), index_, std::move(item_)};
        }

    private:
        std::optional<element> item_;
        std::size_t index_ = 0;  // of the queue that was tried last
    };

    explicit select_any(arguments&& args) : cores_(std::move(args.cores))
    {
        for (const auto& [index, core] : cores_)
            branches_.emplace_back(typename dequeue_one<Core>::arguments{core}, *this);
    }

    [[nodiscard]] std::tuple<error_code, std::size_t, std::optional<element>> outcome()
    {
        auto [code, index, result] = select_any::select_waiter::outcome();
        if (!result)
            return {code, index, std::nullopt};
        return {code, index, std::move(result->second)};
    }

    [[nodiscard]] result_type winner_result()
    {
        const std::size_t place = winner_place();
        return {cores_[place].first, branches_[place].result()};
    }

    [[nodiscard]] std::size_t winner_index() const noexcept
    {
        return cores_[winner_place()].first;
    }

protected:
    ~select_any() = default;

private:
    // Of the winner, of which there is one.
    [[nodiscard]] std::size_t winner_place() const noexcept
    {
        std::size_t place = 0;
        while (&branches_[place] != this->winner())
            ++place;
        return place;
    }

    [[nodiscard]] std::size_t branch_count() const noexcept override
    {
        return branches_.size();
    }

    [[nodiscard]] waiter& branch(std::size_t index) noexcept override
    {
        return branches_[index];
    }

    std::vector<indexed_core> cores_;
    std::deque<branch_type> branches_;  // of these
};

}  // namespace sluice::detail
