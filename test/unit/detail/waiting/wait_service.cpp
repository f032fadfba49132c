// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/detail/waiting/wait_service.hpp>

#include <sluice/queue/detail/queue_core.hpp>
#include <sluice/queue/fifo_store.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>

namespace asio = boost::asio;
namespace detail = sluice::detail;

namespace {

using core = detail::queue_core<int, sluice::fifo_store<int>>;

class recording_consumer final : public core::consumer
{
public:
    recording_consumer() : dequeue_waiter(detail::demand::one, 1) {}

    int abandonments = 0;

private:
    void deliver() noexcept override {}
    void abandon() noexcept override { ++abandonments; }
    [[nodiscard]] std::string describe() const override { return "consumer"; }
};

struct service_fixture
{
    void wait(recording_consumer& consumer, asio::execution_context& context)
    {
        consumer.context_ = &context;
        (void
        )hub->start(consumer, detail::delivery::always_posted, detail::wait_mode::waits);
    }

    boost::intrusive_ptr<core> hub{
        new core(sluice::fifo_store<int>(sluice::queue_options{}), 1, "q")
    };
};

}  // namespace

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
    detail::attach(*hub, *context);
    detail::attach(*hub, living);
    recording_consumer dies;
    recording_consumer lives;
    wait(dies, *context);
    wait(lives, living);
    context.reset();
    BOOST_TEST(dies.abandonments == 1);
    BOOST_TEST(lives.abandonments == 0);
    hub->forget(lives);
    hub->detach();
}

BOOST_AUTO_TEST_CASE(home_context_is_attached_once)
{
    asio::io_context context;
    BOOST_TEST((hub->home_context() == nullptr));
    detail::attach_home(*hub, context);
    BOOST_TEST((hub->home_context() == &context));
    detail::attach(*hub, context);
    hub->detach();
}

BOOST_AUTO_TEST_CASE(context_and_hub_may_die_in_either_order)
{
    {
        asio::io_context context;
        detail::attach(*hub, context);
    }
    hub->detach();
    asio::io_context other;
    detail::attach(*hub, other);
    hub->detach();
    hub.reset();
    BOOST_TEST(
        asio::use_service<detail::wait_service>(other).registry().use_count() == 1
    );
}

BOOST_AUTO_TEST_SUITE_END()
