// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/detail/awaiting/operation.hpp>
#include <sluice/error.hpp>
#include <sluice/queue/basic_queue.hpp>
#include <sluice/queue/detail/select_core.hpp>

#include <concepts>
#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sluice {
namespace detail {

template <class Waiter>
concept is_selectable = !requires(Waiter waiter) { waiter.accepts_in_part; } &&
                        !std::derived_from<Waiter, select_core>;

// An outcome without an error_code has no place for the failure of a select.
template <class Signature>
inline constexpr bool begins_with_error_code = false;

template <class... Values>
inline constexpr bool begins_with_error_code<void(error_code, Values...)> = true;

// What one branch contributes to the result of a select.
template <class Waiter>
using branch_result = std::conditional_t<
    std::is_void_v<decltype(std::declval<Waiter&>().result())>,
    std::monostate,
    decltype(std::declval<Waiter&>().result())>;

// What select_of and select_any have in common: the way from the winner to an outcome.
template <class Derived, class Result>
class select_waiter : public select_core
{
public:
    using signature = void(error_code, std::optional<Result>);

    [[nodiscard]] Result result()
    {
        if (winner() == nullptr)
            throw system_error(this->error(), this->describe());
        return static_cast<Derived*>(this)->winner_result();
    }

    [[nodiscard]] std::tuple<error_code, std::optional<Result>> outcome()
    {
        const error_code code = winner() == nullptr ? this->error() : winner()->code();
        return outcome_of<std::optional<Result>>(code, [this] {
            return static_cast<Derived*>(this)->winner_result();
        });
    }
};

// The fast paths of the branches, the earliest first: most often one of them is ready, and
// then the others need no waiter either.
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

    [[nodiscard]] std::tuple<error_code, std::optional<result_type>> outcome()
    {
        return {error_code(), result()};
    }

private:
    // A branch of which nothing is known may be ready, and comes before the rest.
    template <class Arguments, std::size_t... Index>
    [[nodiscard]] detail::attempt attempt(
        const Arguments& args,
        std::index_sequence<Index...> /*branches*/
    ) noexcept
    {
        detail::attempt tried = detail::attempt::must_wait;
        (void)((winner_ = Index,
                tried = std::get<Index>(branches_).attempt(std::get<Index>(args)),
                tried == detail::attempt::must_wait) &&
               ...);
        return tried;
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

    std::tuple<fast_path_of<Waiters>...> branches_;
    std::size_t winner_ = 0;  // index of the branch that was tried last
};

template <class... Waiters>
class select_of
    : public select_waiter<select_of<Waiters...>, std::variant<branch_result<Waiters>...>>
{
public:
    using result_type = std::variant<branch_result<Waiters>...>;
    using arguments = std::tuple<typename Waiters::arguments...>;
    using fast_path = select_fast_path<Waiters...>;

    explicit select_of(arguments&& args)
        : select_of(std::move(args), std::index_sequence_for<Waiters...>())
    {
    }

    [[nodiscard]] result_type winner_result()
    {
        std::optional<result_type> result;
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            (take_result<Index>(result), ...);
        }(std::index_sequence_for<Waiters...>());
        return std::move(*result);
    }

private:
    template <std::size_t... Index>
    select_of(arguments&& args, std::index_sequence<Index...>)
        : pointers_{&std::get<Index>(branches_)
                         .emplace(std::move(std::get<Index>(args)), *this)...}
    {
    }

    template <std::size_t Index>
    void take_result(std::optional<result_type>& result)
    {
        auto& branch = *std::get<Index>(branches_);
        if (this->winner() != &branch)
            return;
        if constexpr (std::is_void_v<decltype(branch.result())>) {
            branch.result();
            result.emplace(std::in_place_index<Index>);
        } else {
            result.emplace(std::in_place_index<Index>, branch.result());
        }
    }

    [[nodiscard]] std::size_t branch_count() const noexcept override
    {
        return sizeof...(Waiters);
    }

    [[nodiscard]] waiter& branch(std::size_t index) noexcept override
    {
        return *pointers_[index];
    }

    // optional, because a waiter cannot be moved into a tuple
    std::tuple<std::optional<select_branch<Waiters>>...> branches_;
    waiter* pointers_[sizeof...(Waiters)];
};

