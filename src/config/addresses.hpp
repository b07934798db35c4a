// SPDX-License-Identifier: AGPL-3.0-or-later
// Parsers for the addresses in the configuration.
#pragma once
#include "config/config.hpp"
#include "net/client/valkey_broadcast.hpp"
#include "net/mail.hpp"
#include "net/server.hpp"

#include <optional>
#include <string>

namespace server {

// 127.0.0.1:3000, [::1]:3000, localhost:3000, unix:/run/dunlin/http.sock.
std::optional<net::Endpoint> parse_endpoint(std::string_view);
std::string to_string(const net::Endpoint&);

struct PublicUrl {
    bool secure = false;
    std::string authority;  // host, and the port unless it is the scheme's default
};
// Parses "https://example.org" or "http://localhost:3000", with or without a trailing slash; lower case.
std::optional<PublicUrl> parse_public_url(std::string_view);

// s3://bucket/prefix, the place of a backup; the prefix is optional.
struct BucketPlace {
    std::string bucket, prefix;  // prefix: with a trailing slash, or empty
};
bool is_bucket_place(std::string_view);
std::optional<BucketPlace> parse_bucket_place(std::string_view);

// 32 bytes from 64 hexadecimal digits.
std::optional<std::string> parse_backup_key(std::string_view);

// smtp://host:587 (STARTTLS), smtps://host:465, smtp+insecure://host:25.
std::optional<net::SmtpOptions> parse_smtp_url(std::string_view);

// redis://host, rediss://user:password@host:6380 (TLS); valkey:// and valkeys:// are the same. A database
// number may follow, but does not matter for messages.
std::optional<net::ValkeyOptions> parse_valkey_url(std::string_view);

}  // namespace server
