// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/queue/detail/queue_waiters.hpp>

#include "support/printing.hpp"
#include <sluice/error.hpp>
#include <sluice/queue/detail/try_forms.hpp>
#include <sluice/queue/fifo_store.hpp>
#include <sluice/queue/priority_store.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace asio = boost::asio;
namespace detail = sluice::detail;
using detail::delivery;
using detail::wait_mode;
using sluice::close_mode;
using sluice::errc;

namespace queue_waiters {

using core = detail::queue_core<int, sluice::fifo_store<int>>;

// The operation as its adapters see it, with nobody who waits for it.
template <class Waiter>
class local final : public Waiter
{
public:
    explicit local(typename Waiter::arguments&& args) : Waiter(std::move(args)) {}

    ~local() { Waiter::forget(); }

    local& complete()
    {
        BOOST_TEST(Waiter::start(delivery::inline_if_ready, wait_mode::gives_up));
        return *this;
    }

    // What result() throws.
    [[nodiscard]] std::string message()
    {
        try {
            (void)this->result();
        } catch (const std::exception& error) {
            return error.what();
        }
        return "no exception";
    }

private:
    void deliver() noexcept override {}
    void abandon() noexcept override {}
};

struct waiters_fixture
{
    using one = local<detail::dequeue_one<core>>;
    using next = local<detail::dequeue_next<core>>;
    using many = local<detail::dequeue_batch<core, detail::demand::exactly>>;
    using up_to = local<detail::dequeue_batch<core, detail::demand::up_to>>;
    using some = local<detail::dequeue_batch<core, detail::demand::some>>;
    using borrowed = local<detail::borrowed_enqueue<core, core::element_type>>;
    using owning = local<detail::owning_enqueue<core>>;
    using rows = local<detail::enqueue_rows<core>>;

    void fill(std::vector<int> values)
    {
        detail::flushed<core::producer> put{std::span<int>(values)};
        q->flush(put);
    }

    static std::string text(errc code) { return sluice::error_code(code).message(); }

    boost::intrusive_ptr<core> q{new core(
        sluice::fifo_store<int>(sluice::queue_options{.capacity = sluice::unbounded}),
        2,
        "lines"
    )};
};

}  // namespace queue_waiters

BOOST_FIXTURE_TEST_SUITE(queue_waiters, waiters_fixture)

BOOST_AUTO_TEST_CASE(descriptions_name_operation_queue_and_number)
{
    int element = 1;
    std::vector<int> values{1, 2, 3};
    BOOST_TEST(one({q.get()}).describe() == "dequeue on queue 'lines'");
    BOOST_TEST(next({q.get()}).describe() == "next on queue 'lines'");
    BOOST_TEST(many({q.get(), 4}).describe() == "dequeue_many(4) on queue 'lines'");
    BOOST_TEST(up_to({q.get(), 5}).describe() == "dequeue_up_to(5) on queue 'lines'");
    BOOST_TEST(some({q.get(), 6}).describe() == "dequeue_some(6) on queue 'lines'");
    BOOST_TEST(borrowed({q.get(), &element}).describe() == "enqueue on queue 'lines'");
    BOOST_TEST(owning({q.get(), 1}).describe() == "enqueue on queue 'lines'");
    BOOST_TEST(rows({q.get(), values}).describe() == "enqueue_many(3) on queue 'lines'");
}

BOOST_AUTO_TEST_CASE(short_batch_names_the_number_asked_for_and_the_number_left)  // D9
{
    fill({1});
    q->close({close_mode::drain});
    many batch({q.get(), 4});
    batch.complete();
    BOOST_TEST(batch.message().starts_with("dequeue_many(4) on queue 'lines' (1 left)"));
    BOOST_TEST(batch.message().find(text(errc::end_of_queue)) != std::string::npos);
    BOOST_TEST(q->size() == 1U);
}

