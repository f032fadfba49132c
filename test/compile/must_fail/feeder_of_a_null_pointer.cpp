// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: private
// A feeder is one of a queue; one that feeds nothing is made without an argument.

#include <sluice/queue/feeder.hpp>

void make()
{
#ifdef SLUICE_CONTROL
    const sluice::feeder feeding;
#else
    const sluice::feeder feeding{nullptr};
#endif
}
