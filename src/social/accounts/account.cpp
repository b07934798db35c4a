// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/account.hpp"

#include "base/text/utf8.hpp"
#include "base/uris.hpp"
#include "social/accounts/administering.hpp"
#include "social/accounts/search.hpp"

#include <algorithm>

namespace accounts {

using base::text::ascii_lowered;

#define ACCOUNT_COLUMNS                                                                                    \
    "a.id, a.version, a.relations_version, a.username, a.domain, a.actor_type, a.locked, a.discoverable, " \
    "a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured, "               \
    "a.followers_count, a.following_count, a.statuses_count, a.last_status_at, a.suspended_at, "           \
    "a.silenced_at, a.sensitized_at, a.memorial, a.moved_to_id, a.created_at, a.display_name, a.note, "    \
    "a.note_html, a.fields, a.avatar, a.avatar_static, a.avatar_description, a.header, a.header_static, "  \
    "a.header_description, a.attribution_domains, a.uri, a.url, a.feature_policy"

// An account whose user has yet to confirm the address or to be approved does not exist for the API.
#define ACCOUNT_EXISTS                                             \
    "NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id " \
    "AND (u.confirmed_at IS NULL OR u.approved = FALSE))"

const db::Query<Account> account_by_id{
    "account_by_id", "SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE a.id = $1 AND " ACCOUNT_EXISTS
};

const db::Query<std::string> domain_of_account{
    "domain_of_account", "SELECT domain FROM accounts WHERE id = $1"
};
const db::Query<DomainOf> domains_of_these{
    "domains_of_these", "SELECT id, domain FROM accounts WHERE id IN LIST($1)"
};

std::optional<Account> find_account(db::Read& db, AccountId id) { return db.maybe(account_by_id, id); }

Account account(db::Read& db, AccountId id) { return db.one(account_by_id, id); }

void expect_account(db::Read& db, AccountId id) { db.expect(account_by_id, id); }

const db::Query<Account> accounts_by_id{
    "accounts_by_id",
    "SELECT " ACCOUNT_COLUMNS
    " FROM accounts a WHERE a.id IN (SELECT value FROM json_each($1)) AND " ACCOUNT_EXISTS,
    "SELECT " ACCOUNT_COLUMNS
    " FROM accounts a WHERE a.id = ANY((SELECT $1::bigint[])::bigint[]) AND " ACCOUNT_EXISTS
};

void expect_accounts(db::Read& db, const std::vector<AccountId>& ids) { db.expect(accounts_by_id, ids); }

std::vector<Account> accounts(db::Read& db, const std::vector<AccountId>& ids) {
    if (ids.empty()) return {};
    return db.all(accounts_by_id, ids);
}

const db::Query<Account> accounts_of_any_state{
    "accounts_of_any_state", "SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE a.id IN LIST($1)"
};

std::vector<Account> accounts_for_staff(db::Read& db, const std::vector<AccountId>& ids) {
    if (ids.empty()) return {};
    return db.all(accounts_of_any_state, ids);
}

namespace {

struct HandleParts {
    AccountId id;
    std::string username, domain;
};
DESCRIBE(HandleParts, id, username, domain)

}  // namespace

const db::Query<HandleParts> names_of_any_state{
    "names_of_any_state", "SELECT id, username, domain FROM accounts WHERE id IN LIST($1)"
};

std::map<AccountId, std::string> handles_for_staff(db::Read& db, const std::vector<AccountId>& ids) {
    std::map<AccountId, std::string> out;
    if (ids.empty()) return out;
    db.each(
        names_of_any_state,
        [&](const HandleParts& one) { out.emplace(one.id, acct(one.username, one.domain)); },
        ids
    );
    return out;
}

const db::Query<Account> account_by_handle{
    "account_by_handle",
    "SELECT " ACCOUNT_COLUMNS
    " FROM accounts a WHERE lower(a.username) = $1 AND a.domain = $2 AND " ACCOUNT_EXISTS
};

std::optional<Account> find_by_acct(db::Read& db, std::string_view acct) {
    if (acct.starts_with('@')) acct.remove_prefix(1);
    auto at = acct.find('@');
    auto domain = at == std::string_view::npos ? std::string() : ascii_lowered(acct.substr(at + 1));
    if (domain == db.site().domain) domain.clear();
    return db.maybe(account_by_handle, ascii_lowered(acct.substr(0, at)), domain);
}

const db::Query<Account> local_account_by_name{
    "local_account_by_name",
    "SELECT " ACCOUNT_COLUMNS " FROM accounts a WHERE lower(a.username) = $1 AND a.domain = ''"
};

std::optional<Account> find_local(db::Read& db, std::string_view username) {
    return db.maybe(local_account_by_name, ascii_lowered(username));
}

namespace {

// Names that would pass for the site itself or its staff.
constexpr std::string_view reserved[] = {
    "abuse",    "account",  "accounts", "admin",     "administration", "administrator", "admins", "help",
    "helpdesk", "instance", "mod",      "moderator", "moderators",     "mods",          "owner",  "root",
    "security", "server",   "staff",    "support",   "webmaster",      "actor",
};

bool well_formed(std::string_view username) {
    return std::ranges::all_of(username, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

}  // namespace

std::vector<base::FieldError> username_errors(db::Read& db, std::string_view username) {
    std::vector<base::FieldError> errors;
    auto refuse = [&](const char* code, const char* text) { errors.push_back({"username", code, text}); };
    if (username.empty()) refuse("ERR_BLANK", "can't be blank");
    else if (!well_formed(username))
        refuse("ERR_INVALID", "must contain only letters, numbers and underscores");
    else if (username.size() > 30) refuse("ERR_TOO_LONG", "is too long (maximum is 30 characters)");
    else if (find_local(db, username)) refuse("ERR_TAKEN", "has already been taken");
    return errors;
}

bool reserved_username(std::string_view username) {
    return std::ranges::find(reserved, ascii_lowered(username)) != std::end(reserved);
}

const db::Command insert_account{
    "insert_account", "INSERT INTO accounts (id, username, created_at) VALUES ($1, $2, $3)"
};

AccountId create(db::Write& db, std::string_view username) {
    if (auto errors = username_errors(db, username); !errors.empty()) throw base::Invalid(std::move(errors));
    auto id = db.new_id<AccountId>();
    db.run(insert_account, id, username, db.now());
    index_names(db, id);
    return id;
}

const db::Command touch_account{"touch_account", "UPDATE accounts SET version = version + 1 WHERE id = $1"};

void touch(db::Write& db, AccountId id) { db.run(touch_account, id); }

const db::Command move_account{
    "move_account", "UPDATE accounts SET moved_to_id = $2, version = version + 1 WHERE id = $1"
};

void move_to(db::Write& db, AccountId id, AccountId target) {
    std::optional<AccountId> given;
    if (target) given = target;
    db.run(move_account, id, given);
}

const db::Command touch_account_relations{
    "touch_account_relations", "UPDATE accounts SET relations_version = relations_version + 1 WHERE id = $1"
};

void touch_relations(db::Write& db, AccountId id) { db.run_last(touch_account_relations, id); }

const db::Command count_account_status{
    "count_account_status",
    R"(UPDATE accounts SET version = version + 1,
           statuses_count = CASE WHEN statuses_count + $2 < 0 THEN 0 ELSE statuses_count + $2 END,
           last_status_at = CASE WHEN $3 IS NULL THEN last_status_at ELSE $3 END
       WHERE id = $1)",
    R"(UPDATE accounts SET version = version + 1,
           statuses_count = GREATEST(0, statuses_count + $2::bigint),
           last_status_at = COALESCE($3::bigint, last_status_at)
       WHERE id = $1)"
};

void count_status(db::Write& db, AccountId id, int by, std::optional<Time> at) {
    db.run_last(count_account_status, id, by, at);
}

const db::Command count_following{
    "count_following",
    "UPDATE accounts SET version = version + 1, following_count = following_count + $2 WHERE id = $1"
};
const db::Command count_followers{
    "count_followers",
    "UPDATE accounts SET version = version + 1, followers_count = followers_count + $2 WHERE id = $1"
};

void count_follow(db::Write& db, AccountId follower, AccountId target, int by) {
    db.run_last(count_following, follower, by);
    db.run_last(count_followers, target, by);
}

std::string url_of(const base::Site& site, const Account& account) {
    return account.local() ? base::uris::profile_page(site, account.username) : account.url;
}

std::string uri_of(const base::Site& site, AccountId id, const std::string& stored) {
    return stored.empty() ? base::uris::actor(site, id) : stored;
}

std::string uri_of(const base::Site& site, const Account& account) {
    return uri_of(site, account.id, account.uri);
}

}  // namespace accounts
