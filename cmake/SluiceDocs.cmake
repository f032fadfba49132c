# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# The target `docs`: reference pages in <build>/docs/html. A warning is an error.
find_program(SLUICE_DOXYGEN doxygen)
mark_as_advanced(SLUICE_DOXYGEN)
if(NOT SLUICE_DOXYGEN)
    return()
endif()

# All pages, so that the links between them can be resolved.
file(GLOB sluice_pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
    *.md docs/*.md samples/*.md samples/*/*.md test/*.md test/*/*.md
)
list(JOIN sluice_pages " " sluice_pages)
configure_file(docs/Doxyfile.in "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
add_custom_target(docs
    COMMAND "${SLUICE_DOXYGEN}" -q "${PROJECT_BINARY_DIR}/Doxyfile"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    VERBATIM
)
