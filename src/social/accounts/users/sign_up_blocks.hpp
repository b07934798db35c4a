// SPDX-License-Identifier: AGPL-3.0-or-later
// Blocks of sign-ups, or requirements of approval: by mail provider, by network, by name.
#pragma once
#include "base/page.hpp"
#include "social/accounts/users/user.hpp"

namespace accounts {

// ---- mail providers, with all domains below theirs ----

using EmailDomainBlockId = base::Id<struct EmailDomainBlockTag>;

struct EmailDomainBlock {
    EmailDomainBlockId id;
    std::string domain;
    bool allow_with_approval = false;
    Time created_at;
};
DESCRIBE(EmailDomainBlock, id, domain, allow_with_approval, created_at)
struct DayOfAttempts {
    EmailDomainBlockId block_id;
    Time day;
    std::int64_t accounts = 0, uses = 0;
};
DESCRIBE(DayOfAttempts, block_id, day, accounts, uses)

std::vector<EmailDomainBlock> email_domain_blocks(db::Read&, const base::Range&);  // newest first
EmailDomainBlock email_domain_block(db::Read&, EmailDomainBlockId);                // throws NotFound
EmailDomainBlockId block_email_domain(
    db::Write&, const std::string& domain, bool allow_with_approval
);                                                          // Invalid
void unblock_email_domain(db::Write&, EmailDomainBlockId);  // throws NotFound
// The closest block for this address or one of the hosts that receive its mail; the strictest of several.
std::optional<EmailDomainBlock> block_of_email(
    db::Read&, std::string_view email, const std::vector<std::string>& hosts
);
// Records an attempt to sign up with such an address.
void note_attempt(db::Write&, EmailDomainBlockId, std::string_view address);
std::vector<DayOfAttempts> attempts(db::Read&, const std::vector<EmailDomainBlockId>&, Time since);
void purge_attempts(db::Write&);  // periodic

// ---- networks ----

using IpBlockId = base::Id<struct IpBlockTag>;
BOOST_DEFINE_ENUM_CLASS(IpSeverity, sign_up_requires_approval, sign_up_block, no_access)

// Both the row and the entity.
struct IpBlock {
    static constexpr std::string_view entity = "Admin::IpBlock";
    IpBlockId id;
    std::string ip;
    IpSeverity severity = IpSeverity::no_access;
    std::string comment;
    Time created_at;
    std::optional<Time> expires_at;
};
DESCRIBE(IpBlock, id, ip, severity, comment, created_at, expires_at)
struct IpBlockForm {
    std::optional<std::string> ip, comment;
    std::optional<IpSeverity> severity;
    std::optional<std::optional<std::int64_t>> expires_in;  // seconds; empty inner value: never
};

std::vector<IpBlock> ip_blocks(db::Read&, const base::Range&);  // newest first
IpBlock ip_block(db::Read&, IpBlockId);                         // throws NotFound
// `own`: the caller's address, which they may not block. Both throw Invalid and NotFound.
IpBlockId block_ip(db::Write&, const IpBlockForm&, std::string_view own);
void change_ip_block(db::Write&, IpBlockId, const IpBlockForm&, std::string_view own);
void unblock_ip(db::Write&, IpBlockId);
void purge_ip_blocks(db::Write&);  // periodic: deletes expired ones

// The strictest block for this address that has not expired.
std::optional<IpSeverity> severity_for(db::Read&, std::string_view address);
bool has_no_access(db::Read&, std::string_view address);  // called for every request

// ---- names ----

using UsernameBlockId = base::Id<struct UsernameBlockTag>;

struct UsernameBlock {
    UsernameBlockId id;
    std::string username;
    bool exact = true, allow_with_approval = false;
    Time created_at;
};
DESCRIBE(UsernameBlock, id, username, exact, allow_with_approval, created_at)

std::vector<UsernameBlock> username_blocks(db::Read&);  // by name
UsernameBlock username_block(db::Read&, UsernameBlockId);
UsernameBlockId block_username(db::Write&, const std::string& name, bool exact, bool allow_with_approval);
void unblock_username(db::Write&, UsernameBlockId);
std::optional<UsernameBlock> block_of_username(db::Read&, std::string_view name);  // the strictest

}  // namespace accounts
