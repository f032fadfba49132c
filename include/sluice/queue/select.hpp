// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/operation.hpp>
#include <sluice/queue/any_queue.hpp>
#include <sluice/queue/detail/fair_start.hpp>
#include <sluice/queue/detail/select_waiters.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sluice {

/// Stands for the branch where none ended the select: it was cancelled, or its time was up.
inline constexpr std::size_t no_branch = std::variant_npos;

namespace detail {

// What when() returns. It cannot be moved, so it is passed on where it is made.
template <class Waiter, class Executor, class Limit>
class conditional_operation
    : public unstarted<Waiter, Executor, result_form::value, Limit>
{
    using base = unstarted<Waiter, Executor, result_form::value, Limit>;

public:
    conditional_operation(
        typename Waiter::arguments&& args,
        const Executor& executor,
        const Limit& limit,
        bool is_left_out
    )
        : base(std::move(args), executor, limit), is_left_out_(is_left_out)
    {
    }

    conditional_operation(const conditional_operation&) = delete;
    conditional_operation& operator=(const conditional_operation&) = delete;

    [[nodiscard]] bool is_left_out() const noexcept { return is_left_out_; }

private:
    bool is_left_out_;
};

// A temporary that a member of a queue or coordinator has made; one that refers to its arguments
// and was stored is not a constant.
template <class Operation>
concept made_here = any_operation<Operation> && Operation::form == result_form::value &&
                    std::same_as<Operation, as_returned<std::remove_const_t<Operation>>>;

template <class Waiter>
concept is_selectable = !Waiter::accepts_in_part && !Waiter::lingers &&
                        !std::derived_from<Waiter, select_core>;

// An outcome without an error_code has no place for the failure of a select.
template <class Signature>
inline constexpr bool begins_with_error_code = false;

template <class... Values>
inline constexpr bool begins_with_error_code<void(error_code, Values...)> = true;

// What the branch of an operation is made from.
template <class Operation>
using branch_of = branch_source<waiter_of<Operation>>;

template <any_operation Operation>
branch_of<Operation> make_branch(Operation& operation)
{
    using branch = branch_of<Operation>;
    static_assert(
        is_selectable<typename branch::waiter>,
        "enqueue_many cannot be a branch: it may be half done when another one is taken; "
        "nor can a select or a dequeue_any: name its branches; "
        "nor a batch with linger(): put within() on the select"
    );
    static_assert(
        begins_with_error_code<typename Operation::signature>,
        "join() cannot be a branch: a select reports a code, not the exception of a task"
    );
    static_assert(
        Operation::form == result_form::value,
        "a branch cannot have as_tuple(): put it on the select"
    );
    // A deadline belongs to the select as a whole.
    if (operation.limit().is_set())
        throw system_error(
            errc::invalid_argument,
            "select: a branch has a deadline of its own; "
            "put within() or until() on the select"
        );
    if constexpr (requires { operation.is_left_out(); })
        return {operation.take_arguments(), operation.is_left_out()};
    else
        return {operation.take_arguments()};
}

// An element cannot come from the select that takes it.
template <class First, class Second>
void refuse_rendezvous_of(const First& first, const Second& second)
{
    const auto& one = first.operation;
    const auto& other = second.operation;
    if constexpr (requires { one.core == other.core&& one.core->capacity() == 0; })
        if (one.core == other.core && First::waiter::list != Second::waiter::list &&
            one.core->capacity() == 0 && !first.is_left_out && !second.is_left_out)
            throw system_error(
                errc::invalid_argument,
                "select: one branch enqueues to and another dequeues from " +
                    one.core->describe() +
                    ", a rendezvous, which takes two that wait apart"
            );
}

template <class First, class... Rest>
void refuse_both_sides_of_a_rendezvous(const First& first, const Rest&... rest)
{
    (refuse_rendezvous_of(first, rest), ...);
    if constexpr (sizeof...(Rest) > 0)
        refuse_both_sides_of_a_rendezvous(rest...);
}

template <class... Branches>
void check_branches(const Branches&... branches)
{
    if ((branches.is_left_out && ...))
        throw system_error(
            errc::invalid_argument,
            "select: every branch is left out; it would wait for ever"
        );
    refuse_both_sides_of_a_rendezvous(branches...);
}

template <class Order, class First, class... Rest>
using select_operation = operation_of<
    select_of<Order, branch_of<First>, branch_of<Rest>...>,
    typename First::executor_type>;

template <class Order, class First, class... Rest>
select_operation<Order, First, Rest...> select_from(
    Order order,
    First& first,
    Rest&... rest
)
{
    typename select_of<Order, branch_of<First>, branch_of<Rest>...>::arguments args{
        {make_branch(first), make_branch(rest)...},
        order
    };
    std::apply(
        [](const auto&... branches) { check_branches(branches...); },
        args.branches
    );
    return {std::move(args), first.get_executor()};
}

// What takes the place of select() if that has no such branches, to say so.
template <class... Branches>
void refuse_branches()
{
    static_assert(
        never<void(Branches...)>,
        "a branch of a select is an operation of sluice that was made in the call: "
        "for a time limit put within() on the select, for a timer or a socket use || "
        "of boost::asio::experimental::awaitable_operators"
    );
}

template <class Range>
concept queue_pointers =
    std::ranges::input_range<Range> &&
    std::is_pointer_v<std::ranges::range_value_t<Range>> &&
    any_queue<std::remove_pointer_t<std::ranges::range_value_t<Range>>>;

template <class Range>
using pointed_queue = std::remove_pointer_t<std::ranges::range_value_t<Range>>;

template <class Queue>
using dequeue_any_operation =
    operation<select_any<core_of<Queue>>, typename Queue::executor_type>;

// `choose_first` says which of a number of queues is tried first.
template <class Range, class ChooseFirst>
dequeue_any_operation<pointed_queue<Range>> dequeue_first(
    Range& queues,
    ChooseFirst choose_first
)
{
    using queue_type = pointed_queue<Range>;
    typename select_any<core_of<queue_type>>::arguments args;
    const typename queue_type::executor_type* executor = nullptr;
    std::size_t index = 0;
    for (queue_type* queue : queues) {
        if (queue != nullptr) {
            args.cores.emplace_back(index, &queue_access::core(*queue));
            executor = executor == nullptr ? &queue->get_executor() : executor;
        }
        ++index;
    }
    if (executor == nullptr)
        throw system_error(
            errc::invalid_argument,
            "dequeue_any: there is no queue that is not left out; name at least one"
        );
    const auto first = static_cast<std::ptrdiff_t>(choose_first(args.cores.size()));
    std::rotate(args.cores.begin(), args.cores.begin() + first, args.cores.end());
    return {std::move(args), *executor};
}

}  // namespace detail

