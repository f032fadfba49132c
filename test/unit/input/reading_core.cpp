// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/input/detail/reading_core.hpp>

#include "support/message_of.hpp"
#include "support/printing.hpp"
#include "support/run_threads.hpp"
#include <sluice/queue/queue_options.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(reading_core)

using reading = sluice::detail::reading_core;
using options = sluice::input_producer_options;
using position = sluice::input_position;
using strings = std::vector<std::string>;

std::string text(const position& at)
{
    return std::to_string(at.epoch) + ":" + std::to_string(at.index) + "/" +
           std::to_string(at.list_size);
}

// Reads lists of these sizes, for as long as there is an epoch: the places of each.
strings read_all(reading& core, const std::vector<std::size_t>& sizes)
{
    strings epochs;
    for (const std::size_t size : sizes) {
        if (!core.has_epoch())
            break;
        core.begin_epoch(size);
        std::string places;
        for (; core.has_element(); core.advance())
            places += std::to_string(core.place());
        epochs.push_back(places);
    }
    return epochs;
}

std::string refusal(const options& given)
{
    const std::string message = sluice::test::message_of([&] { reading core(given); });
    return message.substr(0, message.find(':', message.find("':") + 2));
}

BOOST_AUTO_TEST_CASE(reads_as_listed)
{
    reading core({.num_epochs = 3});
    BOOST_TEST(!core.has_element());
    BOOST_TEST(read_all(core, {3, 1, 2, 9}) == (strings{"012", "0", "01"}));
    BOOST_TEST(!core.has_epoch());
}

BOOST_AUTO_TEST_CASE(each_epoch_has_an_order_of_its_own)
{
    reading core({.num_epochs = 3, .shuffle = true, .seed = 7});
    BOOST_TEST(read_all(core, {5, 5, 5}) == (strings{"24031", "34210", "20341"}));
}

BOOST_AUTO_TEST_CASE(without_a_seed_orders_differ)
{
    reading one({.shuffle = true});
    reading other({.shuffle = true});
    BOOST_TEST((one.position(0).seed != other.position(0).seed));
    BOOST_TEST(read_all(one, {40}) != read_all(other, {40}));
}

BOOST_AUTO_TEST_CASE(knows_where_each_number_of_elements_ends)
{
    reading core({.num_epochs = 5});
    strings positions{text(core.position(0))};
    std::vector<std::uint64_t> epochs{core.epoch(0)};
    read_all(core, {2, 2, 3, 1, 2});
    for (std::uint64_t taken = 1; taken <= 10; ++taken) {
        positions.push_back(text(core.position(taken)));
        epochs.push_back(core.epoch(taken));
    }
    BOOST_TEST(
        positions == (strings{
                         "0:0/0",
                         "0:1/2",
                         "1:0/0",
                         "1:1/2",
                         "2:0/0",
                         "2:1/3",
                         "2:2/3",
                         "3:0/0",
                         "4:0/0",
                         "4:1/2",
                         "5:0/0"
                     })
    );
    BOOST_TEST(epochs == (std::vector<std::uint64_t>{0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4}));
}

BOOST_AUTO_TEST_CASE(tells_where_to_go_on_after_the_next_element)
{
    reading core({.shuffle = true, .seed = 9});
    core.begin_epoch(2);
    BOOST_TEST((core.after_next() == position{0, 1, 2, 9}));
    core.advance();
    BOOST_TEST((core.after_next() == position{1, 0, 0, 9}));
    core.advance();
    BOOST_TEST(!core.has_element());
}

// From every position the rest is that of one uninterrupted reading.
BOOST_AUTO_TEST_CASE(goes_on_at_any_position)
{
    const std::vector<std::size_t> sizes{3, 2, 4};
    const auto all = [&](options given, std::vector<position>* positions) {
        given.num_epochs = sizes.size();
        given.shuffle = true;
        reading core(given);
        strings elements;
        while (core.has_epoch()) {
            const std::uint64_t epoch = core.position(elements.size()).epoch;
            core.begin_epoch(sizes[static_cast<std::size_t>(epoch)]);
            for (; core.has_element(); core.advance()) {
                elements.push_back(std::to_string(epoch) + std::to_string(core.place()));
                if (positions != nullptr)
                    positions->push_back(core.after_next());
            }
        }
        return elements;
    };
    std::vector<position> positions;
    const strings whole = all({.seed = 3}, &positions);
    BOOST_TEST_REQUIRE(whole.size() == 9U);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        BOOST_TEST_CONTEXT("after " << i + 1)
        {
            const strings rest = all({.start_at = positions[i]}, nullptr);
            BOOST_TEST(
                rest == strings(whole.begin() + std::ptrdiff_t(i) + 1, whole.end())
            );
        }
    }
}

