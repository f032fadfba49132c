# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# sluice_set_warnings(<target>): the warnings this project is clean at. They are private:
# a program that uses sluice chooses its own.
set(sluice_common_warnings
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wsign-conversion        # Clang has it in -Wconversion, GCC does not
    -Wold-style-cast
    -Woverloaded-virtual
    -Wextra-semi
    -Wcast-align
    -Wformat=2
)
set(sluice_gcc_warnings
    -Wduplicated-branches
    -Wduplicated-cond
    -Wlogical-op
)
set(sluice_warnings ${sluice_common_warnings})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND sluice_warnings ${sluice_gcc_warnings})
endif()

# GCC blames a class for the destructor of a base class in Boost.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND sluice_warnings -Wnon-virtual-dtor)
endif()

# GCC 12 takes `"text" + std::string()` for an overlapping copy (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND sluice_warnings -Wno-restrict)
endif()

# With optimization GCC sees the frame of a coroutine go to the operator delete of its promise, and
# takes its operator new, which is inlined, for another allocator (GCC bug 109224; in Asio it is
# awaitable_frame_base that has both). Clang has this warning, too, and looks for real mistakes.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND sluice_warnings -Wno-mismatched-new-delete)
endif()

# GCC warns of the frame of a coroutine that holds something of its file, unless that is the
# main file, and in a unity build it is not.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
    list(APPEND sluice_warnings -Wno-subobject-linkage)
endif()

# Clang 16 sees the operand of co_await more than once and takes `co_await f(++n)` for several
# changes of n.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20)
    list(APPEND sluice_warnings -Wno-unsequenced)
endif()

# Clang from 17 on warns of what std::stable_sort of libstdc++ 12 calls inside: a function that the
# same library has marked as deprecated. Clang 16 still looks for deprecated names in our sources.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 17)
    list(APPEND sluice_warnings -Wno-deprecated-declarations)
endif()

# Sanitizer instrumentation changes what GCC's flow analysis sees; what it then reports in
# these two classes is not in the source.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND SLUICE_SANITIZE)
    list(APPEND sluice_warnings -Wno-maybe-uninitialized -Wno-tsan)
endif()

function(sluice_set_warnings target)
    if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
        target_compile_options(${target} PRIVATE ${sluice_warnings})
    endif()
    set_target_properties(${target} PROPERTIES
        COMPILE_WARNING_AS_ERROR ${SLUICE_WARNINGS_AS_ERRORS}
    )
endfunction()
