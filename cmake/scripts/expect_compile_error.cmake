# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# cmake -DSOURCE=... -DCOMPILER=... -DINCLUDES=a|b -DPRECOMPILED=... -P expect_compile_error.cmake
# The source must be refused with the message it announces.
file(STRINGS "${SOURCE}" expect REGEX "^// expect: " LIMIT_COUNT 1)
string(REGEX REPLACE "^// expect: " "" expect "${expect}")
if(NOT expect)
    message(FATAL_ERROR "${SOURCE} has no line `// expect: <regular expression>`")
endif()

string(REPLACE "|" ";" includes "${INCLUDES}")
list(REMOVE_ITEM includes /usr/include)  # the compiler knows it, in its right place
list(TRANSFORM includes PREPEND "-I")
set(compile
    "${COMPILER}"
    -std=c++20
    -Wall
    -Wextra
    -Werror
    -Winvalid-pch
    -fsyntax-only
    ${includes}
    -include "${PRECOMPILED}"
)

execute_process(
    COMMAND ${compile} "${SOURCE}"
    RESULT_VARIABLE status
    ERROR_VARIABLE messages
)
if(status EQUAL 0)
    message(FATAL_ERROR "accepted, but must be refused: ${SOURCE}")
elseif(NOT messages MATCHES "${expect}")
    message(FATAL_ERROR "refused, but not with `${expect}`:\n${messages}")
endif()