/// A branch of a select that is left out unless the condition holds.
/**
 * `select(when(!a_has_ended, a.next()), b.next())`: a branch that has ended would be ready for
 * ever after. Its index stays its own.
 *
 * @param condition  whether the branch takes part.
 * @param branch     an operation, made in this expression.
 * @return for select() and fair_select() only.
 */
template <detail::made_here Operation>
[[nodiscard]] auto when(bool condition, Operation&& branch)
    -> detail::conditional_operation<
        detail::waiter_of<std::remove_reference_t<Operation>>,
        typename std::remove_reference_t<Operation>::executor_type,
        detail::limit_of<std::remove_reference_t<Operation>>>
{
    return {branch.take_arguments(), branch.get_executor(), branch.limit(), !condition};
}

/// Lets several operations wait and completes with the first that is ready.
/**
 * Exactly one of the operations happens; the others leave no trace. What a batch among them holds
 * returns to its queue as soon as another one is taken (S54). If several are ready at once, the
 * earliest of them is taken, so a branch that is always ready starves those behind it: see
 * fair_select(). A branch that fails is ready, too, and its error is the error of the select. A
 * queue may appear more than once.
 *
 *     auto taken = co_await sluice::select(jobs.dequeue(), replies.enqueue(reply));
 *     if (taken.index() == 0)
 *         run(std::get<0>(taken));
 *
 * With as_tuple(), or a completion token, the index of the branch is known on failure, too:
 *
 *     auto [error, branch, taken] =
 *         co_await sluice::select(jobs.dequeue(), orders.dequeue()).as_tuple();
 *     if (error == sluice::errc::end_of_queue && branch == 0)
 *         jobs_have_ended = true;  // next time: when(!jobs_have_ended, jobs.dequeue())
 *
 * @param first  an operation of a queue, or coordinator::wait_for_stop(), without a deadline of
 *               its own: the select as a whole takes `within`, `until` and `as_tuple`. when()
 *               leaves it out. enqueue_many() is not allowed, because part of it may have
 *               happened; nor is coordinator::join(), because its exception has no place in the
 *               result.
 * @param rest   more of them.
 * @return an operation whose result is a `std::variant` with one alternative per branch; its
 *         index is that of the branch. The place of a void result holds std::monostate. A select
 *         with an enqueue() refers to the element, and is a borrowing_operation; with emplace()
 *         it can be called with a token.
 * @throws system_error       errc::invalid_argument if a branch has a deadline of its own, if all
 *                            are left out, or if two are the sides of one rendezvous.
 * @par Preconditions         none.
 * @par Completion signature  `void(error_code, std::size_t, std::optional<std::variant<...>>)`;
 *                            the index is that of the branch, no_branch if none ended it.
 * @par Completion            at once if a branch is ready; otherwise as if by asio::post on
 *                            the associated executor, by default that of the first branch.
 * @par Errors
 * @li errc::timed_out  no branch could proceed in time
 * @li asio::error::operation_aborted  cancelled; nothing happened
 * @li otherwise the error of the branch that was taken
 * @par Cancellation          terminal, partial, total: all supported. Until the coroutine is
 *                            resumed or the handler entered, the element of a dequeue that was
 *                            taken returns to its queue; an enqueue that was taken stands.
 * @par Ordering              a branch that waits has its place in the wait list of its queue. What
 *                            else completes in the start of a select is told before it.
 * @par Object lifetime       queues may be destroyed while this waits: their branches fail.
 * @par Exception safety      strong.
 * @par Thread safety         any thread.
 * @par Complexity            O(number of branches), without allocation.
 */
