# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# sluice_choose_await(<variable>): sets it to 1 if operations are to be awaited without the inside
# of Boost.Asio, to 0 if with it, and leaves it empty where the headers know by themselves.
#
# SLUICE_PORTABLE_AWAIT asks for either. Else a version of Asio that is newer than those that were
# checked is tried: what is inside of it has most often not changed, and without it an operation
# that is ready takes twenty times as long. So that is never chosen in silence.
set(SLUICE_PORTABLE_AWAIT AUTO CACHE STRING
    "Await without knowing the inside of Boost.Asio: ON, OFF, or AUTO for where that has changed")
set_property(CACHE SLUICE_PORTABLE_AWAIT PROPERTY STRINGS AUTO ON OFF)

function(sluice_choose_await variable)
    if(NOT SLUICE_PORTABLE_AWAIT STREQUAL "AUTO")
        if(SLUICE_PORTABLE_AWAIT)
            set(${variable} 1 PARENT_SCOPE)
        else()
            set(${variable} 0 PARENT_SCOPE)
        endif()
        return()
    endif()
    set(${variable} "" PARENT_SCOPE)
    if(Boost_VERSION VERSION_LESS_EQUAL 1.90)
        return()
    endif()

    include(CheckCXXSourceCompiles)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    set(CMAKE_CXX_STANDARD 20)
    set(CMAKE_REQUIRED_INCLUDES "${PROJECT_SOURCE_DIR}/include")
    set(CMAKE_REQUIRED_LIBRARIES Boost::headers)
    set(CMAKE_REQUIRED_DEFINITIONS -DSLUICE_PORTABLE_AWAIT=0)
    check_cxx_source_compiles([[
        #include <sluice/queue/fifo_queue.hpp>
        #include <boost/asio/awaitable.hpp>
        boost::asio::awaitable<int> take(sluice::fifo_queue<int>& queue)
        {
            co_return co_await queue.dequeue();
        }
    ]] SLUICE_KNOWS_THIS_ASIO)
    if(SLUICE_KNOWS_THIS_ASIO)
        set(${variable} 0 PARENT_SCOPE)
    else()
        message(WARNING
            "Boost ${Boost_VERSION} has changed inside of Asio. sluice works with it, but each "
            "operation that is awaited suspends, which takes about 250 ns. "
            "SLUICE_PORTABLE_AWAIT=ON says that this is wanted."
        )
        set(${variable} 1 PARENT_SCOPE)
    endif()
endfunction()
