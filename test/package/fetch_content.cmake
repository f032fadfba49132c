# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 The sluice authors

# The lines of the page about the installation; the test has the sources already.
#[fetch
include(FetchContent)
FetchContent_Declare(sluice GIT_REPOSITORY https://git.example.com/sluice.git GIT_TAG main)
FetchContent_MakeAvailable(sluice)
#]
