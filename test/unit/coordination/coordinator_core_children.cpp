// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A coordinator and its children, and what may go first.

#include "support/printing.hpp"
#include "unit/coordination/core_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace test = sluice::test;
using namespace std::chrono_literals;
using namespace test::coordination;

namespace coordinator_core_children {

struct family_fixture : core_fixture
{
    ~family_fixture() { child->shut_down(); }

    core_ptr child = make_child(coord);
};

}  // namespace coordinator_core_children

BOOST_FIXTURE_TEST_SUITE(coordinator_core_children, family_fixture)

// upwards

BOOST_AUTO_TEST_CASE(clear_stop_of_the_parent_leaves_the_child_stopped)
{
    coord->request_stop(nullptr);

    coord->clear_stop();

    BOOST_TEST(!coord->should_stop());
    BOOST_TEST(child->should_stop());
    child->clear_stop();
    BOOST_TEST(!child->should_stop());
    coord->request_stop(nullptr);
    BOOST_TEST(child->should_stop());
}

BOOST_AUTO_TEST_CASE(c7_child_of_a_stopped_parent_cannot_begin_anew)
{
    const auto grandchild = make_child(child);
    child->request_stop(nullptr);

    grandchild->clear_stop();

    BOOST_TEST(grandchild->should_stop());
    child->clear_stop();
    grandchild->clear_stop();
    BOOST_TEST(!grandchild->should_stop());
    grandchild->shut_down();
}

// who goes first

BOOST_AUTO_TEST_CASE(child_that_was_shut_down_stands_for_its_own_children_until_they_leave
)
{
    const auto grandchild = make_child(child);
    const auto nested = add_task(grandchild, "nested");
    child->shut_down();

    BOOST_TEST(coord->tasks().size() == 1u);
    join_recorder join(*coord);
    BOOST_TEST(!join.start());
    grandchild->task_ended(nested, error("while stopping"));
    BOOST_TEST(failure(join) == "while stopping");
    grandchild->shut_down();

    coord->clear_stop();
    child->clear_stop();
    grandchild->clear_stop();
    coord->request_stop(nullptr);

    BOOST_TEST(!child->should_stop());  // both are over, and not told any more
    BOOST_TEST(!grandchild->should_stop());
}

BOOST_AUTO_TEST_CASE(last_task_may_own_the_child)
{
    const auto nested = add_task(child, "nested");
    child->shut_down();
    core* const raw = child.get();
    child = make_child(coord);

    raw->task_ended(nested, nullptr);  // *raw is gone afterwards; see it with a sanitizer

    BOOST_TEST(coord->tasks().empty());
}

BOOST_AUTO_TEST_SUITE_END()
