// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The only main() of the tests: Boost.Test is linked as a shared library, so exactly one
// translation unit has to name the module.

#define BOOST_TEST_MODULE sluice
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string_view>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>

namespace {

// The thread sanitizer runs the suites that are declared to start threads. One that does and
// is not declared would never be seen by it.
struct thread_declaration
{
    void teardown()
    {
        const char* const declared = std::getenv("SLUICE_TEST_THREADS");
        if (declared != nullptr && std::string_view(declared) == "none") {
            BOOST_TEST(
                __libc_single_threaded,
                "this suite starts a thread: name it after THREADS in test/CMakeLists.txt"
            );
        }
    }
};

BOOST_TEST_GLOBAL_FIXTURE(thread_declaration);

}  // namespace

#endif