BOOST_AUTO_TEST_CASE(positions_go_on_where_the_reading_begins)
{
    reading core({.num_epochs = 3, .start_at = position{1, 2, 4, 0}});
    BOOST_TEST(text(core.position(0)) == "1:2/4");
    BOOST_TEST(core.epoch(0) == 1U);
    BOOST_TEST(read_all(core, {4, 4}) == (strings{"23", "0123"}));
    BOOST_TEST(text(core.position(0)) == "1:2/4");
    BOOST_TEST(text(core.position(1)) == "1:3/4");
    BOOST_TEST(text(core.position(2)) == "2:0/0");
    BOOST_TEST(text(core.position(6)) == "3:0/0");
    BOOST_TEST(core.epoch(1) == 1U);
    BOOST_TEST(core.epoch(3) == 2U);
}

BOOST_AUTO_TEST_CASE(may_begin_behind_the_last_element_of_an_epoch)
{
    reading core({.num_epochs = 2, .start_at = position{0, 3, 3, 0}});
    BOOST_TEST(read_all(core, {3, 3}) == (strings{"", "012"}));
    BOOST_TEST(text(core.position(0)) == "1:0/0");
}

BOOST_AUTO_TEST_CASE(may_begin_behind_the_last_epoch)
{
    const reading core({.num_epochs = 2, .start_at = position{2, 0, 0, 0}});
    BOOST_TEST(!core.has_epoch());
}

BOOST_AUTO_TEST_CASE(takes_the_seed_of_the_options_or_of_the_position)
{
    const position from_seed_7{1, 0, 0, 7};
    const auto seed = [](const options& given) {
        return reading(given).position(0).seed;
    };
    BOOST_TEST(seed({.seed = 7}) == 0U);
    BOOST_TEST(seed({.shuffle = true, .seed = 7}) == 7U);
    BOOST_TEST(seed({.shuffle = true, .start_at = from_seed_7}) == 7U);
    BOOST_TEST(seed({.shuffle = true, .seed = 7, .start_at = from_seed_7}) == 7U);
    BOOST_TEST(seed({.shuffle = true, .seed = 7, .start_at = position{}}) == 7U);
}

BOOST_AUTO_TEST_CASE(first_start_has_a_random_order_that_its_positions_carry)
{
    const options first{.num_epochs = 2, .shuffle = true, .start_at = position{}};
    reading one(first);
    reading other(first);
    const position start = one.position(0);
    BOOST_TEST(start.seed != 0U);
    BOOST_TEST(start.seed != other.position(0).seed);
    const strings orders = read_all(one, {40, 40});
    BOOST_TEST(orders != read_all(other, {40, 40}));

    reading resumed({.num_epochs = 2, .shuffle = true, .start_at = one.position(40)});
    BOOST_TEST(read_all(resumed, {40}) == strings{orders[1]});
    reading again({.num_epochs = 2, .shuffle = true, .start_at = start});
    BOOST_TEST(read_all(again, {40, 40}) == orders);
}

BOOST_AUTO_TEST_CASE(seed_0_is_a_seed_that_positions_carry)
{
    reading zero({.num_epochs = 2, .shuffle = true, .seed = 0});
    reading same({.num_epochs = 2, .shuffle = true, .seed = 0, .start_at = position{}});
    const strings orders = read_all(zero, {9, 9});
    BOOST_TEST(read_all(same, {9, 9}) == orders);

    const position within = zero.position(3);
    BOOST_TEST(within.seed == 0x1'0000'0000U);
    reading rest({.num_epochs = 2, .shuffle = true, .seed = 0, .start_at = within});
    BOOST_TEST(read_all(rest, {9, 9}) == (strings{orders[0].substr(3), orders[1]}));
    BOOST_TEST(refusal({.start_at = within}) != "no exception");
}

