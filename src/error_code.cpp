// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include <sluice/error_code.hpp>

#include <boost/asio/multiple_exceptions.hpp>

#include <system_error>

namespace sluice::detail {

error_code code_of(const std::exception_ptr& exception, error_code fallback) noexcept
{
    if (!exception)
        return fallback;
    try {
        std::rethrow_exception(exception);
    } catch (const system_error& error) {
        return error.code();
    } catch (const std::system_error& error) {
        return error.code();
    } catch (const boost::asio::multiple_exceptions& error) {
        return code_of(error.first_exception(), fallback);  // both sides of a `||` failed
    } catch (...) {
        return fallback;
    }
}

}  // namespace sluice::detail
