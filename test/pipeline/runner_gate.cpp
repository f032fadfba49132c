// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/run/pipeline_state.hpp"
#include "support/io_fixture.hpp"

#include <boost/test/unit_test.hpp>

namespace sluice::test {

namespace runner_gate {

struct runner_gate_fixture : io_fixture
{
    pipeline::runner_gate gate{ctx.get_executor(), "read"};
};

}  // namespace runner_gate

BOOST_FIXTURE_TEST_SUITE(runner_gate, runner_gate_fixture)

BOOST_AUTO_TEST_CASE(open_gate_is_passed_at_once)
{
    BOOST_TEST(!gate.is_paused());
    run_until_done(spawn(gate.pass()));
}

BOOST_AUTO_TEST_CASE(paused_worker_goes_on_after_resume)
{
    gate.pause();
    gate.pause();
    BOOST_TEST(gate.is_paused());
    const auto worker = spawn(gate.pass());
    run();
    BOOST_TEST(!worker.done());
    gate.resume();
    BOOST_TEST(!gate.is_paused());
    run_until_done(worker);
}

BOOST_AUTO_TEST_CASE(worker_that_is_resumed_waits_again_if_paused_before_it_runs)
{
    gate.pause();
    const auto worker = spawn(gate.pass());
    run();
    gate.resume();
    gate.pause();
    run();
    BOOST_TEST(!worker.done());
    gate.resume();
    run_until_done(worker);
}

BOOST_AUTO_TEST_CASE(gate_that_is_open_for_good_holds_up_no_worker)
{
    gate.pause();
    const auto worker = spawn(gate.pass());
    run();
    gate.open_for_good();
    run_until_done(worker);
    gate.pause();
    BOOST_TEST(!gate.is_paused());
    run_until_done(spawn(gate.pass()));
}

BOOST_AUTO_TEST_CASE(stop_ends_the_wait)
{
    gate.pause();
    const auto worker = spawn(gate.pass());
    run();
    worker.cancel();
    run();
    BOOST_TEST(worker.done());
    BOOST_TEST((worker.error() != nullptr));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
