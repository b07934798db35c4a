// SPDX-License-Identifier: AGPL-3.0-or-later
// Parsing a key costs more than using it, and most that comes is signed with one of a few.
#pragma once
#include "ap/signatures/key.hpp"

namespace federation {

// As `public_key` stores it: a PEM, or the publicKeyMultibase of a Multikey. Null for what is no key.
std::shared_ptr<const ap::PublicKey> parsed_key(std::string_view stored);

}  // namespace federation
