// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#pragma once

#include <sluice/input/limit_epochs.hpp>
#include <sluice/runner/queue_runner_collection.hpp>
