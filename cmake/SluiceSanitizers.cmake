# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Sanitizers and coverage apply to everything that is built here, so that code of the
# library, of the tests and of headers is instrumented alike.
if(SLUICE_COVERAGE)
    # nothing but what is measured: at some of the tests Clang 16 breaks down
    # (precompiled headers are off in the preset: they are system headers, which are not measured)
    set(sluice_measured "${PROJECT_BINARY_DIR}/measured_sources.txt")
    file(CONFIGURE OUTPUT "${sluice_measured}" @ONLY CONTENT [[
default:skip
source:@PROJECT_SOURCE_DIR@/include/*=allow
source:@PROJECT_SOURCE_DIR@/src/*=allow
]])
    add_compile_options(
        -fprofile-instr-generate
        -fprofile-list=${sluice_measured}
        -fprofile-update=atomic
        -fcoverage-mapping
    )
    add_link_options(-fprofile-instr-generate)
    add_compile_definitions(SLUICE_INTERLEAVING_POINTS)  # or races would hardly be met
endif()

set(sluice_test_launcher "")    # a command that starts test programs
set(sluice_program_sources "")  # what is linked into every program
set(sluice_common_options "")   # of every sanitizer
set(sluice_slowdown 1)          # how much slower instrumented programs are, roughly
if(NOT SLUICE_SANITIZE)
    return()
endif()

add_compile_options(
    -fsanitize=${SLUICE_SANITIZE}
    -fno-sanitize-recover=all
    -fno-omit-frame-pointer
)
add_link_options(-fsanitize=${SLUICE_SANITIZE})
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND SLUICE_SANITIZE MATCHES "thread")
    # The static run-time library defines operator new, and so does the allocation counter.
    execute_process(
        COMMAND "${CMAKE_CXX_COMPILER}" -print-runtime-dir
        OUTPUT_VARIABLE sluice_runtime_dir
        OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY
    )
    add_link_options(-shared-libsan "-Wl,-rpath,${sluice_runtime_dir}")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # With it, reports name functions and lines; Debian has it under a name of its own.
    execute_process(
        COMMAND "${CMAKE_CXX_COMPILER}" -print-prog-name=llvm-symbolizer
        OUTPUT_VARIABLE symbolizer
        OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    set(sluice_common_options ":external_symbolizer_path=${symbolizer}")
endif()
if(SLUICE_SANITIZE MATCHES "undefined")
    # A check at every access through a pointer, which takes a third of the time to compile.
    # The address sanitizer reports null all the same; nothing here casts to stricter types.
    add_compile_options(-fno-sanitize=null,alignment)
    if(SLUICE_SANITIZE MATCHES "address")
        # It notices these, too, when they do harm; a tenth of the time to compile.
        add_compile_options(-fno-sanitize=object-size,vptr)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # A signature before every function is a fifth of the objects, and no pointer to a function
        # is cast here. GCC does not check that.
        add_compile_options(-fno-sanitize=function)
    endif()
endif()

set(sluice_sanitizer_options "${PROJECT_BINARY_DIR}/sanitizer_options.cpp")
set(sluice_asan_options "detect_stack_use_after_return=1:strict_init_order=1")
configure_file(cmake/sanitizer_options.cpp.in "${sluice_sanitizer_options}" @ONLY)
set(sluice_program_sources "${sluice_sanitizer_options}")
if(SLUICE_SANITIZE MATCHES "thread")
    list(APPEND sluice_program_sources "${PROJECT_SOURCE_DIR}/cmake/exception_owners.cpp")
endif()

# Not every system lets the sanitizers do their work. What does not is found with a program
# that does nothing; it is left out, and that is said.
function(sluice_probe_sanitizer works)
    set(source "${PROJECT_BINARY_DIR}/CMakeFiles/sanitizer_probe.cpp")
    set(program "${PROJECT_BINARY_DIR}/CMakeFiles/sanitizer_probe.out")
    file(WRITE "${source}" "int main() {}\n")
    execute_process(
        COMMAND
            "${CMAKE_CXX_COMPILER}" -std=c++20 -fsanitize=${SLUICE_SANITIZE} "${source}"
            ${sluice_program_sources} -o "${program}"
        COMMAND_ERROR_IS_FATAL ANY
    )
    execute_process(
        COMMAND ${ARGN} "${program}"
        RESULT_VARIABLE status
        OUTPUT_QUIET
        ERROR_QUIET
    )
    if(status EQUAL 0)
        set(${works} TRUE PARENT_SCOPE)
    else()
        set(${works} FALSE PARENT_SCOPE)
    endif()
endfunction()

# The thread sanitizer of GCC 12 does not start where the kernel randomizes more address
# bits than it expects; it does if randomization is off.
if(SLUICE_SANITIZE MATCHES "thread")
    add_compile_definitions(SLUICE_INTERLEAVING_POINTS)  # see the header of that name
    set(sluice_slowdown 50)
    sluice_probe_sanitizer(works)
    if(NOT works)
        set(sluice_test_launcher setarch --addr-no-randomize)
        sluice_probe_sanitizer(works ${sluice_test_launcher})
    endif()
    if(NOT works)
        message(STATUS "note: the thread sanitizer does not start on this system; "
            "`sysctl vm.mmap_rnd_bits=28` may help")
    endif()
endif()

# Leaks are searched with the help of /proc and ptrace, which a chroot may lack.
if(SLUICE_SANITIZE MATCHES "address")
    set(sluice_slowdown 25)
    sluice_probe_sanitizer(works)
    if(NOT works)
        string(APPEND sluice_asan_options ":detect_leaks=0")
        configure_file(cmake/sanitizer_options.cpp.in "${sluice_sanitizer_options}" @ONLY)
        message(STATUS "note: this system does not let the sanitizer search for leaks "
            "(is /proc mounted?); the rest of it runs")
    endif()
endif()
