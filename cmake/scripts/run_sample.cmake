# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DPROGRAM=... [-DARGS=a|b] [-DINPUT=file] [-DEXIT=code] (-DREGEX=... | -DFILE=...)
#     -P <this file>
# Runs a sample and compares what it prints: with an expression, or exactly with a file.
string(REPLACE "|" ";" args "${ARGS}")
if(NOT EXIT)
    set(EXIT 0)
endif()
if(NOT INPUT)
    set(INPUT /dev/null)
endif()
execute_process(
    COMMAND "${PROGRAM}" ${args}
    INPUT_FILE "${INPUT}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE printed
    ERROR_VARIABLE errors
)
set(report "--- printed:\n${printed}--- errors:\n${errors}")
if(NOT status STREQUAL EXIT)
    message(FATAL_ERROR "${PROGRAM} ended with ${status}, not ${EXIT}\n${report}")
endif()
if(DEFINED REGEX)
    if(NOT "${printed}${errors}" MATCHES "${REGEX}")
        message(FATAL_ERROR "the output does not match `${REGEX}`\n${report}")
    endif()
else()
    file(READ "${FILE}" expected)
    if(NOT printed STREQUAL expected)
        message(FATAL_ERROR "the output differs from ${FILE}\n"
            "--- expected:\n${expected}${report}")
    endif()
endif()
message("${printed}")
