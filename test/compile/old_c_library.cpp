// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// glibc before 2.32 and other C libraries have no header that says whether there are threads.
// This stands for that.
#define SLUICE_KNOWS_OF_THREADS 0

#include <sluice/detail/sync/single_threaded.hpp>

[[maybe_unused]] static bool ask()
{
    return sluice::detail::threads_exist();
}
