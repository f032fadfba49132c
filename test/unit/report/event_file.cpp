// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "report/event_file.hpp"

#include "pipeline/temporary_folder.hpp"
#include "report/event_record.hpp"
#include "support/message_of.hpp"
#include "unit/report/limited_file_size.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace event_file {

namespace report = sluice::report;
namespace test = sluice::test;

struct fixture
{
    std::string content() const
    {
        std::ifstream stream(file.path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    test::temporary_folder folder;
    report::event_file file{folder.path("run/1")};
    std::string first = report::make_record("first");
    std::string second = report::make_record("second");
    std::string records = first + second;
};

BOOST_FIXTURE_TEST_SUITE(event_file, fixture)

BOOST_AUTO_TEST_CASE(name_tells_tensorboard_what_it_is)
{
    const std::string name = file.path().filename().string();
    BOOST_TEST(name.starts_with("events.out.tfevents."));
    BOOST_TEST(name.find('.' + std::to_string(::getpid()) + '.') != std::string::npos);
}

BOOST_AUTO_TEST_CASE(second_file_is_another_one)
{
    const report::event_file other(folder.path("run/1"));
    BOOST_TEST(other.path() != file.path());
    BOOST_TEST(std::filesystem::exists(other.path()));
}

BOOST_AUTO_TEST_CASE(directory_that_cannot_be_made_is_named)
{
    folder.write("plain", "");
    const auto message = test::message_of([&] {
        report::event_file(folder.path("plain"));
    });
    BOOST_TEST(message.find(folder.path("plain")) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_removed)
{
    BOOST_TEST(!file.append(records));
    BOOST_TEST(records.empty());
    BOOST_TEST(content() == first + second);
}

// However much of the second record there is room for, the file ends after the first one.
BOOST_AUTO_TEST_CASE(full_disk_leaves_whole_records)
{
    for (std::size_t room = 0; room < second.size(); ++room) {
        const test::limited_file_size limit(content().size() + first.size() + room);
        const std::string before = content();
        records = first + second;

        BOOST_TEST((file.append(records) == boost::system::errc::file_too_large));

        BOOST_TEST(content() == before + first);
        BOOST_TEST(records == second);
    }
}

BOOST_AUTO_TEST_CASE(rest_follows_when_there_is_room_again)
{
    {
        const test::limited_file_size limit(first.size() + 5);
        BOOST_TEST(file.append(records).failed());
    }
    BOOST_TEST(!file.append(records));
    BOOST_TEST(content() == first + second);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace event_file
