# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# sluice_read_version(<variable> <header>): the version is written once, in the header.
function(sluice_read_version variable header)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
    file(STRINGS "${header}" lines REGEX "#define SLUICE_VERSION_(MAJOR|MINOR|PATCH) ")
    string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
    list(LENGTH numbers count)
    if(NOT count EQUAL 3)
        message(FATAL_ERROR "expected three version numbers in ${header}, found: ${lines}")
    endif()
    list(JOIN numbers "." version)
    set(${variable} "${version}" PARENT_SCOPE)
endfunction()
