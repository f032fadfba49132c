// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/error.hpp>

#include "support/printing.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <iterator>
#include <set>
#include <string>
#include <utility>

using sluice::condition;
using sluice::errc;
using sluice::error_code;

namespace error {

constexpr errc all_codes[] = {
    errc::queue_closed,
    errc::end_of_queue,
    errc::timed_out,
    errc::stop_requested,
    errc::tasks_still_running,
    errc::invalid_argument,
    errc::element_failed,
    errc::queue_full,
    errc::queue_empty,
    errc::queue_busy,
    errc::input_failed
};

// What a reader of a message looks up; the page about errors has a heading for each.
constexpr std::pair<errc, const char*> names[] = {
    {errc::queue_closed, "queue_closed"},
    {errc::end_of_queue, "end_of_queue"},
    {errc::timed_out, "timed_out"},
    {errc::stop_requested, "stop_requested"},
    {errc::tasks_still_running, "tasks_still_running"},
    {errc::invalid_argument, "invalid_argument"},
    {errc::element_failed, "element_failed"},
    {errc::queue_full, "queue_full"},
    {errc::queue_empty, "queue_empty"},
    {errc::queue_busy, "queue_busy"},
    {errc::input_failed, "input_failed"}
};
static_assert(std::size(names) == std::size(all_codes));

// With warnings as errors this does not compile when a code is added and not listed here.
constexpr int number_of_codes(errc last)
{
    switch (last) {
    case errc::queue_closed:
    case errc::end_of_queue:
    case errc::timed_out:
    case errc::stop_requested:
    case errc::tasks_still_running:
    case errc::invalid_argument:
    case errc::element_failed:
    case errc::queue_full:
    case errc::queue_empty:
    case errc::queue_busy:
    case errc::input_failed:
        break;
    }
    return static_cast<int>(last);
}

// A category as another copy of the library in the same process has it. The ids are part of
// what copies of different versions agree on, and must not change.
class twin final : public sluice::error_category
{
public:
    explicit twin(boost::ulong_long_type id) noexcept : error_category(id) {}

    const char* name() const noexcept override { return "twin"; }

    std::string message(int /*value*/) const override { return {}; }
};

const twin other_sluice(0x9d3c51f2a7e8064b);
const twin other_condition(0xc2706e1b95d34fa8);

}  // namespace error

BOOST_AUTO_TEST_SUITE(error)

BOOST_AUTO_TEST_CASE(every_code_has_a_message_of_its_own)
{
    BOOST_TEST(
        static_cast<int>(std::size(all_codes)) == number_of_codes(errc::input_failed)
    );
    std::set<std::string> messages;
    const std::string unknown = sluice::sluice_category().message(9999);
    for (const errc code : all_codes) {
        const std::string message = error_code(code).message();
        BOOST_TEST(!message.empty());
        BOOST_TEST(message != unknown);
        BOOST_TEST(messages.insert(message).second);
    }
}

// within() limits any work, so the message must be true where no queue is.
BOOST_AUTO_TEST_CASE(timed_out_promises_elements_to_queues_only)
{
    const std::string message = error_code(errc::timed_out).message();
    BOOST_TEST(message.find("no queue has lost an element") != std::string::npos);
    BOOST_TEST(message.find("enqueue") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(categories_have_their_names_and_are_single_objects)
{
    BOOST_TEST(sluice::sluice_category().name() == std::string("sluice"));
    BOOST_TEST(sluice::condition_category().name() == std::string("sluice.condition"));
    BOOST_TEST((&sluice::sluice_category() == &sluice::sluice_category()));
    const error_code code = errc::timed_out;
    BOOST_TEST((code.category() == sluice::sluice_category()));
    BOOST_TEST(code.value() == static_cast<int>(errc::timed_out));
    BOOST_TEST((code.category() != sluice::condition_category()));
}

BOOST_AUTO_TEST_CASE(codes_of_two_copies_in_one_process_are_equal)
{
    BOOST_TEST((other_sluice == sluice::sluice_category()));
    BOOST_TEST((other_condition == sluice::condition_category()));
    const error_code end(static_cast<int>(errc::end_of_queue), other_sluice);
    BOOST_TEST((end == errc::end_of_queue));
    BOOST_TEST((end != errc::queue_closed));
    BOOST_TEST((end == condition::end_of_stream));
    BOOST_TEST((end == condition::clean_stop));
    const sluice::error_condition of_the_other(
        static_cast<int>(condition::end_of_stream),
        other_condition
    );
    BOOST_TEST((of_the_other == condition::end_of_stream));
}

BOOST_AUTO_TEST_CASE(conditions_group_the_codes)
{
    struct row
    {
        errc code;
        bool end_of_stream;
        bool clean_stop;
    };
    const row table[] = {
        {errc::queue_closed, false, true},
        {errc::end_of_queue, true, true},
        {errc::timed_out, false, false},
        {errc::stop_requested, false, true},
        {errc::tasks_still_running, false, false},
        {errc::invalid_argument, false, false},
        {errc::element_failed, false, false},
        {errc::queue_full, false, false},
        {errc::queue_empty, false, false},
        {errc::queue_busy, false, false},
        {errc::input_failed, false, false}
    };
    static_assert(std::size(table) == std::size(all_codes));
    for (const auto& [value, end_of_stream, clean_stop] : table) {
        const error_code code = value;
        BOOST_TEST_CONTEXT(code.message())
        {
            BOOST_TEST((code == condition::end_of_stream) == end_of_stream);
            BOOST_TEST((code == condition::clean_stop) == clean_stop);
        }
    }
}

BOOST_AUTO_TEST_CASE(codes_of_other_categories_belong_to_no_condition)
{
    const error_code foreign = boost::asio::error::operation_aborted;
    BOOST_TEST((foreign != condition::end_of_stream));
    BOOST_TEST((foreign != condition::clean_stop));
    // the same number in another category
    const error_code same_number(
        static_cast<int>(errc::end_of_queue),
        boost::system::generic_category()
    );
    BOOST_TEST((same_number != condition::end_of_stream));
    BOOST_TEST((error_code() != condition::clean_stop));
    // a number that is none of the conditions
    const error_code end = errc::end_of_queue;
    BOOST_TEST((end != sluice::error_condition(9999, sluice::condition_category())));
}

BOOST_AUTO_TEST_CASE(codes_that_others_have_too_are_equal_to_theirs)
{
    namespace generic = boost::system::errc;
    BOOST_TEST((error_code(errc::timed_out) == generic::timed_out));
    BOOST_TEST((error_code(errc::invalid_argument) == generic::invalid_argument));
    for (const errc code : {errc::queue_full, errc::queue_empty, errc::queue_busy})
        BOOST_TEST((error_code(code) == generic::operation_would_block));
    BOOST_TEST((error_code(errc::queue_closed) != generic::timed_out));
}

BOOST_AUTO_TEST_SUITE_END()
