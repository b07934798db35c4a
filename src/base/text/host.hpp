// SPDX-License-Identifier: AGPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace base::text {

// A host name, or the beginning of one, in the stored form: lower case, IDNs in their ASCII form. nullopt if
// no host name begins like that.
std::optional<std::string> host_as_ascii(std::string_view);

// Names of other servers, normalized before they are stored or compared.

// Lower case and ASCII (IDNA), without surrounding blanks, a leading @ or a trailing dot: " @Müller.Example.
// " becomes xn--mller-kva.example. nullopt if it is not a domain name, e.g. has a port, a path or a single
// label.
std::optional<std::string> normalized_domain(std::string_view);

}  // namespace base::text
