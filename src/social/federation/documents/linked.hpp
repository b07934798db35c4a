// SPDX-License-Identifier: AGPL-3.0-or-later
// Public activities carry an embedded signature (RsaSignature2017), so that other servers can forward them.
#pragma once
#include "db/session.hpp"

#include <string>

namespace federation {

// The document with a signature by this account's key; unchanged when there is no key yet.
std::string linked(db::Read&, base::AccountId signer, std::string document);

}  // namespace federation
