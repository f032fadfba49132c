// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// The only main() of the tests: Boost.Test is linked as a shared library, so exactly one
// translation unit has to name the module.

#define BOOST_TEST_MODULE sluice
#include <boost/test/unit_test.hpp>