template <detail::any_operation First, detail::any_operation... Rest>
detail::select_operation<detail::in_order, First, Rest...> select(
    First first,
    Rest... rest
)
{
    return detail::select_from(detail::in_order(), first, rest...);
}

/// @cond
template <class... Branches>
    requires(detail::any_operation<std::remove_cvref_t<Branches>> || ...) &&
            (!detail::any_operation<std::remove_cvref_t<Branches>> || ...)
void select(Branches&&...)
{
    detail::refuse_branches<Branches...>();
}
/// @endcond

/// As select(), but the branch that is tried first is drawn by lot.
/**
 * So a branch that is always ready starves no other.
 *
 * @param first  as for select().
 * @param rest   more of them.
 * @return as select().
 */
template <detail::any_operation First, detail::any_operation... Rest>
detail::select_operation<detail::from_any, First, Rest...> fair_select(
    First first,
    Rest... rest
)
{
    return detail::select_from(
        detail::from_any{detail::fair_start(1 + sizeof...(Rest))},
        first,
        rest...
    );
}

/// Takes one element from whichever of several queues has one first.
/**
 * As select() with one dequeue per queue, for a number of queues known at run time.
 *
 * @param queues  pointers to queues of one type, in a `std::span` or any other range. The
 *                earlier queue wins ties; a null pointer leaves a queue out, so that the others
 *                keep their indexes. The queues must live until the operation has started, the
 *                range only until this function returns.
 * @return an operation whose result is a `std::pair` of the index of the queue and the element;
 *         with as_tuple() `std::tuple<error_code, std::size_t, std::optional<T>>`.
 * @throws system_error       errc::invalid_argument if there is no queue, or all are left out.
 * @par Preconditions         none.
 * @par Completion signature  `void(error_code, std::size_t, std::optional<T>)`; the index is that
 *                            of the queue, no_branch if none ended it.
 * @par Completion            as select().
 * @par Errors                as select(); errc::end_of_queue as soon as one of the queues is
 *                            closed and empty: set its pointer to null for the next call.
 * @par Cancellation          terminal, partial, total: all supported, as select().
 * @par Ordering              as select().
 * @par Object lifetime       as select().
 * @par Exception safety      strong.
 * @par Thread safety         any thread.
 * @par Complexity            O(number of queues), one allocation, and if it has to wait one more
 *                            per queue.
 */
template <detail::queue_pointers Queues>
detail::dequeue_any_operation<detail::pointed_queue<Queues>> dequeue_any(Queues&& queues)
{
    return detail::dequeue_first(queues, [](std::size_t) { return std::size_t{0}; });
}

/// As dequeue_any(), but the queue that is tried first is drawn by lot.
/**
 * So a queue that is never empty starves no other.
 *
 * @param queues  as for dequeue_any().
 * @return as dequeue_any().
 */
template <detail::queue_pointers Queues>
detail::dequeue_any_operation<detail::pointed_queue<Queues>> fair_dequeue_any(
    Queues&& queues
)
{
    return detail::dequeue_first(queues, detail::fair_start);
}

}  // namespace sluice
