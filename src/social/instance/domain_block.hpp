// SPDX-License-Identifier: AGPL-3.0-or-later
// Servers that moderators limited: the rules, and the public list of them.
#pragma once
#include "base/json.hpp"
#include "base/page.hpp"
#include "db/session.hpp"

#include <set>

namespace instance {

using DomainBlockId = base::Id<struct DomainBlockTag>;

BOOST_DEFINE_ENUM_CLASS(Severity, silence, suspend, noop)

// As shown by the public API.
struct DomainBlock {
    std::string domain, digest;
    Severity severity = Severity::silence;
    std::optional<std::string> comment;
};
DESCRIBE(DomainBlock, domain, digest, severity, comment)

// Whether the list is shown, and to whom: settings show_domain_blocks and show_domain_blocks_rationale.
bool shows_domain_blocks(db::Read&, bool to_user);
bool shown_to_users_only(db::Read&);
// Silenced servers first, then suspended ones, each by domain; without rules that only contain a note.
std::vector<DomainBlock> domain_blocks(db::Read&, bool to_user);

std::set<std::string> blocked_domains(db::Read&);

// A decision of moderators about a server and its subdomains.
struct ServerRule {
    std::string domain;  // in any spelling
    Severity severity = Severity::silence;
    bool obfuscate = false;
    std::optional<std::string> public_comment, private_comment;
    bool reject_media = false, reject_reports = false;
};

// The stored rule, as moderators see it.
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

// A rule about this domain was created, changed or removed. Reactions apply it to the accounts there.
struct ServerLimited {
    std::string domain;
};
DESCRIBE(ServerLimited, domain)

// Replaces an existing rule about the domain. Throws Invalid: not a domain, or our own.
std::string put_domain_block(db::Write&, const ServerRule&);    // returns the normalised domain
bool remove_domain_block(db::Write&, std::string_view domain);  // false: there was none
std::vector<AdminDomainBlock> all_domain_blocks(db::Read&);     // by domain
std::vector<AdminDomainBlock> domain_block_page(db::Read&, const base::Range&);  // newest first
AdminDomainBlock domain_block(db::Read&, DomainBlockId);                         // throws NotFound
std::optional<AdminDomainBlock> domain_block_of(db::Read&, std::string_view domain);
// The rule that decides about this domain: its own, or that of the nearest parent domain.
std::optional<AdminDomainBlock> nearest_domain_block(db::Read&, std::string_view domain);

// The domain without its port, then all its parent domains: a.b.c, b.c, c.
std::vector<std::string> domains_upwards(std::string_view domain);

// Whether a rule about `domain` covers an account's server, which may have a port.
bool is_within(std::string_view host, std::string_view domain);

// What moderators refuse a server. A rule about a domain applies to all its subdomains without a rule of
// their own: only the longest match decides. Under limited federation all servers that are not allowed count
// as suspended.
struct DomainLimit {
    bool silenced = false, suspended = false;  // a suspended server is neither accepted from nor contacted
    bool reject_media = false, reject_reports = false;
};

// `domain` as accounts store it: lower case, ASCII, possibly with a port.
DomainLimit limit_on(db::Read&, std::string_view domain);
void expect_limit(db::Read&, std::string_view domain);  // db::Read::expect
db::Remembering ask_for_limits(db::Read&, const std::vector<std::string>& domains);

}  // namespace instance
