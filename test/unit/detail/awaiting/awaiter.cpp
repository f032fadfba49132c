// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/awaiter.hpp>

#include <sluice/detail/waiting/time_limit.hpp>

#include <boost/test/unit_test.hpp>

#include <concepts>
#include <coroutine>
#include <stdexcept>
#include <string>
#include <utility>

namespace detail = sluice::detail;

namespace awaiter {

// What the test decides, and what it sees happen.
struct script
{
    detail::attempt attempted = detail::attempt::unclear;
    bool starts = false;
    bool suspends = true;
    bool waiter_throws = false;
    int waiters = 0;  // that there are
    std::string log;
};

struct scripted_waiter
{
    class fast_path
    {
    public:
        explicit fast_path() { ++alive; }
        fast_path(const fast_path&) = delete;
        fast_path& operator=(const fast_path&) = delete;
        ~fast_path() { --alive; }

        detail::attempt attempt(script*& story)
        {
            story_ = story;
            story->log += "fast ";
            return story->attempted;
        }

        std::string result() const { return story_->log + "result of the fast path"; }

        std::pair<int, std::string> outcome() const
        {
            return {1, "outcome of the fast path"};
        }

        static inline int alive = 0;

    private:
        script* story_ = nullptr;
    };
};

struct waiter_without_fast_path
{
};

template <class Waiter, detail::result_form Form = detail::result_form::value>
struct scripted_operation : detail::operation_base
{
    using waiter_type = Waiter;
    using arguments_type = script*;
    using limit_type = detail::no_limit;
    static constexpr detail::result_form form = Form;

    script* arguments_;
};

template <class Operation>
class scripted_waiting
{
public:
    explicit scripted_waiting(Operation& operation) : story_(*operation.arguments_)
    {
        if (story_.waiter_throws)
            throw std::runtime_error("no waiter today");
        story_.log += "made ";
        ++story_.waiters;
    }

    scripted_waiting(const scripted_waiting&) = delete;
    scripted_waiting& operator=(const scripted_waiting&) = delete;

    ~scripted_waiting() { --story_.waiters; }

    bool try_start()
    {
        story_.log += "try ";
        return story_.starts;
    }

    bool begin_wait(std::coroutine_handle<>, const Operation&, detail::delivery how)
    {
        story_.log += how == detail::delivery::always_posted ? "posted " : "wait ";
        return story_.suspends;
    }

    void end_wait() { story_.log += "end "; }

    std::string result() const { return story_.log + "result"; }

    std::pair<int, std::string> outcome() const { return {2, story_.log}; }

private:
    script& story_;
};

struct awaiter_fixture
{
    awaiter_fixture() { detail::budget::reset(); }

    ~awaiter_fixture() { detail::budget::reset(); }

    template <class Waiter, detail::result_form Form = detail::result_form::value>
    auto make()
    {
        using operation = scripted_operation<Waiter, Form>;
        return detail::awaiter<scripted_waiting<operation>, operation>(
            operation{{}, &story},
            is_cancelled
        );
    }

    script story;
    bool is_cancelled = false;
};

}  // namespace awaiter

BOOST_FIXTURE_TEST_SUITE(awaiter, awaiter_fixture)

BOOST_AUTO_TEST_CASE(ready_operation_makes_no_waiter)
{
    story.attempted = detail::attempt::done;
    auto awaiter = make<scripted_waiter>();
    BOOST_TEST(awaiter.await_ready());
    BOOST_TEST(awaiter.await_resume() == "fast result of the fast path");
    BOOST_TEST(story.waiters == 0);
}

BOOST_AUTO_TEST_CASE(outcome_of_a_fast_path_is_a_tuple_as_well)
{
    story.attempted = detail::attempt::done;
    auto awaiter = make<scripted_waiter, detail::result_form::tuple>();
    BOOST_TEST(awaiter.await_ready());
    BOOST_TEST(awaiter.await_resume().second == "outcome of the fast path");
}

BOOST_AUTO_TEST_CASE(unclear_attempt_is_repeated_with_a_waiter)
{
    story.starts = true;
    auto awaiter = make<scripted_waiter>();
    BOOST_TEST(awaiter.await_ready());
    BOOST_TEST(awaiter.await_resume() == "fast made try end result");
}

BOOST_AUTO_TEST_CASE(hopeless_attempt_is_not_repeated_before_waiting)
{
    story.attempted = detail::attempt::must_wait;
    auto awaiter = make<scripted_waiter>();
    BOOST_TEST(!awaiter.await_ready());
    BOOST_TEST(awaiter.await_suspend(std::noop_coroutine()));
    BOOST_TEST(awaiter.await_resume() == "fast made wait end result");
}

BOOST_AUTO_TEST_CASE(operation_without_fast_path_goes_to_its_waiter)
{
    auto awaiter = make<waiter_without_fast_path>();
    BOOST_TEST(!awaiter.await_ready());
    story.suspends = false;
    BOOST_TEST(!awaiter.await_suspend(std::noop_coroutine()));
    BOOST_TEST(awaiter.await_resume() == "made try wait end result");
}

BOOST_AUTO_TEST_CASE(after_the_budget_nothing_is_tried_and_the_delivery_is_posted)  // P5
{
    story.attempted = detail::attempt::done;
    while (detail::budget::take()) {}
    auto awaiter = make<scripted_waiter>();
    BOOST_TEST(!awaiter.await_ready());
    BOOST_TEST(awaiter.await_suspend(std::noop_coroutine()));
    BOOST_TEST(story.log == "made posted ");
}

BOOST_AUTO_TEST_CASE(cancelled_coroutine_tries_nothing)  // S17
{
    story.attempted = detail::attempt::done;
    is_cancelled = true;
    auto awaiter = make<scripted_waiter>();
    BOOST_TEST(!awaiter.await_ready());
    BOOST_TEST(story.log.empty());
}

BOOST_AUTO_TEST_CASE(waiter_is_destroyed_with_its_awaiter)
{
    {
        auto awaiter = make<scripted_waiter>();
        BOOST_TEST(!awaiter.await_ready());
        BOOST_TEST(story.waiters == 1);
    }
    BOOST_TEST(story.waiters == 0);
}

BOOST_AUTO_TEST_CASE(waiter_that_cannot_be_made_leaves_the_awaiter_whole)
{
    story.waiter_throws = true;
    {
        auto awaiter = make<scripted_waiter>();
        BOOST_CHECK_THROW((void)awaiter.await_ready(), std::runtime_error);
        BOOST_TEST(scripted_waiter::fast_path::alive == 1);
    }
    BOOST_TEST(story.waiters == 0);
    BOOST_TEST(scripted_waiter::fast_path::alive == 0);
}

BOOST_AUTO_TEST_CASE(fast_path_is_that_of_the_waiter_if_it_has_one)
{
    using with = detail::fast_path_of<scripted_waiter>;
    using without = detail::fast_path_of<waiter_without_fast_path>;
    BOOST_TEST((std::same_as<with, scripted_waiter::fast_path>));
    BOOST_TEST((std::same_as<without, detail::no_fast_path>));
    BOOST_TEST((detail::no_fast_path::attempt(1) == detail::attempt::unclear));
}

BOOST_AUTO_TEST_SUITE_END()
