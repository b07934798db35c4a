// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <boost/asio/ssl/context.hpp>

#include <filesystem>
#include <memory>

namespace net {

// TLS 1.2 and 1.3 with forward secrecy, ALPN http/1.1. Throws std::runtime_error naming the file that is bad.
std::shared_ptr<boost::asio::ssl::context> tls_context(
    const std::filesystem::path& certificate, const std::filesystem::path& key
);

}  // namespace net