template <class Core>
class select_any : public select_waiter<
                       select_any<Core>,
                       std::pair<std::size_t, typename Core::element_type>>
{
    using branch_type = select_branch<dequeue_one<Core>>;

public:
    using result_type = std::pair<std::size_t, typename Core::element_type>;

    struct arguments
    {
        std::vector<Core*> cores;
    };

    class fast_path
    {
    public:
        [[nodiscard]] detail::attempt attempt(const arguments& args) noexcept
        {
            for (index_ = 0; index_ < args.cores.size(); ++index_) {
                const detail::attempt tried = args.cores[index_]->try_pop(item_);
                if (tried != detail::attempt::must_wait)
                    return tried;
            }
            return detail::attempt::must_wait;
        }

        [[nodiscard]] result_type result() { return {index_, std::move(*item_)}; }

        [[nodiscard]] std::tuple<error_code, std::optional<result_type>> outcome()
        {
            return {error_code(), result()};
        }

    private:
        std::optional<typename Core::element_type> item_;
        std::size_t index_ = 0;  // of the queue that was tried last
    };

    explicit select_any(arguments&& args)
    {
        for (Core* core : args.cores)
            branches_.emplace_back(typename dequeue_one<Core>::arguments{core}, *this);
    }

    [[nodiscard]] result_type winner_result()
    {
        for (std::size_t i = 0; i < branches_.size(); ++i)
            if (&branches_[i] == this->winner())
                return {i, branches_[i].result()};
        throw system_error(errc::invalid_argument, "select without a winner");
    }

private:
    [[nodiscard]] std::size_t branch_count() const noexcept override
    {
        return branches_.size();
    }

    [[nodiscard]] waiter& branch(std::size_t index) noexcept override
    {
        return branches_[index];
    }

    std::deque<branch_type> branches_;
};

// An element cannot come from the select that takes it.
template <class First, class Second>
void refuse_rendezvous_of(
    const typename First::arguments& first,
    const typename Second::arguments& second
)
{
    if constexpr (requires { first.core == second.core&& first.core->capacity() == 0; })
        if (first.core == second.core && First::list != Second::list &&
            first.core->capacity() == 0)
            throw system_error(
                errc::invalid_argument,
                "select: one branch enqueues to and another dequeues from " +
                    first.core->describe() +
                    ", a rendezvous, which takes two that wait apart"
            );
}

template <class First, class... Rest>
void refuse_both_sides_of_a_rendezvous(
    const typename First::arguments& first,
    const typename Rest::arguments&... rest
)
{
    (refuse_rendezvous_of<First, Rest>(first, rest), ...);
    if constexpr (sizeof...(Rest) > 0)
        refuse_both_sides_of_a_rendezvous<Rest...>(rest...);
}

// A deadline belongs to the select as a whole.
template <class Waiter, class Executor, class Limit>
typename Waiter::arguments branch_arguments(
    operation<Waiter, Executor, result_form::value, Limit>& branch
)
{
    if (branch.limit().is_set())
        throw system_error(
            errc::invalid_argument,
            "select: a branch has a deadline of its own; "
            "put within() or until() on the select"
        );
    return std::move(branch).take_arguments();
}

}  // namespace detail

