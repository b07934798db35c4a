// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts: everybody known here, local or remote. Logins are users (user.hpp).
#pragma once
#include "db/session.hpp"

namespace accounts {

using base::AccountId;
using base::Time;

inline std::string acct(const std::string& username, const std::string& domain) {
    return domain.empty() ? username : username + "@" + domain;
}

struct Account {
    AccountId id;
    std::int64_t version = 0;
    std::int64_t relations_version = 0;
    std::string username, domain;
    std::string actor_type;
    bool locked = false;
    std::optional<bool> discoverable;
    bool indexable = false;
    std::optional<bool> hide_collections;
    bool show_media = true, show_media_replies = true, show_featured = true;
    std::int64_t followers_count = 0, following_count = 0, statuses_count = 0;
    std::optional<Time> last_status_at, suspended_at, silenced_at, sensitized_at;
    bool memorial = false;
    AccountId moved_to_id;
    Time created_at;
    std::string display_name, note, note_html, fields;
    std::string avatar, avatar_static, avatar_description, header, header_static, header_description;
    std::string attribution_domains, uri, url;
    std::int64_t feature_policy = 0;  // of a remote account, as in featuring.hpp

    bool local() const { return domain.empty(); }
    std::string acct() const { return accounts::acct(username, domain); }
};
DESCRIBE(
    Account, id, version, relations_version, username, domain, actor_type, locked, discoverable, indexable,
    hide_collections, show_media, show_media_replies, show_featured, followers_count, following_count,
    statuses_count, last_status_at, suspended_at, silenced_at, sensitized_at, memorial, moved_to_id,
    created_at, display_name, note, note_html, fields, avatar, avatar_static, avatar_description, header,
    header_static, header_description, attribution_domains, uri, url, feature_policy
)

// A profile field as stored in Account::fields (JSON).
struct Field {
    std::string name, value, value_html;
    std::optional<Time> verified_at;
};
DESCRIBE(Field, name, value, value_html, verified_at)

// Accounts that are visible to the API: those of unconfirmed or unapproved users are not (behaviours 11.1).
std::optional<Account> find_account(db::Read&, AccountId);
extern const db::Query<std::string> domain_of_account;  // $1; empty: it is of this site
struct DomainOf {
    AccountId id;
    std::string domain;
};
DESCRIBE(DomainOf, id, domain)
extern const db::Query<DomainOf> domains_of_these;                        // the accounts $1
Account account(db::Read&, AccountId);                                    // throws NotFound
void expect_account(db::Read&, AccountId);                                // db::Read::expect
std::vector<Account> accounts(db::Read&, const std::vector<AccountId>&);  // in no order, unknown ids left out
void expect_accounts(db::Read&, const std::vector<AccountId>&);           // db::Read::expect

// "alice", "alice@our.domain" or "bob@remote", ignoring case; only accounts known here.
std::optional<Account> find_by_acct(db::Read&, std::string_view acct);
// Includes accounts not yet visible to the API: for sign-in and the command line.
std::optional<Account> find_local(db::Read&, std::string_view username);

// Creates a local account without a login. Throws Invalid (ERR_BLANK, ERR_INVALID, ERR_TOO_LONG, ERR_TAKEN).
AccountId create(db::Write&, std::string_view username);
std::vector<base::FieldError> username_errors(db::Read&, std::string_view username);
// Could be mistaken for the site or its staff: refused at sign-up, allowed on the command line.
bool reserved_username(std::string_view username);

// The Account entity has changed.
void touch(db::Write&, AccountId);
// The accounts that it follows, blocks or mutes, or that block it, have changed.
void touch_relations(db::Write&, AccountId);

// The account has moved to `target`; {}: it has not.
void move_to(db::Write&, AccountId, AccountId target);

// Changes the counters by one and sets last_status_at to the given time.
void count_status(db::Write&, AccountId, int by, std::optional<Time> at);
void count_follow(db::Write&, AccountId follower, AccountId target, int by);

std::string url_of(const base::Site&, const Account&);
// The id of the actor: stored for remote accounts, derived for local ones (base/uris.hpp).
std::string uri_of(const base::Site&, const Account&);
std::string uri_of(const base::Site&, AccountId, const std::string& stored);

// Other accounts of a local user: only an account that is named here may move to theirs.
constexpr std::size_t most_aliases = 50;

std::vector<std::string> aliases(db::Read&, AccountId);  // their ids, oldest first
// Throws Invalid: too many, or not an address.
void add_alias(db::Write&, AccountId, std::string_view uri);
bool remove_alias(db::Write&, AccountId, std::string_view uri);

// Local accounts that are permanently deleted.

// Erases the profile, removes the login, and lets jobs remove what the account did and wrote (AccountGone).
// The name stays reserved, so that nobody can impersonate the account. Throws NotFound: no local account, or
// already deleted.
void delete_local(db::Write&, AccountId);
bool is_gone(db::Read&, AccountId);

// Periodic: deletes accounts that were suspended a month ago, some at a time.
void delete_long_suspended(db::Write&);

}  // namespace accounts
