// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/canonical_block.hpp"

#include "base/crypto.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace accounts {

std::string canonical_email_hash(std::string_view email) {
    auto plain = normal_email(email);
    auto at = plain.rfind('@');
    auto name = plain.substr(0, at);
    name.resize(std::min(name.size(), name.find('+')));
    std::erase(name, '.');
    return base::sha256_hex(at == std::string::npos ? name : name + plain.substr(at));
}

#define CANONICAL_BLOCKS "SELECT id, hash AS canonical_email_hash FROM canonical_email_blocks "

const db::Query<CanonicalEmailBlock> canonical_blocks_down{
    "canonical_blocks_down", CANONICAL_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<CanonicalEmailBlock> canonical_blocks_up{
    "canonical_blocks_up", CANONICAL_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<CanonicalEmailBlock> canonical_block_by_id{
    "canonical_block_by_id", CANONICAL_BLOCKS "WHERE id = $1"
};
const db::Query<CanonicalEmailBlock> canonical_block_by_hash{
    "canonical_block_by_hash", CANONICAL_BLOCKS "WHERE hash = $1"
};

std::vector<CanonicalEmailBlock> canonical_blocks(db::Read& db, const base::Range& range) {
    auto found = db.all(
        range.ascending ? canonical_blocks_up : canonical_blocks_down, range.below, range.above, range.limit
    );
    if (range.ascending) std::ranges::reverse(found);
    return found;
}

CanonicalEmailBlock canonical_block(db::Read& db, CanonicalBlockId id) {
    return db.one(canonical_block_by_id, id);
}

std::optional<CanonicalEmailBlock> canonical_block_of(db::Read& db, std::string_view email) {
    return db.maybe(canonical_block_by_hash, canonical_email_hash(email));
}

const db::Command insert_canonical_block{
    "insert_canonical_block",
    R"(INSERT INTO canonical_email_blocks (id, hash, account_id, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (hash) DO NOTHING)"
};
const db::Command delete_canonical_block{
    "delete_canonical_block", "DELETE FROM canonical_email_blocks WHERE id = $1"
};

CanonicalBlockId block_canonical_email(db::Write& db, const std::string& email, const std::string& hash) {
    if (email.empty() && hash.empty())
        throw base::Invalid("Validation failed: Canonical email hash can't be blank");
    auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    auto wanted = email.empty() ? base::text::ascii_lowered(hash) : canonical_email_hash(email);
    bool valid = email.empty() ? wanted.size() == 64 && std::ranges::all_of(wanted, is_hex)
                               : email.find('@') != std::string::npos;
    if (!valid) throw base::Invalid("Validation failed: Canonical email hash is invalid");
    auto id = db.new_id<CanonicalBlockId>();
    if (db.run(insert_canonical_block, id, wanted, std::nullopt, db.now()) == 0)
        throw base::Invalid("Validation failed: Canonical email hash has already been taken");
    return id;
}

void unblock_canonical_email(db::Write& db, CanonicalBlockId id) {
    if (db.run(delete_canonical_block, id) == 0) throw base::NotFound();
}

const db::Command delete_canonical_block_of{
    "delete_canonical_block_of",
    "DELETE FROM canonical_email_blocks WHERE account_id = $1 AND account_id IS NOT NULL"
};

void block_email_of(db::Write& db, AccountId suspended) {
    auto user = find_user_of(db, suspended);
    if (!user) return;
    db.run(
        insert_canonical_block,
        db.new_id<CanonicalBlockId>(),
        canonical_email_hash(user->email),
        suspended,
        db.now()
    );
}

void unblock_email_of(db::Write& db, AccountId account) { db.run(delete_canonical_block_of, account); }

}  // namespace accounts
