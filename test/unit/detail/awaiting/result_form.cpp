// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/awaiting/result_form.hpp>

#include <sluice/detail/awaiting/operation.hpp>
#include <sluice/queue/fifo_queue.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <utility>

namespace {

template <class Operation>
constexpr sluice::detail::result_form form_of = sluice::detail::result_form::value;

template <class Waiter, class Executor, sluice::detail::result_form Form>
constexpr sluice::detail::result_form
    form_of<sluice::detail::operation<Waiter, Executor, Form>> = Form;

}  // namespace

BOOST_AUTO_TEST_SUITE(result_form)

BOOST_AUTO_TEST_CASE(operation_gives_a_value_unless_a_tuple_is_asked_for)
{
    using form = sluice::detail::result_form;
    boost::asio::io_context context;
    sluice::fifo_queue<int> queue(context);
    using plain = decltype(queue.dequeue());
    using tuple = decltype(queue.dequeue().as_tuple());
    BOOST_TEST((form_of<plain> == form::value));
    BOOST_TEST((form_of<tuple> == form::tuple));
    static_assert(!std::same_as<plain, tuple>);
}

BOOST_AUTO_TEST_SUITE_END()
