// SPDX-License-Identifier: AGPL-3.0-or-later
// E-mail addresses with which nobody may sign up, in any spelling: dots and the part after a plus are
// ignored. Only a hash is stored. A suspension adds one and its end removes it.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

using CanonicalBlockId = base::Id<struct CanonicalBlockTag>;

// Both the row and the entity.
struct CanonicalEmailBlock {
    static constexpr std::string_view entity = "Admin::CanonicalEmailBlock";
    CanonicalBlockId id;
    std::string canonical_email_hash;
};
DESCRIBE(CanonicalEmailBlock, id, canonical_email_hash)

std::string canonical_email_hash(std::string_view email);

std::vector<CanonicalEmailBlock> canonical_blocks(db::Read&, const base::Range&);  // newest first
CanonicalEmailBlock canonical_block(db::Read&, CanonicalBlockId);                  // throws NotFound
std::optional<CanonicalEmailBlock> canonical_block_of(db::Read&, std::string_view email);
// Either `email` or `hash` is required. Throws Invalid.
CanonicalBlockId block_canonical_email(db::Write&, const std::string& email, const std::string& hash);
void unblock_canonical_email(db::Write&, CanonicalBlockId);  // throws NotFound

void block_email_of(db::Write&, AccountId suspended);
void unblock_email_of(db::Write&, AccountId);

}  // namespace accounts
