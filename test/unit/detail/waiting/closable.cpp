// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/closable.hpp>

#include <sluice/error.hpp>
#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/test/unit_test.hpp>

#include <exception>
#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(closable)

BOOST_AUTO_TEST_CASE(queue_is_closed_named_and_kept_without_knowing_its_elements)
{
    using core = sluice::detail::queue_core<std::string, sluice::fifo_store<std::string>>;
    const boost::intrusive_ptr<core> queue(new core(
        sluice::fifo_store<std::string>(
            sluice::queue_options{.capacity = sluice::unbounded}
        ),
        4,
        "lines"
    ));
    const sluice::detail::closable_ptr target = queue;
    BOOST_TEST(target->name() == "lines");
    BOOST_TEST(target->describe() == "queue 'lines'");
    BOOST_TEST(!target->is_orphaned());
    target->close(
        {.mode = sluice::close_mode::cancel_pending,
         .cause = std::make_exception_ptr(std::runtime_error("cause"))}
    );
    BOOST_TEST(queue->is_closed());
    queue->shut_down();
    BOOST_TEST(target->is_orphaned());
}

BOOST_AUTO_TEST_SUITE_END()
