// SPDX-License-Identifier: AGPL-3.0-or-later
// Accounts: who is known here, local or remote. Not logins: those are users (user.hpp).
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
    std::int64_t feature_policy = 0;  // of another server, as featuring.hpp has it

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

// Accounts that exist for the API: those of unconfirmed or unapproved users do not (behaviours 11.1).
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

// "alice", "alice@our.domain" or "bob@remote"; case does not matter; only what is known here.
std::optional<Account> find_by_acct(db::Read&, std::string_view acct);
// Also those that do not exist for the API yet: for sign-in and the command line.
std::optional<Account> find_local(db::Read&, std::string_view username);

// A new local account, not yet anybody's login. Throws Invalid (ERR_BLANK, ERR_INVALID, ERR_TOO_LONG, ERR_TAKEN).
AccountId create(db::Write&, std::string_view username);
std::vector<base::FieldError> username_errors(db::Read&, std::string_view username);
// Would pass for the site or its staff: refused at sign-up, allowed to the command line.
bool reserved_username(std::string_view username);

// The Account entity shows something else from now on.
void touch(db::Write&, AccountId);
// Whom the account follows, blocks or mutes – or who blocks it – has changed.
void touch_relations(db::Write&, AccountId);

// They go on as somebody else; {}: no more.
void move_to(db::Write&, AccountId, AccountId target);

// Counters move by one; last_status_at by the time given.
void count_status(db::Write&, AccountId, int by, std::optional<Time> at);
void count_follow(db::Write&, AccountId follower, AccountId target, int by);

std::string url_of(const base::Site&, const Account&);
// The id of the actor. One of another server has it stored, one of ours has none (base/uris.hpp).
std::string uri_of(const base::Site&, const Account&);
std::string uri_of(const base::Site&, AccountId, const std::string& stored);

// Other accounts of a person who has one here: those that they name may move here.
constexpr std::size_t most_aliases = 50;

std::vector<std::string> aliases(db::Read&, AccountId);  // their ids, oldest first
// Throws Invalid: too many, or no address.
void add_alias(db::Write&, AccountId, std::string_view uri);
bool remove_alias(db::Write&, AccountId, std::string_view uri);

// Accounts of this site that are deleted for good.

// What the account was is forgotten, its login ends, and jobs take away what it did and said (AccountGone). The name
// stays taken, so that nobody inherits anything. Throws NotFound: no account of this site, or deleted before.
void delete_local(db::Write&, AccountId);
bool is_gone(db::Read&, AccountId);

// Those that were suspended a month ago, some at a time: periodic.
void delete_long_suspended(db::Write&);

}  // namespace accounts