BOOST_AUTO_TEST_CASE(refuses_options_outside_of_their_range)
{
    const position from_seed_7{1, 0, 0, 7};
    BOOST_TEST(
        refusal({.num_epochs = 0}) == "input_producer 'input': num_epochs is 0; give at "
                                      "least 1, or leave it out for no limit"
    );
    BOOST_TEST(
        refusal({.capacity = 0, .name = "files"}) ==
        "input_producer 'files': capacity 0 has no place for an element; give at least 1"
    );
    BOOST_TEST(
        refusal({.capacity = sluice::unbounded}) ==
        "input_producer 'input': without a limit of epochs it would fill the memory; "
        "give a "
        "capacity"
    );
    BOOST_TEST(
        refusal({.start_at = from_seed_7}) ==
        "input_producer 'input': start_at is of a reading that shuffles; set shuffle"
    );
    BOOST_TEST(
        refusal({.shuffle = true, .seed = 8, .start_at = from_seed_7}) ==
        "input_producer 'input': start_at is of a reading with seed 7, not 8; leave the "
        "seed "
        "out, or start_at"
    );
    BOOST_TEST(
        refusal({.num_epochs = 1, .capacity = sluice::unbounded}) == "no exception"
    );
}

BOOST_AUTO_TEST_CASE(refuses_to_go_on_within_an_epoch_of_another_order)
{
    const auto refuses = [](const position& at, std::optional<std::uint64_t> seed) {
        return refusal({.shuffle = true, .seed = seed, .start_at = at}) != "no exception";
    };
    BOOST_TEST(refuses({2, 1, 4, 0}, 5));  // as listed
    BOOST_TEST(refuses({2, 1, 4, 0}, 0));
    BOOST_TEST(refuses({2, 1, 4, 0}, {}));
    BOOST_TEST(refuses({2, 0, 0, 0}, {}));
    BOOST_TEST(!refuses({2, 0, 0, 0}, 5));
    BOOST_TEST(!refuses({2, 0, 0, 0}, 0));
    BOOST_TEST(refuses({2, 0, 0, 7}, 0));
    BOOST_TEST(refuses({2, 1, 4, 7}, 0));
    BOOST_TEST(
        refusal({.shuffle = true, .start_at = position{0, 1, 4, 0}}) ==
        "input_producer 'input': start_at is within an epoch that is not shuffled; leave "
        "shuffle out, or begin at an epoch, with index 0 and a seed"
    );
    BOOST_TEST(
        refusal({.shuffle = true, .start_at = position{2, 0, 0, 0}}) ==
        "input_producer 'input': start_at is of a reading that does not shuffle; leave "
        "shuffle out, or give a seed"
    );
}

BOOST_AUTO_TEST_CASE(refuses_a_list_in_which_it_cannot_begin)
{
    const auto refuses = [](bool shuffle, const position& at, std::size_t size) {
        const reading core({.shuffle = shuffle, .start_at = at});
        return sluice::test::message_of([&] { core.check_list(size); }) != "no exception";
    };
    BOOST_TEST(refuses(false, {}, 0));
    BOOST_TEST(!refuses(false, {0, 2, 4, 0}, 2));  // as a log that has grown, or been cut
    BOOST_TEST(refuses(false, {0, 3, 4, 0}, 2));
    BOOST_TEST(!refuses(true, {0, 2, 4, 7}, 4));
    BOOST_TEST(refuses(true, {0, 2, 4, 7}, 5));
    BOOST_TEST(!refuses(true, {1, 0, 0, 7}, 5));

    reading core({.start_at = position{0, 3, 4, 0}});
    BOOST_TEST(sluice::test::message_of([&] { core.begin_epoch(2); })
                   .starts_with("input_producer 'input': start_at is element 3 of a list "
                                "of 4, and this list "
                                "has 2; begin at an epoch, with index 0"));
    core.begin_epoch(4);
    core.advance();
    core.begin_epoch(2);  // only the first list is that of the position
    BOOST_TEST(core.place() == 0U);
}

// What the worker notes while others ask.
BOOST_AUTO_TEST_CASE(positions_may_be_asked_for_by_other_threads)
{
    constexpr std::uint64_t epochs = 300;
    reading core({.num_epochs = epochs});
    std::atomic<std::uint64_t> stored = 0;
    std::atomic<bool> is_right = true;
    sluice::test::run_threads(2, [&](std::size_t thread) {
        if (thread == 0) {
            for (std::uint64_t epoch = 0; core.has_epoch(); ++epoch) {
                core.begin_epoch(1 + epoch % 2);
                for (; core.has_element(); core.advance())
                    ++stored;
            }
            return;
        }
        for (std::uint64_t taken = 0; taken < epochs;) {
            taken = stored;
            // two epochs have three elements
            const std::uint64_t epoch = taken / 3 * 2 + (taken % 3 == 0 ? 0 : 1);
            if (core.position(taken).epoch != epoch)
                is_right = false;
        }
    });
    BOOST_TEST(is_right);
}

BOOST_AUTO_TEST_SUITE_END()
