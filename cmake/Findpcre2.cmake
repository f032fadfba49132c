# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Finds PCRE2 for texts of bytes, which comes with no file for CMake on Debian: the target
# pcre2::pcre2.
include(FindPackageHandleStandardArgs)

find_path(pcre2_INCLUDE_DIR pcre2.h)
find_library(pcre2_LIBRARY pcre2-8)
mark_as_advanced(pcre2_INCLUDE_DIR pcre2_LIBRARY)
find_package_handle_standard_args(pcre2 REQUIRED_VARS pcre2_LIBRARY pcre2_INCLUDE_DIR)

if(pcre2_FOUND AND NOT TARGET pcre2::pcre2)
    add_library(pcre2::pcre2 UNKNOWN IMPORTED)
    set_target_properties(
        pcre2::pcre2
        PROPERTIES
            IMPORTED_LOCATION "${pcre2_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${pcre2_INCLUDE_DIR}"
    )
endif()
