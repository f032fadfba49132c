// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// expect: constraints not satisfied.*comparison_of
// In a few lines, and not from deep inside the store.

#include <sluice/queue/priority_queue.hpp>

struct job
{
    int deadline;
#ifdef SLUICE_CONTROL
    friend bool operator<(const job& a, const job& b) { return a.deadline < b.deadline; }
#endif
};

void run(sluice::priority_queue<job>& jobs);