/// Lets several operations wait and completes with the one that can proceed first.
/**
 * Exactly one of the operations happens; the others leave no trace. If several can proceed
 * at once the earliest of them is taken. A branch that fails is ready, too: its error is the
 * error of the select. The same queue may appear more than once.
 *
 *     auto taken = co_await sluice::select(jobs.dequeue(), replies.enqueue(reply));
 *     if (taken.index() == 0)
 *         run(std::get<0>(taken));
 *
 * @param first  an operation of a queue, or coordinator::wait_for_stop(), without a deadline
 *               of its own: the select as a whole takes `within`, `until` and `as_tuple`.
 *               enqueue_many is not allowed, because part of it may have happened, nor is
 *               coordinator::join(), because its exception has no place in the result.
 * @param rest   more of them.
 * @return an operation whose result is a `std::variant` with one alternative per branch;
 *         its index is the branch. The place of a void result holds std::monostate.
 * @throws system_error       errc::invalid_argument if a branch has a deadline of its own.
 * @par Preconditions         none.
 * @par Completion signature  `void(error_code, std::optional<std::variant<...>>)`
 * @par Completion            at once if a branch can proceed; otherwise as if by asio::post on
 *                            the associated executor, by default that of the first branch.
 * @par Errors
 * @li errc::timed_out  no branch could proceed in time
 * @li asio::error::operation_aborted  cancelled; nothing happened
 * @li otherwise the error of the branch that was taken
 * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
 *                            resumed or the handler entered, the element of a dequeue that was
 *                            taken goes back; an enqueue that was taken stands.
 * @par Ordering              a branch that waits has its place in the line of its queue. Who
 *                            else completes in the start of a select is told before it.
 * @par Object lifetime       queues may be destroyed while this waits: their branches fail.
 * @par Exception safety      strong.
 * @par Thread safety         any thread.
 * @par Complexity            O(number of branches), without allocation.
 */
template <
    class Waiter,
    class Executor,
    class Limit,
    class... Waiters,
    class... Executors,
    class... Limits>
[[nodiscard]] auto select(
    detail::operation<Waiter, Executor, detail::result_form::value, Limit> first,
    detail::operation<Waiters, Executors, detail::result_form::value, Limits>... rest
)
{
    static_assert(
        detail::is_selectable<Waiter> && (detail::is_selectable<Waiters> && ...),
        "enqueue_many cannot be a branch: it may be half done when another one is taken; "
        "nor can "
        "a select or a dequeue_any: name its branches"
    );
    static_assert(
        detail::begins_with_error_code<typename Waiter::signature> &&
            (detail::begins_with_error_code<typename Waiters::signature> && ...),
        "join() cannot be a branch: a select reports a code, not the exception of a task"
    );
    using waiter = detail::select_of<Waiter, Waiters...>;
    const Executor& executor = first.get_executor();
    typename waiter::arguments branches{
        detail::branch_arguments(first),
        detail::branch_arguments(rest)...
    };
    std::apply(detail::refuse_both_sides_of_a_rendezvous<Waiter, Waiters...>, branches);
    return detail::operation<waiter, Executor>(std::move(branches), executor);
}

/// Takes one element from whichever of several queues has one first.
/**
 * As select() with one dequeue per queue, for a number of queues known at run time.
 *
 * @param queues  pointers to queues of one type, in a `std::span` or any other range; at
 *                least one; the earlier queue wins ties. The queues must live until the
 *                operation has started, the range only until this function returns.
 * @return an operation whose result is a `std::pair` of the index of the queue and the
 *         element.
 * @throws system_error       errc::invalid_argument if the range is empty.
 * @par Preconditions         none.
 * @par Completion signature  `void(error_code, std::optional<std::pair<std::size_t, T>>)`
 * @par Completion            as select().
 * @par Errors                as select(); errc::end_of_queue as soon as one of the queues is
 *                            closed and empty: leave it out of the next call.
 * @par Cancellation          terminal, partial, total: all supported, as select().
 * @par Ordering              as select().
 * @par Object lifetime       as select().
 * @par Exception safety      strong.
 * @par Thread safety         any thread.
 * @par Complexity            O(number of queues), one allocation, and if it has to wait one more
 *                            per queue.
 */
template <std::ranges::input_range Queues>
    requires std::is_pointer_v<std::ranges::range_value_t<Queues>>
[[nodiscard]] auto dequeue_any(const Queues& queues)
{
    using queue_type = std::remove_pointer_t<std::ranges::range_value_t<Queues>>;
    using core_type = typename queue_type::core_type;
    if (std::ranges::empty(queues))
        throw system_error(
            errc::invalid_argument,
            "dequeue_any: the range is empty; name at least one queue"
        );
    typename detail::select_any<core_type>::arguments args;
    for (queue_type* queue : queues)
        args.cores.push_back(queue->dequeue().take_arguments().core);
    return detail::
        operation<detail::select_any<core_type>, typename queue_type::executor_type>(
            std::move(args),
            (*std::ranges::begin(queues))->get_executor()
        );
}

}  // namespace sluice
