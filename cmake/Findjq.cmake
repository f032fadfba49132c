# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Finds libjq, which comes with no file for CMake or pkg-config: the target jq::jq.
include(FindPackageHandleStandardArgs)

find_path(jq_INCLUDE_DIR jq.h)
find_library(jq_LIBRARY jq)
mark_as_advanced(jq_INCLUDE_DIR jq_LIBRARY)
find_package_handle_standard_args(jq REQUIRED_VARS jq_LIBRARY jq_INCLUDE_DIR)

if(jq_FOUND AND NOT TARGET jq::jq)
    add_library(jq::jq UNKNOWN IMPORTED)
    set_target_properties(
        jq::jq
        PROPERTIES
            IMPORTED_LOCATION "${jq_LIBRARY}"
            INTERFACE_INCLUDE_DIRECTORIES "${jq_INCLUDE_DIR}"
    )
endif()
