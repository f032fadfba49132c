// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "pipeline/spill/keyed_totals.hpp"

#include "pipeline/fake_stage_context.hpp"
#include "pipeline/spill/record_bytes.hpp"
#include "support/io_fixture.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::test {

// Sums whose size in memory is told.
struct sum_form
{
    using value = std::uint64_t;

    static void append(value sum, std::string& out)
    {
        pipeline::spill::append_raw(out, sum);
    }

    static value take(std::string_view bytes)
    {
        return pipeline::spill::take_raw<value>(bytes);
    }

    static std::size_t add(value& to, value from)
    {
        to += from;
        return 1;
    }
};

struct totals_fixture : io_fixture
{
    using totals = pipeline::spill::keyed_totals<sum_form>;

    static std::string key_of(int number)
    {
        return "a key too long for the string itself: " + std::to_string(number);
    }

    // One worker, to which the numbers from 0 come `rounds` times.
    static asio::awaitable<void> work(
        totals& tested,
        int count,
        int rounds,
        std::size_t& spills,
        pipeline::stage_context& context
    )
    {
        tested.enter();
        totals::table own;
        for (int i = 0; i < count * rounds; ++i) {
            const int number = i % count;
            own[key_of(number)] += static_cast<std::uint64_t>(number);
            if (tested.is_full(own)) {
                ++spills;
                co_await tested.spill(own, context);
                BOOST_TEST(own.empty());
            }
        }
        tested.leave(std::move(own));
    }

    // The sums of two workers, the second of which has twice as many numbers.
    asio::awaitable<std::map<std::string, std::uint64_t>> sums(
        std::uint64_t memory,
        int count,
        std::size_t& spills
    )
    {
        fake_stage_context context(ctx);
        totals tested(memory);
        co_await work(tested, count, 3, spills, context);
        co_await work(tested, 2 * count, 1, spills, context);
        co_await tested.prepare(context);
        std::map<std::string, std::uint64_t> all;
        while (tested.next())
            BOOST_TEST(all.emplace(tested.key(), tested.current()).second);
        co_return all;
    }

    static std::map<std::string, std::uint64_t> expected(int count)
    {
        std::map<std::string, std::uint64_t> all;
        for (int i = 0; i < 2 * count; ++i)
            all[key_of(i)] = static_cast<std::uint64_t>(i < count ? 4 * i : i);
        return all;
    }
};

BOOST_FIXTURE_TEST_SUITE(keyed_totals, totals_fixture)

BOOST_AUTO_TEST_CASE(workers_add_up_in_memory)
{
    std::size_t spills = 0;
    BOOST_TEST((run_until_done(sums(1U << 30U, 500, spills)) == expected(500)));
    BOOST_TEST(spills == 0U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_put_to_disk_and_adds_up)
{
    std::size_t spills = 0;
    BOOST_TEST((run_until_done(sums(50'000, 500, spills)) == expected(500)));
    BOOST_TEST(spills > 2U);
    spills = 0;
    BOOST_TEST((run_until_done(sums(1'000, 200, spills)) == expected(200)));
    BOOST_TEST(spills > 128U);  // more runs than are read at once
}

BOOST_AUTO_TEST_CASE(tables_that_fit_one_by_one_need_not_fit_together)
{
    // Each worker takes about 100 kB, and has no reason to put that to disk.
    std::size_t spills = 0;
    BOOST_TEST((run_until_done(sums(350'000, 400, spills)) == expected(400)));
    BOOST_TEST((run_until_done(sums(250'000, 400, spills)) == expected(400)));
}

BOOST_AUTO_TEST_CASE(no_keys_are_no_totals)
{
    std::size_t spills = 0;
    BOOST_TEST(run_until_done(sums(1'000, 0, spills)).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace sluice::test
