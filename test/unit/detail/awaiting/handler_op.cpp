// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/handler_op.hpp>

#include "support/counted.hpp"
#include "support/failing_allocator.hpp"
#include "support/io_fixture.hpp"
#include "support/printing.hpp"
#include "support/recording_handler.hpp"
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <new>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace test = sluice::test;
using test::counted;
using test::record;

namespace handler_op {

struct handler_fixture : test::counted_fixture, test::io_fixture
{
    sluice::fifo_queue<counted> q{ctx, {.capacity = 1}};
};

// Its "move" is a copy that takes memory, as of a lambda that has captured a const string.
class moved_so_often
{
public:
    explicit moved_so_often(int& left) : left_(&left) {}

    moved_so_often(const moved_so_often& other) : left_(other.left_)
    {
        if ((*left_)-- == 0)
            throw std::bad_alloc();
    }

    void operator()(sluice::error_code, const std::optional<counted>&) const {}

private:
    int* left_;
};

}  // namespace handler_op

BOOST_FIXTURE_TEST_SUITE(handler_op, handler_fixture)

BOOST_AUTO_TEST_CASE(handler_that_cannot_be_moved_leaves_its_slot)
{
    asio::cancellation_signal signal;
    int refusals = 0;
    int left = 0;
    for (int moves = 0; !signal.slot().has_handler(); ++moves) {
        BOOST_REQUIRE(moves < 100);
        left = moves;
        moved_so_often handler(left);
        try {
            q.async_dequeue(
                asio::bind_cancellation_slot(signal.slot(), std::move(handler))
            );
        } catch (const std::bad_alloc&) {
            ++refusals;
            BOOST_TEST(!signal.slot().has_handler());
        }
    }
    BOOST_TEST(refusals > 0);
    left = 100;  // for those on the way to its call
    signal.emit(asio::cancellation_type::all);
    run();
}

BOOST_AUTO_TEST_CASE(memory_is_of_the_handlers_allocator_and_comes_back)
{
    test::allocation_budget budget;
    {
        auto op = q.async_dequeue(record.allocated_by(test::failing_allocator<void>(budget
        )));
        BOOST_TEST(budget.live() == 1U);
        BOOST_TEST(q.try_enqueue(counted(1)));
        run();
        op.check_success().check_value(1);
    }
    BOOST_TEST(budget.live() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
