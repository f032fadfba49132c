// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

#include "redis/tls_stream.hpp"

#include <sluice/error.hpp>
#include <sluice/redis/redis_error.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace sluice::redis::detail {

namespace asio = boost::asio;
namespace ssl = asio::ssl;

namespace {

[[noreturn]] void refuse(const std::string& why)
{
    throw system_error(errc::tls_failed, "TLS: " + why);
}

void check_file(const error_code& error, const char* option, const std::string& file)
{
    if (error.failed())
        refuse(option + (" '" + file + "' cannot be used: ") + error.message());
}

// The certificate must be that of this host. OpenSSL looks, and says why if it is not.
void expect_name(SSL* connection, const std::string& name)
{
    X509_VERIFY_PARAM* const rules = SSL_get0_param(connection);
    error_code no_number;
    asio::ip::make_address(name, no_number);
    int is_done = 1;
    if (!no_number.failed()) {
        is_done = X509_VERIFY_PARAM_set1_ip_asc(rules, name.c_str());
    } else {
        is_done = X509_VERIFY_PARAM_set1_host(rules, name.c_str(), name.size());
        // which host is meant, where several are behind one address; a macro with a cast of C
        is_done &= static_cast<int>(SSL_ctrl(
            connection,
            SSL_CTRL_SET_TLSEXT_HOSTNAME,
            TLSEXT_NAMETYPE_host_name,
            const_cast<char*>(name.c_str())
        ));
    }
    if (is_done != 1)
        refuse("'" + name + "' is not a valid server name");
}

}  // namespace

ssl::context make_tls_context(const tls_settings& settings)
{
    ssl::context made(ssl::context::tls_client);
    made.set_options(
        ssl::context::no_sslv2 | ssl::context::no_sslv3 | ssl::context::no_tlsv1 |
        ssl::context::no_tlsv1_1
    );
    made.set_verify_mode(settings.verifies ? ssl::verify_peer : ssl::verify_none);
    // or OpenSSL asks at the terminal
    made.set_password_callback([](std::size_t, ssl::context::password_purpose) {
        return std::string();
    });
    error_code error;
    if (settings.ca_file.empty())
        made.set_default_verify_paths(error);
    else
        made.load_verify_file(settings.ca_file, error);
    check_file(error, "ca_file", settings.ca_file);
    if (settings.certificate_file.empty())
        return made;
    made.use_certificate_chain_file(settings.certificate_file, error);
    check_file(error, "certificate_file", settings.certificate_file);
    made.use_private_key_file(settings.key_file, ssl::context::pem, error);
    check_file(error, "key_file", settings.key_file);
    return made;
}

tls_stream::tls_stream(socket_type& socket, const address& to)
    : context_(make_tls_context(*to.tls)),
      stream_(socket, context_),
      expected_(to.tls->server_name.empty() ? to.host : to.tls->server_name)
{
    expect_name(stream_.native_handle(), expected_);
}

awaitable<void> tls_stream::shake_hands()
{
    error_code error;
    co_await stream_.async_handshake(
        ssl::stream_base::client,
        asio::redirect_error(use_awaitable, error)
    );
    if (!error.failed())
        co_return;
    if (is_refusal(error))
        refuse(reason_of(error));
    throw system_error(error, "TLS handshake");
}

std::string tls_stream::reason_of(const error_code& error)
{
    const long result = SSL_get_verify_result(stream_.native_handle());
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    if (reason == SSL_R_CERTIFICATE_VERIFY_FAILED && result != X509_V_OK)
        return "the server certificate was rejected: " +
               std::string(X509_verify_cert_error_string(result)) + " (expected: '" +
               expected_ + "'); see ca_file and server_name";
    if (reason == SSL_R_WRONG_VERSION_NUMBER)
        return "the server does not speak TLS on this port; write redis://, or another "
               "port";
    return "handshake failed: " + error.message();
}

bool tls_stream::is_refusal(const error_code& error) noexcept
{
    return error.category() == asio::error::get_ssl_category();
}

}  // namespace sluice::redis::detail
