// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's rules about other servers. Every change is logged; its effects on accounts follow in the
// background.
#pragma once
#include "social/instance/domain_allow.hpp"
#include "social/instance/domain_block.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

using instance::DomainAllowId, instance::DomainBlockId;

// Throws Invalid, also when a rule about it or a parent domain is as strict already.
DomainBlockId add_domain_block(db::Write&, const accounts::Actor&, const instance::ServerRule&);
// Changes of a rule; its domain cannot be changed.
struct DomainBlockEdit {
    std::optional<instance::Severity> severity;
    std::optional<bool> reject_media, reject_reports, obfuscate;
    std::optional<std::string> private_comment, public_comment;
};
void edit_domain_block(db::Write&, const accounts::Actor&, DomainBlockId, const DomainBlockEdit&);
void remove_domain_block(db::Write&, const accounts::Actor&, DomainBlockId);  // throws NotFound
// Replaces any existing rule about the domain.
std::string put_domain_block(db::Write&, const accounts::Actor&, const instance::ServerRule&);
bool remove_domain_block(
    db::Write&, const accounts::Actor&, std::string_view domain
);  // false: there was none

// Sends follow requests again for the follows that its suspension ended. Throws Invalid while it is
// suspended.
void restore_follows(db::Write&, const accounts::Actor&, const std::string& domain);

DomainAllowId allow_domain(db::Write&, const accounts::Actor&, const std::string& domain);
void disallow_domain(db::Write&, const accounts::Actor&, DomainAllowId);  // throws NotFound

}  // namespace moderation
