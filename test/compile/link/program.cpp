// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// A program that uses nothing of sluice but one of its headers, compiled with other settings
// than the library, which must not link.
#include SLUICE_HEADER

int main() {}
