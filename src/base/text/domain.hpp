// SPDX-License-Identifier: AGPL-3.0-or-later
// Names of other servers, brought into one spelling before they are stored or compared.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base::text {

// Lower case and ASCII (IDNA), without blanks around it, an @ before it or a dot after it: " @Müller.Example. "
// is xn--mller-kva.example. Nothing when it is no domain name, as with a port, a path or a single label.
std::optional<std::string> normalized_domain(std::string_view);

}  // namespace base::text
