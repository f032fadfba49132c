# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# sluice_part(<variable> <what it is> [NEEDS <variable>] [NEEDED_BY <variable>...] [WITHIN <variable>]
#     [PACKAGES "<arguments of find_package>"...])
#
# Sets the variable to whether a part is built: ON, OFF, or AUTO, which is ON if a part that is ON
# needs it, and where sluice is the whole project if all that it needs is there. A note names what
# is missing then; it is an error for a part that is ON. One WITHIN another part is OFF without that,
# and AUTO is for it the same in every project.
function(sluice_part variable what)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "NEEDS;WITHIN" "NEEDED_BY;PACKAGES")
    set(${variable} AUTO CACHE STRING "Build ${what}: ON, OFF, or AUTO")
    set_property(CACHE ${variable} PROPERTY STRINGS AUTO ON OFF)
    set(choice "${${variable}}")
    foreach(other IN LISTS arg_NEEDED_BY)
        if(choice STREQUAL "AUTO" AND ${other} AND NOT ${other} STREQUAL "AUTO")
            set(choice ON)
        endif()
    endforeach()
    set(${variable} OFF PARENT_SCOPE)
    if(NOT choice OR (arg_WITHIN AND NOT ${arg_WITHIN}))
        return()
    endif()
    if(choice STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL AND NOT arg_WITHIN)
        return()
    endif()

    set(missing "")
    if(arg_NEEDS AND NOT ${arg_NEEDS})
        list(APPEND missing "${arg_NEEDS}=ON")
    endif()
    foreach(package IN LISTS arg_PACKAGES)
        separate_arguments(arguments UNIX_COMMAND "${package}")
        list(GET arguments 0 name)
        find_package(${arguments} QUIET)
        if(NOT ${name}_FOUND)
            list(APPEND missing "${package}")
        endif()
    endforeach()
    list(JOIN missing ", " missing)
    if(NOT missing)
        set(${variable} ON PARENT_SCOPE)
    elseif(choice STREQUAL "AUTO")
        message(STATUS "note: without ${what} (${variable}); missing: ${missing}")
    else()
        message(FATAL_ERROR "${variable} is ON; missing: ${missing}")
    endif()
endfunction()
