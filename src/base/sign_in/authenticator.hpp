// SPDX-License-Identifier: AGPL-3.0-or-later
// One-time passwords that are valid for half a minute (TOTP, RFC 6238), with the parameters of common
// authenticator apps: HMAC-SHA-1, 30 seconds, six digits. Also how an app receives its key: a URL, shown as a
// QR code.
#pragma once
#include "base/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace base {

std::string new_totp_key();  // 20 random bytes

// The number of 30-second steps since 1970.
constexpr std::int64_t totp_step(Time time) { return time.ms / 30'000; }
std::string totp(std::string_view key, std::int64_t step, int digits = 6);
// The step that the code belongs to: the current one or a neighbour, because clocks differ, and later than
// `after`, so that no code works twice. nullopt: the code is wrong.
std::optional<std::int64_t> step_of_totp(
    std::string_view key, std::string_view code, Time now, std::int64_t after
);

std::string base32(std::string_view bytes);  // without padding

// The URL that an app reads from the QR code.
std::string totp_address(std::string_view issuer, std::string_view account, std::string_view key);
// An SVG, black on white, with a margin of four modules. Throws std::runtime_error when the text is too long
// for a QR code.
std::string qr_svg(std::string_view text);

}  // namespace base
