# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# Sanitizers and coverage apply to everything that is built here, so that code of the
# library, of the tests and of headers is instrumented alike.
if(SLUICE_SANITIZE)
    add_compile_options(
        -fsanitize=${SLUICE_SANITIZE}
        -fno-sanitize-recover=all
        -fno-omit-frame-pointer
    )
    add_link_options(-fsanitize=${SLUICE_SANITIZE})
endif()

if(SLUICE_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()

# The environment of every test: stop at the first finding, and say where it is.
set(sluice_test_environment
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_init_order=1"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=second_deadlock_stack=1:history_size=4"
)

# A command that starts instrumented programs, usually none. The thread sanitizer of GCC 12
# refuses to start where the kernel randomizes more address bits than it expects; there the
# programs are started with randomization switched off.
set(sluice_test_launcher "")
if(SLUICE_SANITIZE MATCHES "thread")
    set(probe "${PROJECT_BINARY_DIR}/CMakeFiles/sanitizer_probe")
    file(WRITE "${probe}.cpp" "int main() {}\n")
    try_compile(sluice_probe_built "${probe}" "${probe}.cpp"
        COMPILE_DEFINITIONS -fsanitize=${SLUICE_SANITIZE}
        LINK_OPTIONS -fsanitize=${SLUICE_SANITIZE}
        COPY_FILE "${probe}"
    )
    execute_process(COMMAND "${probe}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(NOT status EQUAL 0)
        execute_process(
            COMMAND setarch --addr-no-randomize "${probe}"
            RESULT_VARIABLE status
            OUTPUT_QUIET
            ERROR_QUIET
        )
        if(status EQUAL 0)
            set(sluice_test_launcher setarch --addr-no-randomize)
        else()
            message(WARNING "programs built with -fsanitize=${SLUICE_SANITIZE} do not start "
                "on this system; try `sysctl vm.mmap_rnd_bits=28`")
        endif()
    endif()
endif()
list(JOIN sluice_test_launcher " " launcher)
file(WRITE "${PROJECT_BINARY_DIR}/test_launcher.txt" "${launcher}\n")  # for `./dev soak`
