// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/operation_forms.hpp>

#include "support/message_of.hpp"
#include "support/printing.hpp"
#include <sluice/detail/waiting/closable.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace detail = sluice::detail;
using sluice::errc;

namespace operation_forms {

// Where operations fail, closed by a stop.
class stopped_queue final : public detail::closable
{
public:
    bool start(
        detail::waiter& /*target*/,
        detail::delivery /*how*/,
        detail::wait_mode /*mode*/
    ) noexcept override
    {
        return true;
    }

    void close(const detail::closing& /*how*/) noexcept override {}
    [[nodiscard]] bool is_closed() const noexcept override { return true; }
    [[nodiscard]] bool is_orphaned() const noexcept override { return false; }
    [[nodiscard]] const std::string& name() const noexcept override { return name_; }
    [[nodiscard]] std::string describe() const override { return "queue 'lines'"; }

    [[nodiscard]] ending how_it_ended() const noexcept override
    {
        return {{sluice::closer::signal, true, nullptr}, 0};
    }

protected:
    void serve(critical_section& /*section*/) noexcept override {}
    void collect(const void* /*context*/, detail::waiter_list& /*abandoned*/) noexcept
        override
    {
    }

private:
    const std::string name_ = "lines";
};

// Takes a number that cannot be copied.
class taker : public detail::waiter
{
public:
    using core_type = stopped_queue;
    using value_type = std::unique_ptr<int>;

    taker(detail::demand kind, std::size_t count, stopped_queue* core)
        : waiter(0, core), kind_(kind), count_(count)
    {
    }

    [[nodiscard]] value_type take()
    {
        if (is_broken)
            throw std::runtime_error("cannot be taken");
        return std::make_unique<int>(7);
    }

    [[nodiscard]] std::string numbers() const
    {
        return detail::numbers_of_batch(*this, 2, 3);
    }

    [[nodiscard]] std::string described(const char* operation) const
    {
        return detail::on_queue(operation, count_, *this);
    }

    [[nodiscard]] std::string describe() const override
    {
        return described(detail::name_of(kind_));
    }

    bool is_broken = false;

protected:
    ~taker() = default;

    void deliver() noexcept override {}
    void abandon() noexcept override {}

private:
    const detail::demand kind_;
    const std::size_t count_;
};

template <class Form>
class local final : public Form
{
public:
    using Form::Form;
};

using batch = local<detail::gives_batch<taker, detail::demand::up_to>>;
using next = local<detail::gives_next<taker>>;
using nothing = local<detail::gives_nothing<taker>>;

struct queue_fixture
{
    boost::intrusive_ptr<stopped_queue> q{new stopped_queue};
    batch some{{q.get(), 4}};
    next following{detail::demand::one, 1U, q.get()};
    nothing done{detail::demand::one, 1U, q.get()};
};

}  // namespace operation_forms

BOOST_FIXTURE_TEST_SUITE(operation_forms, queue_fixture)

using sluice::test::message_of;

BOOST_AUTO_TEST_CASE(success_gives_the_value_in_each_form)
{
    BOOST_TEST(*some.result() == 7);
    const auto [code, value] = some.outcome();
    BOOST_TEST(!code.failed());
    BOOST_TEST(*value == 7);
    BOOST_TEST(**following.result() == 7);
    BOOST_TEST(**std::get<1>(following.outcome()) == 7);
    done.result();
    BOOST_TEST(!std::get<0>(done.outcome()).failed());
}

BOOST_AUTO_TEST_CASE(failure_is_thrown_with_its_numbers_or_is_a_code)
{
    some.fail(errc::end_of_queue);
    BOOST_TEST(message_of([&] { static_cast<void>(some.result()); }
    ).starts_with("dequeue_up_to(4) on queue 'lines' (2 left)"));
    const auto [code, value] = some.outcome();
    BOOST_TEST(code == errc::end_of_queue);
    BOOST_TEST(!value);
    some.fail(errc::invalid_argument);
    BOOST_TEST(message_of([&] { static_cast<void>(some.result()); }
    ).starts_with("dequeue_up_to(4) on queue 'lines' (capacity 3)"));
    some.fail(errc::stop_requested);
    BOOST_TEST(message_of([&] { static_cast<void>(some.result()); }
    ).starts_with("dequeue_up_to(4) on queue 'lines' (closed by a signal)"));
    done.fail(errc::queue_closed);
    BOOST_CHECK_THROW(done.result(), sluice::system_error);
    BOOST_TEST(std::get<0>(done.outcome()) == errc::queue_closed);
}

BOOST_AUTO_TEST_CASE(exception_while_taking_is_a_code_in_the_form_with_a_code)  // P3
{
    some.is_broken = true;
    BOOST_CHECK_THROW(static_cast<void>(some.result()), std::runtime_error);
    BOOST_TEST(std::get<0>(some.outcome()) == errc::element_failed);
}

BOOST_AUTO_TEST_CASE(end_of_the_queue_is_no_failure_of_next)
{
    following.fail(errc::end_of_queue);
    BOOST_TEST(!following.result().has_value());
    BOOST_TEST(!following.code().failed());
    const auto [code, value] = following.outcome();
    BOOST_TEST(!code.failed());
    BOOST_TEST(!value.has_value());
}

BOOST_AUTO_TEST_CASE(end_because_of_an_error_and_other_failures_are_failures_of_next)
{
    following.fail(
        errc::end_of_queue,
        std::make_exception_ptr(std::runtime_error("disk full"))
    );
    BOOST_TEST(message_of([&] { static_cast<void>(following.result()); }) == "disk full");
    BOOST_TEST(following.code().failed());
    following.fail(errc::timed_out);
    BOOST_TEST(message_of([&] { static_cast<void>(following.result()); }
    ).starts_with("next(1) on queue 'lines'"));
    BOOST_TEST(std::get<0>(following.outcome()) == errc::timed_out);
}

BOOST_AUTO_TEST_CASE(only_a_batch_up_to_a_number_can_linger)
{
    using lingering = detail::gives_batch<taker, detail::demand::up_to>::lingering;
    static_assert(lingering::lingers);
    BOOST_TEST(
        local<lingering>({q.get(), 5}).describe() == "dequeue_up_to(5) on queue 'lines'"
    );
    BOOST_TEST(
        (local<detail::gives_batch<taker, detail::demand::exactly>>({q.get(), 5})
             .describe()) == "dequeue_many(5) on queue 'lines'"
    );
}

BOOST_AUTO_TEST_SUITE_END()
