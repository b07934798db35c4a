// SPDX-License-Identifier: AGPL-3.0-or-later
// Bytes as Multibase text (W3C Controlled Identifiers, section 2.4): base58btc ("z…") and base64url ("u…").
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace ap {

std::string to_multibase(std::string_view bytes);  // base58btc
// Nothing when it is in neither form or longer than any key or signature has reason to be.
std::optional<std::string> from_multibase(std::string_view);

}  // namespace ap