BOOST_AUTO_TEST_CASE(batch_that_cannot_be_stored_at_a_time_names_the_capacity)
{
    using priority = detail::queue_core<int, sluice::priority_store<int, std::less<>>>;
    const boost::intrusive_ptr<priority> jobs(
        new priority(sluice::priority_store<int, std::less<>>({.capacity = 3}), 3, "jobs")
    );
    local<detail::dequeue_batch<priority, detail::demand::exactly>> batch({jobs.get(), 4}
    );
    batch.complete();
    BOOST_TEST(batch.message().starts_with("dequeue_many(4) on queue 'jobs' (capacity 3)")
    );
}

BOOST_AUTO_TEST_CASE(other_failures_of_a_batch_name_no_number_left)
{
    many batch({q.get(), 4});
    batch.complete();
    BOOST_TEST(batch.message().starts_with("dequeue_many(4) on queue 'lines'"));
    BOOST_TEST(batch.message().find("left") == std::string::npos);
    BOOST_TEST(batch.message().find(text(errc::timed_out)) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(enqueue_many_that_was_cut_short_says_how_many_went_in)
{
    std::vector<int> values{1, 2, 3};
    rows op({q.get(), values});
    op.complete();
    BOOST_TEST(
        op.message().starts_with("enqueue_many(3) on queue 'lines' (2 of 3 went in)")
    );
    BOOST_TEST((op.outcome() == std::tuple(sluice::error_code(errc::timed_out), 2U)));
}

BOOST_AUTO_TEST_CASE(failed_enqueue_names_its_queue)
{
    q->close({close_mode::drain});
    int element = 1;
    borrowed op({q.get(), &element});
    op.complete();
    BOOST_TEST(op.message().starts_with("enqueue on queue 'lines'"));
    BOOST_TEST(std::get<0>(op.outcome()) == errc::queue_closed);
    owning other({q.get(), 2});
    other.complete();
    BOOST_TEST(other.message().starts_with("enqueue on queue 'lines'"));
}

BOOST_AUTO_TEST_CASE(outcomes_carry_the_values)
{
    std::vector<int> values{1, 2};
    rows put({q.get(), values});
    BOOST_TEST(put.complete().result() == 2U);
    one first({q.get()});
    auto [ec, item] = first.complete().outcome();
    BOOST_TEST(!ec.failed());
    BOOST_TEST(item.value() == 1);
    some rest({q.get(), 5});
    BOOST_TEST(rest.complete().result() == std::vector<int>{2});
    int element = 3;
    borrowed in({q.get(), &element});
    in.complete().result();
    next taken({q.get()});
    BOOST_TEST(taken.complete().result().value() == 3);
}

BOOST_AUTO_TEST_CASE(end_is_a_result_of_next_but_a_cause_is_not)
{
    q->close({close_mode::drain});
    next end({q.get()});
    BOOST_TEST(!end.complete().result().has_value());
    BOOST_TEST(!std::get<0>(end.outcome()).failed());

    q->close(
        {.mode = close_mode::drain,
         .cause = std::make_exception_ptr(std::runtime_error("disk full"))}
    );
    next failed({q.get()});
    failed.complete();
    BOOST_TEST(failed.message() == "disk full");
    BOOST_TEST(std::get<0>(failed.outcome()) == errc::input_failed);
    one dequeue({q.get()});
    dequeue.complete();
    BOOST_TEST(dequeue.message() == "disk full");
}

BOOST_AUTO_TEST_CASE(timeout_is_a_failure_of_next)
{
    next waits({q.get()});
    waits.complete();
    BOOST_TEST(waits.message().starts_with("next on queue 'lines'"));
    BOOST_TEST(std::get<0>(waits.outcome()) == errc::timed_out);
}

BOOST_AUTO_TEST_CASE(operation_that_has_waited_keeps_its_queue_alive)
{
    asio::io_context context;
    auto op = std::make_unique<one>(one::arguments{q.get()});
    op->set_context(&context);
    (void)op->start(delivery::always_posted, wait_mode::waits);
    q->shut_down();
    q->detach();
    q.reset();
    BOOST_TEST(op->failed());
    BOOST_TEST(op->describe() == "dequeue on queue 'lines'");
    op.reset();
}

BOOST_AUTO_TEST_SUITE_END()
