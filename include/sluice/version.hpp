// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

// The only place where the version is written; CMake reads it from here.
/// version_number::major of these headers.
#define SLUICE_VERSION_MAJOR 0
/// version_number::minor of these headers.
#define SLUICE_VERSION_MINOR 1
/// version_number::patch of these headers.
#define SLUICE_VERSION_PATCH 0

namespace sluice {

/// The numbers of a release of the library.
struct version_number
{
    int major;  ///< Changes when programs must be adapted (from 1.0 on).
    int minor;  ///< Changes with new features; before 1.0 also when programs must be adapted.
    int patch;  ///< Changes with corrections only.

    /// Equal in all three numbers.
    friend constexpr bool operator==(const version_number&, const version_number&) =
        default;
};

/// The release these headers belong to.
inline constexpr version_number version{
    SLUICE_VERSION_MAJOR,
    SLUICE_VERSION_MINOR,
    SLUICE_VERSION_PATCH
};

}  // namespace sluice
