// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity CredentialAccount: one's own account with what only its owner sees.
#pragma once
#include "base/schema.hpp"
#include "db/session.hpp"

namespace accounts {

// `version` is the account's as the caller's own query saw it.
base::json::Raw credential_account(db::Read&, base::AccountId, std::int64_t version);

void describe_credential_account(base::json::Components&);  // for OpenAPI

}  // namespace accounts
