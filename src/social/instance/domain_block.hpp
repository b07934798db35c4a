// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that moderators limited, as far as the public may know.
#pragma once
#include "base/json.hpp"
#include "base/page.hpp"
#include "db/session.hpp"

#include <set>

namespace instance {

using DomainBlockId = base::Id<struct DomainBlockTag>;

BOOST_DEFINE_ENUM_CLASS(Severity, silence, suspend, noop)

// What the API tells.
struct DomainBlock {
    std::string domain, digest;
    Severity severity = Severity::silence;
    std::optional<std::string> comment;
};
DESCRIBE(DomainBlock, domain, digest, severity, comment)

// Who may see the list, and the reasons in it: setting show_domain_blocks and show_domain_blocks_rationale.
bool shows_domain_blocks(db::Read&, bool to_user);
bool shown_to_users_only(db::Read&);
// Silenced first, then suspended, each by domain; without those that only note something.
std::vector<DomainBlock> domain_blocks(db::Read&, bool to_user);

std::set<std::string> blocked_domains(db::Read&);

// What moderators decide about a server and all below it.
struct ServerRule {
    std::string domain;  // in any spelling
    Severity severity = Severity::silence;
    bool obfuscate = false;
    std::optional<std::string> public_comment, private_comment;
    bool reject_media = false, reject_reports = false;
};

// As moderators see them: what is written down.
struct AdminDomainBlock {
    static constexpr std::string_view entity = "Admin::DomainBlock";
    DomainBlockId id;
    std::string domain, digest;
    base::Time created_at;
    Severity severity = Severity::silence;
    bool reject_media = false, reject_reports = false;
    std::optional<std::string> private_comment, public_comment;
    bool obfuscate = false;

    ServerRule rule() const {
        return {domain, severity, obfuscate, public_comment, private_comment, reject_media, reject_reports};
    }
};
DESCRIBE(
    AdminDomainBlock, id, domain, digest, created_at, severity, reject_media, reject_reports, private_comment,
    public_comment, obfuscate
)

// A rule about this domain began, changed or ended. What it means for who is there is up to the reactions.
struct ServerLimited {
    std::string domain;
};
DESCRIBE(ServerLimited, domain)

// An existing rule about that domain is replaced. Throws Invalid: no domain, or our own.
std::string put_domain_block(db::Write&, const ServerRule&);    // the domain in its one spelling
bool remove_domain_block(db::Write&, std::string_view domain);  // false: there was none
std::vector<AdminDomainBlock> all_domain_blocks(db::Read&);     // by domain
std::vector<AdminDomainBlock> domain_block_page(db::Read&, const base::Range&);  // newest first
AdminDomainBlock domain_block(db::Read&, DomainBlockId);                         // throws NotFound
std::optional<AdminDomainBlock> domain_block_of(db::Read&, std::string_view domain);
// The one that decides about this domain, its own or one above.
std::optional<AdminDomainBlock> nearest_domain_block(db::Read&, std::string_view domain);

// The domain without its port, then every one above it: a.b.c, b.c, c.
std::vector<std::string> domains_upwards(std::string_view domain);

// Whether a rule about `domain` holds for an account's server, which may have a port.
bool is_within(std::string_view host, std::string_view domain);

// What moderators refuse another server. A rule about a domain holds for all domains below it, but for those that have one
// of their own: the longest decides alone. Where only allowed servers are talked to, all others are as good as suspended.
struct DomainLimit {
    bool silenced = false, suspended = false;  // a suspended one is neither heard nor asked
    bool reject_media = false, reject_reports = false;
};

// `domain` as accounts store it: lower case, ASCII, perhaps with a port.
DomainLimit limit_on(db::Read&, std::string_view domain);
void expect_limit(db::Read&, std::string_view domain);  // db::Read::expect
db::Remembering ask_for_limits(db::Read&, const std::vector<std::string>& domains);

}  // namespace instance
