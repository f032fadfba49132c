// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_service.hpp>

#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

namespace asio = boost::asio;
namespace detail = sluice::detail;

namespace wait_service {

using core = detail::queue_core<int, sluice::fifo_store<int>>;

class recording_consumer final : public core::consumer
{
public:
    explicit recording_consumer(core* hub) : dequeue_waiter(detail::demand::one, 1, hub)
    {
    }

    void wait(asio::execution_context& context)
    {
        BOOST_TEST(detail::attach(*this, context));
        (void)start(detail::delivery::always_posted, detail::wait_mode::waits);
    }

    int abandonments = 0;

private:
    void deliver() noexcept override {}
    void abandon() noexcept override { ++abandonments; }
    [[nodiscard]] std::string describe() const override { return "consumer"; }
};

struct service_fixture
{
    boost::intrusive_ptr<core> hub{new core(
        sluice::fifo_store<int>(sluice::queue_options{.capacity = sluice::unbounded}),
        1,
        "q"
    )};
};

}  // namespace wait_service

BOOST_FIXTURE_TEST_SUITE(wait_service, service_fixture)

BOOST_AUTO_TEST_CASE(there_is_one_registry_per_context)
{
    asio::io_context one;
    asio::io_context two;
    const auto& registry = asio::use_service<detail::wait_service>(one).registry();
    BOOST_TEST((registry == asio::use_service<detail::wait_service>(one).registry()));
    BOOST_TEST((registry != asio::use_service<detail::wait_service>(two).registry()));
}

BOOST_AUTO_TEST_CASE(dying_context_abandons_its_waiters)
{
    auto context = std::make_unique<asio::io_context>();
    asio::io_context living;
    recording_consumer dies(hub.get());
    recording_consumer lives(hub.get());
    dies.wait(*context);
    lives.wait(living);
    BOOST_TEST(hub->knows(context.get()));
    BOOST_TEST(hub->knows(&living));
    context.reset();
    BOOST_TEST(dies.abandonments == 1);
    BOOST_TEST(lives.abandonments == 0);
    BOOST_TEST(!lives.forget());
    hub->detach();
}

BOOST_AUTO_TEST_CASE(home_context_is_known_and_attached_once)
{
    asio::io_context context;
    detail::attach_home(*hub, context);
    BOOST_TEST(hub->knows(&context));
    recording_consumer at_home(hub.get());
    at_home.wait(context);
    BOOST_TEST(!at_home.forget());
    hub->detach();
    BOOST_TEST(
        asio::use_service<detail::wait_service>(context).registry().use_count() == 1
    );
}

BOOST_AUTO_TEST_CASE(context_and_hub_may_die_in_either_order)
{
    {
        asio::io_context context;
        detail::attach_home(*hub, context);
    }
    hub->detach();
    asio::io_context other;
    detail::attach_home(*hub, other);
    hub->detach();
    hub.reset();
    BOOST_TEST(
        asio::use_service<detail::wait_service>(other).registry().use_count() == 1
    );
}

BOOST_AUTO_TEST_SUITE_END()
