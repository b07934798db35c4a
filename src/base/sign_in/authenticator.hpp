// SPDX-License-Identifier: AGPL-3.0-or-later
// Passwords that are good for half a minute (TOTP, RFC 6238), as every authenticator app makes them: HMAC-SHA-1, 30
// seconds, six digits. And how an app is given its key: an address, drawn as a QR code.
#pragma once
#include "base/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace base {

std::string new_totp_key();  // 20 random bytes

// Which half minute since 1970 this is.
constexpr std::int64_t totp_step(Time time) { return time.ms / 30'000; }
std::string totp(std::string_view key, std::int64_t step, int digits = 6);
// The step that the code belongs to: the present one or a neighbour of it, as clocks differ, and later than `after`, so
// that no code is good twice. Nothing: it is wrong.
std::optional<std::int64_t> step_of_totp(
    std::string_view key, std::string_view code, Time now, std::int64_t after
);

std::string base32(std::string_view bytes);  // without padding

// What an app reads out of the picture.
std::string totp_address(std::string_view issuer, std::string_view account, std::string_view key);
// <svg>, black on white, four modules of margin. Throws std::runtime_error when the text is too long for a QR code.
std::string qr_svg(std::string_view text);

}  // namespace base
