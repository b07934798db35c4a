// SPDX-License-Identifier: AGPL-3.0-or-later
// Digests of bodies in headers: Digest (RFC 3230) and Content-Digest (RFC 9530).
#pragma once
#include <string>
#include <string_view>

namespace ap {

enum class DigestVerdict { right, wrong, unreadable, unknown_algorithm };

std::string digest(std::string_view body);          // SHA-256=…
std::string content_digest(std::string_view body);  // sha-256=:…:

// Needs SHA-256; other algorithms beside it are ignored.
DigestVerdict check_digest(std::string_view header, std::string_view body);
// Needs sha-256 or sha-512; when both are there, both must be right.
DigestVerdict check_content_digest(std::string_view header, std::string_view body);

}  // namespace ap
