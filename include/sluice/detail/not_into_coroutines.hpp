// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// For functions that use a variable of the thread. Clang keeps the address of such a variable
// from before a suspension to after it, where the coroutine may be on another thread, if it
// sees the use before it splits the coroutine. What it calls it does not see. GCC splits
// coroutines first.
#ifdef __clang__
#define SLUICE_NOT_INTO_COROUTINES [[gnu::noinline]]
#else
#define SLUICE_NOT_INTO_COROUTINES
#endif
