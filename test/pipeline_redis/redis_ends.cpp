// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline_redis/redis_ends.hpp"

#include "support/io_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace pipeline = sluice::pipeline;
namespace redis = sluice::redis;
namespace test = sluice::test;
using namespace std::chrono_literals;

namespace redis_ends {

// A queue on a server that does not exist.
struct nowhere : test::io_fixture
{
    nowhere()
    {
        pipeline::remote_queue_request request;
        request.queue.name = "numbers";
        request.queue.key = "test.numbers";
        ends = std::make_shared<pipeline::redis_ends>(
            std::make_shared<redis::connection>(ctx, "unix:/nowhere/at/all"),
            request
        );
    }

    ~nowhere()
    {
        ends.reset();
        run_until([this] { return ctx.stopped(); });
    }

    std::shared_ptr<pipeline::redis_ends> ends;
};

}  // namespace redis_ends

using namespace redis_ends;

BOOST_FIXTURE_TEST_SUITE(redis_ends, nowhere)

BOOST_AUTO_TEST_CASE(flush_does_not_wait_for_a_server_that_was_never_reached)
{
    run_until_done([this] { return ends->flush(24h); });
}

BOOST_AUTO_TEST_CASE(snapshot_says_why_the_server_cannot_be_reached)
{
    run_until([this] { return !ends->snapshot().remote->problem.empty(); });
    const auto now = ends->snapshot();
    BOOST_TEST(now.name == "numbers");
    BOOST_TEST(
        now.remote->problem.find("unix:/nowhere/at/all: No such file") !=
        std::string::npos
    );
}

BOOST_AUTO_TEST_SUITE_END()
