// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/unnamed_file.hpp"

#include "pipeline/temporary_folder.hpp"
#include "pipeline/temporary_place.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <system_error>

namespace unnamed_file {

using sluice::test::temporary_folder;
using sluice::test::temporary_place;

std::string error_of_making()
{
    try {
        const sluice::io::unnamed_file made;
    } catch (const std::system_error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace unnamed_file

BOOST_AUTO_TEST_SUITE(unnamed_file)

BOOST_AUTO_TEST_CASE(what_is_appended_is_read_from_any_place)
{
    sluice::io::unnamed_file file;
    file.append("one");
    file.append("two");
    BOOST_TEST(file.size() == 6U);
    std::string read(4, ' ');
    file.read(2, read);
    BOOST_TEST(read == "etwo");
}

BOOST_AUTO_TEST_CASE(no_name_is_there_while_it_is_used)
{
    const temporary_folder folder;
    const temporary_place place(folder.path());
    sluice::io::unnamed_file file;
    file.append("one");
    BOOST_TEST(folder.entries() == 0U);
}

BOOST_AUTO_TEST_CASE(folder_in_which_none_can_be_made_is_named)
{
    const temporary_folder folder;
    const temporary_place place(folder.path("missing"));
    BOOST_TEST(
        error_of_making() == "cannot make a temporary file in " + folder.path("missing") +
                                 ": No such file or directory"
    );
}

BOOST_AUTO_TEST_CASE(without_a_choice_it_is_in_tmp)
{
    const temporary_place place("");
    BOOST_TEST(error_of_making() == "no error");
}

BOOST_AUTO_TEST_CASE(reading_what_is_not_there_is_an_error)
{
    const sluice::io::unnamed_file file;
    std::string read(1, ' ');
    BOOST_CHECK_THROW(file.read(0, read), std::system_error);
}

BOOST_AUTO_TEST_SUITE_END()
