// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/site/blocks_admin.hpp"

namespace moderation {

namespace {

void require(const accounts::Actor& who) { accounts::require(who, accounts::permission::manage_blocks); }

}  // namespace

EmailDomainBlockId block_email_domain(
    db::Write& db, const accounts::Actor& who, const std::string& domain, bool allow_with_approval
) {
    require(who);
    auto id = accounts::block_email_domain(db, domain, allow_with_approval);
    log(db, who, "create", {"EmailDomainBlock", id.value, accounts::email_domain_block(db, id).domain});
    return id;
}

void unblock_email_domain(db::Write& db, const accounts::Actor& who, EmailDomainBlockId id) {
    require(who);
    auto gone = accounts::email_domain_block(db, id);
    accounts::unblock_email_domain(db, id);
    log(db, who, "destroy", {"EmailDomainBlock", id.value, gone.domain});
}

CanonicalBlockId block_email(
    db::Write& db, const accounts::Actor& who, const std::string& email, const std::string& canonical_hash
) {
    require(who);
    auto id = accounts::block_canonical_email(db, email, canonical_hash);
    auto hash = accounts::canonical_block(db, id).canonical_email_hash;
    log(db, who, "create", {"CanonicalEmailBlock", id.value, hash});
    return id;
}

void unblock_email(db::Write& db, const accounts::Actor& who, CanonicalBlockId id) {
    require(who);
    auto gone = accounts::canonical_block(db, id);
    accounts::unblock_canonical_email(db, id);
    log(db, who, "destroy", {"CanonicalEmailBlock", id.value, gone.canonical_email_hash});
}

IpBlockId block_ip(
    db::Write& db, const accounts::Actor& who, const accounts::IpBlockForm& form, std::string_view own
) {
    require(who);
    auto id = accounts::block_ip(db, form, own);
    log(db, who, "create", {"IpBlock", id.value, accounts::ip_block(db, id).ip});
    return id;
}

void change_ip_block(
    db::Write& db, const accounts::Actor& who, IpBlockId id, const accounts::IpBlockForm& form,
    std::string_view own
) {
    require(who);
    accounts::change_ip_block(db, id, form, own);
    log(db, who, "update", {"IpBlock", id.value, accounts::ip_block(db, id).ip});
}

void unblock_ip(db::Write& db, const accounts::Actor& who, IpBlockId id) {
    require(who);
    auto gone = accounts::ip_block(db, id);
    accounts::unblock_ip(db, id);
    log(db, who, "destroy", {"IpBlock", id.value, gone.ip});
}

UsernameBlockId block_username(
    db::Write& db, const accounts::Actor& who, const std::string& name, bool exact, bool allow_with_approval
) {
    require(who);
    auto id = accounts::block_username(db, name, exact, allow_with_approval);
    log(db, who, "create", {"UsernameBlock", id.value, name});
    return id;
}

void unblock_username(db::Write& db, const accounts::Actor& who, UsernameBlockId id) {
    require(who);
    auto gone = accounts::username_block(db, id);
    accounts::unblock_username(db, id);
    log(db, who, "destroy", {"UsernameBlock", id.value, gone.username});
}

}  // namespace moderation
