// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's blocks of sign-ups. Every change is logged. All need manage_blocks, and throw Forbidden, NotFound
// and Invalid.
#pragma once
#include "social/accounts/users/canonical_block.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

using accounts::CanonicalBlockId, accounts::EmailDomainBlockId, accounts::IpBlockId,
    accounts::UsernameBlockId;

EmailDomainBlockId block_email_domain(
    db::Write&, const accounts::Actor&, const std::string& domain, bool allow_with_approval
);
void unblock_email_domain(db::Write&, const accounts::Actor&, EmailDomainBlockId);

// One of the two is needed.
CanonicalBlockId block_email(
    db::Write&, const accounts::Actor&, const std::string& email, const std::string& canonical_hash
);
void unblock_email(db::Write&, const accounts::Actor&, CanonicalBlockId);

// `own`: the caller's address.
IpBlockId block_ip(db::Write&, const accounts::Actor&, const accounts::IpBlockForm&, std::string_view own);
void change_ip_block(
    db::Write&, const accounts::Actor&, IpBlockId, const accounts::IpBlockForm&, std::string_view own
);
void unblock_ip(db::Write&, const accounts::Actor&, IpBlockId);

UsernameBlockId block_username(
    db::Write&, const accounts::Actor&, const std::string& name, bool exact, bool allow_with_approval
);
void unblock_username(db::Write&, const accounts::Actor&, UsernameBlockId);

}  // namespace moderation
