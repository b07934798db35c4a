// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base::text {

// A host name, or the beginning of one, as it is stored: lower case, other scripts in their ASCII form. nullopt for
// what no host name begins with.
std::optional<std::string> host_as_ascii(std::string_view);

// Names of other servers, brought into one spelling before they are stored or compared.

// Lower case and ASCII (IDNA), without blanks around it, an @ before it or a dot after it: " @Müller.Example. "
// is xn--mller-kva.example. Nothing when it is no domain name, as with a port, a path or a single label.
std::optional<std::string> normalized_domain(std::string_view);

}  // namespace base::text
