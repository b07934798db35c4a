// SPDX-License-Identifier: AGPL-3.0-or-later
// Rules about other servers as staff makes them. Every change is written down; what it means for who is there goes on in
// the background.
#pragma once
#include "social/instance/domain_allow.hpp"
#include "social/instance/domain_block.hpp"
#include "social/moderation/audit.hpp"

namespace moderation {

using instance::DomainAllowId, instance::DomainBlockId;

// Throws Invalid: also where a rule about it or a domain above it is as strict already.
DomainBlockId add_domain_block(db::Write&, const accounts::Actor&, const instance::ServerRule&);
// What of a rule is changed; its domain stays.
struct DomainBlockEdit {
    std::optional<instance::Severity> severity;
    std::optional<bool> reject_media, reject_reports, obfuscate;
    std::optional<std::string> private_comment, public_comment;
};
void edit_domain_block(db::Write&, const accounts::Actor&, DomainBlockId, const DomainBlockEdit&);
void remove_domain_block(db::Write&, const accounts::Actor&, DomainBlockId);  // throws NotFound
// Whatever there is about the domain is replaced.
std::string put_domain_block(db::Write&, const accounts::Actor&, const instance::ServerRule&);
bool remove_domain_block(
    db::Write&, const accounts::Actor&, std::string_view domain
);  // false: there was none

// Whom people here followed there before it was suspended is asked again. Throws Invalid while it is suspended still.
void restore_follows(db::Write&, const accounts::Actor&, const std::string& domain);

DomainAllowId allow_domain(db::Write&, const accounts::Actor&, const std::string& domain);
void disallow_domain(db::Write&, const accounts::Actor&, DomainAllowId);  // throws NotFound

}  // namespace moderation
