// SPDX-License-Identifier: AGPL-3.0-or-later
// What names, addresses and figures of another server have to look like to be taken.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takeover {

// Of http or https, and short enough.
bool is_address(std::string_view uri);
bool is_domain(std::string_view domain);  // in lower case
bool is_name(std::string_view name);      // of an account
bool is_shortcode(std::string_view name);

std::optional<double> within(std::optional<double>, double low, double high);
std::int64_t as_size(std::optional<std::int64_t> pixels);  // 0: not known
// Rounded, as a fraction: "30/1".
std::optional<std::string> as_frame_rate(std::optional<double>);

}  // namespace takeover
