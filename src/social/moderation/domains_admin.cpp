// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/domains_admin.hpp"

#include "social/relationships/severed_follow.hpp"

namespace moderation {

namespace {

using accounts::Actor, instance::AdminDomainBlock, instance::ServerRule, instance::Severity;
namespace permission = accounts::permission;

Subject subject(const AdminDomainBlock& block) { return {"DomainBlock", block.id.value, block.domain}; }

// Whether the new rule adds nothing to one about a domain above.
bool adds_nothing(const ServerRule& rule, const AdminDomainBlock& above) {
    if (rule.severity == Severity::suspend) return false;
    if (above.severity == Severity::suspend) return true;
    if (above.severity == Severity::silence && rule.severity == Severity::noop) return true;
    return (above.reject_media && !rule.reject_media) || (above.reject_reports && !rule.reject_reports);
}

void refuse_conflict(db::Read& db, const ServerRule& rule, const std::string& domain) {
    auto known = instance::nearest_domain_block(db, domain);
    if (!known || (known->domain != domain && !adds_nothing(rule, *known))) return;
    base::Invalid refused("You have already imposed stricter limits on " + domain + ".");
    refused.more = ",\"existing_domain_block\":" + base::json::to_string(*known);
    throw refused;
}

}  // namespace

std::string put_domain_block(db::Write& db, const Actor& who, const ServerRule& rule) {
    accounts::require(who, permission::manage_federation);
    auto domain = instance::checked_domain(rule.domain);
    bool known = instance::domain_block_of(db, domain).has_value();
    instance::put_domain_block(db, rule);
    log(db, who, known ? "update" : "create", subject(*instance::domain_block_of(db, domain)));
    return domain;
}

DomainBlockId add_domain_block(db::Write& db, const Actor& who, const ServerRule& rule) {
    auto domain = instance::checked_domain(rule.domain);
    refuse_conflict(db, rule, domain);
    put_domain_block(db, who, rule);
    return instance::domain_block_of(db, domain)->id;
}

void edit_domain_block(db::Write& db, const Actor& who, DomainBlockId id, const DomainBlockEdit& given) {
    auto rule = instance::domain_block(db, id).rule();
    rule.severity = given.severity.value_or(rule.severity);
    rule.reject_media = given.reject_media.value_or(rule.reject_media);
    rule.reject_reports = given.reject_reports.value_or(rule.reject_reports);
    rule.obfuscate = given.obfuscate.value_or(rule.obfuscate);
    if (given.private_comment) rule.private_comment = given.private_comment;
    if (given.public_comment) rule.public_comment = given.public_comment;
    put_domain_block(db, who, rule);
}

void remove_domain_block(db::Write& db, const Actor& who, DomainBlockId id) {
    remove_domain_block(db, who, instance::domain_block(db, id).domain);
}

bool remove_domain_block(db::Write& db, const Actor& who, std::string_view given) {
    accounts::require(who, permission::manage_federation);
    auto gone = instance::domain_block_of(db, instance::checked_domain(given));
    if (!gone) return false;
    instance::remove_domain_block(db, gone->domain);
    log(db, who, "destroy", subject(*gone));
    return true;
}

void restore_follows(db::Write& db, const Actor& who, const std::string& given) {
    accounts::require(who, permission::manage_federation);
    auto domain = instance::checked_domain(given);
    relationships::restore_server(db, domain);
    log(db, who, "restore", {"Instance", 0, domain});
}

DomainAllowId allow_domain(db::Write& db, const Actor& who, const std::string& given) {
    accounts::require(who, permission::manage_federation);
    auto domain = instance::checked_domain(given);
    bool known = instance::domain_allow_of(db, domain).has_value();
    auto id = instance::allow_domain(db, domain);
    if (!known) log(db, who, "create", {"DomainAllow", id.value, domain});
    return id;
}

void disallow_domain(db::Write& db, const Actor& who, DomainAllowId id) {
    accounts::require(who, permission::manage_federation);
    auto gone = instance::domain_allow(db, id);
    instance::disallow_domain(db, id);
    log(db, who, "destroy", {"DomainAllow", id.value, gone.domain});
}

}  // namespace moderation
