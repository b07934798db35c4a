// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/host.hpp"
#include "social/accounts/users/sign_up_blocks.hpp"
#include "social/instance/domain_block.hpp"

#include <algorithm>

namespace accounts {

#define EMAIL_DOMAIN_BLOCKS "SELECT id, domain, allow_with_approval, created_at FROM email_domain_blocks "

const db::Query<EmailDomainBlock> email_domain_blocks_down{
    "email_domain_blocks_down", EMAIL_DOMAIN_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id DESC LIMIT $3"
};
const db::Query<EmailDomainBlock> email_domain_blocks_up{
    "email_domain_blocks_up", EMAIL_DOMAIN_BLOCKS "WHERE id < $1 AND id > $2 ORDER BY id LIMIT $3"
};
const db::Query<EmailDomainBlock> email_domain_block_by_id{
    "email_domain_block_by_id", EMAIL_DOMAIN_BLOCKS "WHERE id = $1"
};
const db::Query<EmailDomainBlock> email_domain_blocks_on{
    "email_domain_blocks_on",
    EMAIL_DOMAIN_BLOCKS "WHERE domain IN LIST($1) ORDER BY length(domain) DESC LIMIT 1"
};

std::vector<EmailDomainBlock> email_domain_blocks(db::Read& db, const base::Range& r) {
    auto found =
        db.all(r.ascending ? email_domain_blocks_up : email_domain_blocks_down, r.below, r.above, r.limit);
    if (r.ascending) std::ranges::reverse(found);
    return found;
}

EmailDomainBlock email_domain_block(db::Read& db, EmailDomainBlockId id) {
    return db.one(email_domain_block_by_id, id);
}

const db::Command insert_email_domain_block{
    "insert_email_domain_block",
    R"(INSERT INTO email_domain_blocks (id, domain, allow_with_approval, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (domain) DO NOTHING)"
};
const db::Command delete_email_domain_block{
    "delete_email_domain_block", "DELETE FROM email_domain_blocks WHERE id = $1"
};
const db::Command delete_attempts_of{
    "delete_attempts_of", "DELETE FROM email_domain_attempts WHERE block_id = $1"
};

EmailDomainBlockId block_email_domain(db::Write& db, const std::string& given, bool allow_with_approval) {
    if (given.empty()) throw base::Invalid("Validation failed: Domain can't be blank");
    auto domain = base::text::normalized_domain(given);
    if (!domain) throw base::Invalid("Validation failed: Domain is not a valid domain name");
    auto id = db.new_id<EmailDomainBlockId>();
    if (db.run(insert_email_domain_block, id, *domain, allow_with_approval, db.now()) == 0)
        throw base::Invalid("Validation failed: Domain has already been taken");
    return id;
}

void unblock_email_domain(db::Write& db, EmailDomainBlockId id) {
    if (db.run(delete_email_domain_block, id) == 0) throw base::NotFound();
    db.run(delete_attempts_of, id);
}

namespace {

std::optional<EmailDomainBlock> nearest_above(db::Read& db, std::string_view host) {
    auto domain = base::text::normalized_domain(host);
    return domain ? db.maybe(email_domain_blocks_on, instance::domains_upwards(*domain)) : std::nullopt;
}

}  // namespace

std::optional<EmailDomainBlock> block_of_email(
    db::Read& db, std::string_view email, const std::vector<std::string>& hosts
) {
    auto at = email.rfind('@');
    if (at == email.npos) return std::nullopt;
    auto found = nearest_above(db, email.substr(at + 1));
    for (const auto& host : hosts) {
        if (found && !found->allow_with_approval) break;
        if (auto other = nearest_above(db, host); other && (!found || !other->allow_with_approval))
            found = other;
    }
    return found;
}

// Attempts.

const db::Command count_attempt{
    "count_attempt",
    R"(INSERT INTO email_domain_attempts (block_id, day, address, uses) VALUES ($1, $2, $3, 1)
       ON CONFLICT (block_id, day, address) DO UPDATE SET uses = email_domain_attempts.uses + 1)"
};
const db::Query<DayOfAttempts> attempts_of{
    "attempts_of",
    R"(SELECT block_id, day, count(*) AS accounts, CAST(sum(uses) AS BIGINT) AS uses FROM email_domain_attempts
       WHERE block_id IN LIST($1) AND day >= $2 GROUP BY block_id, day)"
};
const db::Command delete_old_attempts{
    "delete_old_attempts",
    R"(DELETE FROM email_domain_attempts WHERE (block_id, day, address) IN (
           SELECT block_id, day, address FROM email_domain_attempts WHERE day < $1 ORDER BY day LIMIT 500))"
};

void note_attempt(db::Write& db, EmailDomainBlockId id, std::string_view address) {
    db.run(count_attempt, id, db.now().midnight(), address);
}

std::vector<DayOfAttempts> attempts(db::Read& db, const std::vector<EmailDomainBlockId>& ids, Time since) {
    if (ids.empty()) return {};
    return db.all(attempts_of, ids, since);
}

void purge_attempts(db::Write& db) {
    constexpr std::int64_t kept = 14 * 86'400;
    db.run(delete_old_attempts, db.now().plus_seconds(-kept));
}

}  // namespace accounts
