// SPDX-License-Identifier: AGPL-3.0-or-later
// What everybody may read carries a signature of its own, so that others can pass it on (RsaSignature2017).
#pragma once
#include "db/session.hpp"

#include <string>

namespace federation {

// The document with a signature by this account's key; as it was when there is no key yet.
std::string linked(db::Read&, base::AccountId signer, std::string document);

}  // namespace federation
