// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "support/check.hpp"

#include <boost/test/framework.hpp>
#include <boost/test/unit_test_log.hpp>

#include <algorithm>
#include <mutex>

namespace sluice::test {
namespace {

// One mutex for the capture chain and for Boost.Test, which is not safe to call concurrently.
std::mutex mutex;
captured_failures* innermost = nullptr;

}  // namespace

void fail(std::string_view message, std::source_location where)
{
    namespace ut = boost::unit_test;
    std::lock_guard lock{mutex};
    if (innermost != nullptr) {
        innermost->add(message, where);
        return;
    }
    const std::string_view file{where.file_name()};
    ut::unit_test_log
        << ut::log::begin(ut::const_string{file.data(), file.size()}, where.line())
        << ut::log_all_errors << std::string{message} << ut::log::end();
    ut::framework::assertion_result(ut::AR_FAILED);
}

bool check(bool passed, std::string_view message, std::source_location where)
{
    if (!passed) {
        fail(message, where);
        return false;
    }
    std::lock_guard lock{mutex};
    if (innermost == nullptr)
        boost::unit_test::framework::assertion_result(boost::unit_test::AR_PASSED);
    return true;
}

captured_failures::captured_failures()
{
    std::lock_guard lock{mutex};
    outer_ = innermost;
    innermost = this;
}

captured_failures::~captured_failures()
{
    std::lock_guard lock{mutex};
    innermost = outer_;
}

std::size_t captured_failures::count() const
{
    std::lock_guard lock{mutex};
    return messages_.size();
}

bool captured_failures::mention(std::string_view text) const
{
    std::lock_guard lock{mutex};
    return std::ranges::any_of(messages_, [&](const std::string& message) {
        return message.find(text) != message.npos;
    });
}

std::vector<unsigned> captured_failures::lines() const
{
    std::lock_guard lock{mutex};
    return lines_;
}

void captured_failures::add(std::string_view message, std::source_location where)
{
    messages_.emplace_back(message);
    lines_.push_back(where.line());
}

}  // namespace sluice::test
