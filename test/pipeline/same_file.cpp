// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "io/io.hpp"
#include "pipeline/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>

#include <filesystem>
#include <string>

namespace files = sluice::io;

BOOST_FIXTURE_TEST_SUITE(same_file, sluice::test::temporary_folder)

BOOST_AUTO_TEST_CASE(links_have_the_identity_of_their_file)
{
    const std::string one = write("one", "");
    const std::string other = write("other", "");
    std::filesystem::create_hard_link(one, path("hard"));
    std::filesystem::create_symlink("one", path("soft"));
    BOOST_TEST((files::identity_of(one) == files::identity_of(path("hard"))));
    BOOST_TEST((files::identity_of(one) == files::identity_of(path("soft"))));
    BOOST_TEST((files::identity_of(one) != files::identity_of(other)));
    BOOST_TEST(!files::identity_of(path("missing")));
}

BOOST_AUTO_TEST_CASE(descriptor_has_the_identity_of_what_it_has_open)
{
    const std::string name = write("file", "");
    const files::unique_descriptor open(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    BOOST_REQUIRE(::stat(name.c_str(), &status) == 0);
    BOOST_TEST(files::is_open_as(open.get(), status));
    BOOST_TEST(!files::is_open_as(-1, status));
    BOOST_REQUIRE(::stat(path().c_str(), &status) == 0);
    BOOST_TEST(!files::is_open_as(open.get(), status));
}

BOOST_AUTO_TEST_CASE(descriptors_have_names)
{
    BOOST_TEST((files::descriptor_named("/dev/stdin") == 0));
    BOOST_TEST((files::descriptor_named("/dev/stdout") == 1));
    BOOST_TEST((files::descriptor_named("/dev/fd/2") == 2));
    BOOST_TEST((files::descriptor_named("/proc/self/fd/1") == 1));
    BOOST_TEST((files::descriptor_named("/proc/self/../self/fd/17") == 17));
    std::filesystem::create_symlink("/dev/stdout", path("link"));
    BOOST_TEST((files::descriptor_named(path("link")) == 1));
}

BOOST_AUTO_TEST_CASE(other_paths_name_no_descriptor)
{
    std::filesystem::create_symlink("circle", path("circle"));
    for (const std::string& other :
         {write("1", ""),
          path("missing"),
          path("missing/1"),
          path("circle"),
          std::string("-"),
          std::string(),
          std::string("/proc/1/fd/1"),
          std::string("/dev/fd/1x"),
          std::string("/dev/fd/-1")})
        BOOST_TEST(!files::descriptor_named(other), other);
}

BOOST_AUTO_TEST_SUITE_END()
