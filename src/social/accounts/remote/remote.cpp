// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/remote/remote.hpp"

#include "base/text/blank.hpp"
#include "base/text/html/html.hpp"
#include "base/text/utf8.hpp"
#include "base/uris.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/remote/server_limits.hpp"
#include "social/accounts/search.hpp"
#include "social/former/former.hpp"
#include "social/instance/domain_block.hpp"
#include "social/instance/remote_file.hpp"
#include "social/media/withholding.hpp"

#include <algorithm>

namespace accounts {

using base::text::ascii_lowered;

namespace {

// [A-Za-z0-9_]+([.-]+[A-Za-z0-9_]+)*
bool possible_name(std::string_view name) {
    auto inner = [](char c) { return c == '.' || c == '-'; };
    auto outer = [](char c) { return base::text::is_ascii_alnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (name.empty() || name.size() > longest_remote_name || inner(name.front()) || inner(name.back()))
        return false;
    return std::ranges::all_of(name, [&](char c) { return inner(c) || outer(c); });
}

// At most `most` bytes, without splitting a character.
std::string cut(std::string_view text, std::size_t most) {
    auto clean = base::text::clean_utf8(text.substr(0, most + 4));
    if (clean.size() <= most) return clean;
    while (most > 0 && (clean[most] & 0xC0) == 0x80) --most;
    clean.resize(most);
    return clean;
}

std::string one_line(std::string_view text, std::size_t most) {
    auto out = cut(text, most);
    std::ranges::replace(out, '\n', ' ');
    return base::text::is_blank(out) ? std::string() : out;
}

std::string address(std::string_view url) {
    return instance::is_elsewhere(url) && url.size() <= longest_uri ? std::string(url) : std::string();
}

// A verified link stays verified while its value is unchanged.
std::string fields_json(const RemoteAccount& remote, const Account& before) {
    auto known = fields_of(before);
    std::vector<Field> out;
    for (const auto& given : remote.fields) {
        if (out.size() == most_remote_fields) break;
        Field field;
        field.name = one_line(given.name, longest_remote_field);
        field.value_html = base::text::sanitize(cut(given.value, longest_remote_field));
        auto same = std::ranges::find(known, field.value_html, &Field::value_html);
        if (same != known.end()) field.verified_at = same->verified_at;
        out.push_back(std::move(field));
    }
    return base::json::to_string(out);
}

std::string domains_json(const RemoteAccount& remote) {
    std::vector<std::string> out;
    for (const auto& domain : remote.attribution_domains)
        if (out.size() < most_attribution_domains && domain.size() <= 253)
            out.push_back(ascii_lowered(domain));
    return base::json::to_string(out);
}

std::string type_of(const RemoteAccount& remote) {
    for (auto known : {"Application", "Group", "Organization", "Person", "Service"})
        if (remote.actor_type == known) return known;
    return "Person";
}

}  // namespace

namespace {

struct Known {
    AccountId id;
    std::string username, domain, suspended_by;
    bool suspended = false;
};
DESCRIBE(Known, id, username, domain, suspended_by, suspended)

}  // namespace

const db::Query<Known> account_by_uri{
    "account_by_uri",
    R"(SELECT id, username, domain, suspended_by, suspended_at IS NOT NULL AS suspended FROM accounts
       WHERE uri = $1 AND uri <> '')"
};
const db::Query<AccountId> holder_of_handle{
    "holder_of_handle", "SELECT id FROM accounts WHERE lower(username) = $1 AND domain = $2 AND uri <> $3"
};
const db::Command take_handle_away{
    "take_handle_away", "UPDATE accounts SET username = $2, version = version + 1 WHERE id = $1"
};
const db::Command insert_remote_account{
    "insert_remote_account",
    R"(INSERT INTO accounts (id, username, domain, uri, silenced_at, silenced_by, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7))"
};
const db::Command update_remote_account{
    "update_remote_account",
    R"(UPDATE accounts SET version = version + 1, username = $2, domain = $3, url = $4, actor_type = $5,
           display_name = $6, note_html = $7, fields = $8, locked = $9, discoverable = $10, indexable = $11,
           memorial = $12, hide_collections = $13, show_media = $14, show_media_replies = $15, show_featured = $16,
           avatar = $17, avatar_static = $17, avatar_description = $18, header = $19, header_static = $19,
           header_description = $20, attribution_domains = $21, feature_policy = $25,
           followers_count = COALESCE(CAST($22 AS BIGINT), followers_count),
           following_count = COALESCE(CAST($23 AS BIGINT), following_count),
           statuses_count = COALESCE(CAST($24 AS BIGINT), statuses_count)
       WHERE id = $1)"
};
const db::Command suspend_by{
    "suspend_by",
    "UPDATE accounts SET suspended_at = $2, suspended_by = $3, version = version + 1 WHERE id = $1"
};

namespace {

AccountId made(db::Write& db, const RemoteAccount& remote) {
    auto created = remote.published.value_or(db.now());
    if (created > db.now() || created.ms < 0) created = db.now();
    auto limit = instance::limit_on(db, remote.domain);
    if (limit.suspended) throw base::Forbidden();
    auto id = db.new_id<AccountId>();
    auto silenced = limit.silenced ? std::optional(db.now()) : std::nullopt;
    const char* by = silenced ? "domain" : "";
    db.run(insert_remote_account, id, remote.username, remote.domain, remote.uri, silenced, by, created);
    return id;
}

// A remote server may undo its own suspension of an account, never one made here.
void apply_suspension(db::Write& db, const Known& known, bool suspended) {
    bool theirs = known.suspended_by == "remote" || known.suspended_by == "gone";
    if (suspended == known.suspended || (!suspended && !theirs)) return;
    if (suspended) db.run(suspend_by, known.id, db.now(), "remote");
    else db.run(suspend_by, known.id, std::nullopt, "");
    db.emit(media::SuspensionsChanged{{known.id}});
}

std::optional<std::int64_t> counted(std::optional<std::int64_t> n) {
    if (!n || *n < 0) return std::nullopt;
    return std::min<std::int64_t>(*n, std::int64_t{1} << 50);
}

void write(db::Write& db, AccountId id, const RemoteAccount& remote, const Account& before) {
    bool pictures = !instance::limit_on(db, remote.domain).reject_media;
    auto avatar = pictures ? address(remote.avatar) : "", header = pictures ? address(remote.header) : "";
    auto url = address(remote.url);
    db.run(
        update_remote_account,
        id,
        remote.username,
        remote.domain,
        url.empty() ? remote.uri : url,
        type_of(remote),
        one_line(remote.display_name, longest_remote_name),
        base::text::sanitize(cut(remote.note, longest_remote_note)),
        fields_json(remote, before),
        remote.locked,
        remote.discoverable,
        remote.indexable,
        remote.memorial,
        remote.hide_collections,
        remote.show_media.value_or(true),
        remote.show_media_replies.value_or(true),
        remote.show_featured.value_or(true),
        avatar,
        one_line(remote.avatar_description, 10'000),
        header,
        one_line(remote.header_description, 10'000),
        domains_json(remote),
        counted(remote.followers_count),
        counted(remote.following_count),
        counted(remote.statuses_count),
        remote.feature_policy
    );
}

void check(db::Read& db, const RemoteAccount& remote) {
    bool ours = remote.domain.empty() || remote.domain == db.site().domain ||
                base::uris::is_ours(db.site(), remote.uri);
    if (ours || address(remote.uri).empty() || !possible_name(remote.username) || remote.domain.size() > 255)
        throw base::Invalid("The account of another server cannot be stored");
}

}  // namespace

// Also reads a suspended account.
const db::Query<Account> whole_account{
    "whole_account",
    R"(SELECT id, version, relations_version, username, domain, actor_type, locked, discoverable, indexable,
              hide_collections, show_media, show_media_replies, show_featured, followers_count, following_count,
              statuses_count, last_status_at, suspended_at, silenced_at, sensitized_at, memorial, moved_to_id,
              created_at, display_name, note, note_html, fields, avatar, avatar_static, avatar_description, header,
              header_static, header_description, attribution_domains, uri, url, feature_policy
       FROM accounts WHERE id = $1)"
};

AccountId store_remote(db::Write& db, const RemoteAccount& remote) {
    check(db, remote);
    auto handle = ascii_lowered(remote.username);
    for (auto holder : db.all(holder_of_handle, handle, remote.domain, remote.uri)) {
        // The suffix cannot be part of a valid name.
        db.run(take_handle_away, holder, std::to_string(holder.value) + "-");
        index_names(db, holder);
    }
    auto known = db.maybe(account_by_uri, remote.uri);
    if (known && known->domain.empty()) throw base::Invalid("The account of another server cannot be stored");
    auto id = known ? known->id : made(db, remote);
    auto before = db.one(whole_account, id);
    if (!known || known->domain != remote.domain) note_server(db, remote.domain);
    write(db, id, remote, before);
    apply_suspension(db, known.value_or(Known{id, {}, {}, {}, false}), remote.suspended);
    emojis::store_remote(db, remote.domain, remote.emojis);
    index_names(db, id);
    // Search and link attribution have to be updated.
    bool decides = before.indexable != remote.indexable || before.attribution_domains != domains_json(remote);
    if (known && decides) db.emit(ProfileChanged{id});
    return id;
}

bool is_handle_elsewhere(const base::Site& site, std::string_view text) {
    if (text.starts_with('@')) text.remove_prefix(1);
    auto at = text.find('@');
    if (at == text.npos || text.size() > longest_uri || !possible_name(text.substr(0, at))) return false;
    auto domain = text.substr(at + 1);
    bool one_word = !domain.empty() && domain.find_first_of("@ /?#\t\n") == domain.npos;
    return one_word && ascii_lowered(domain) != site.domain;
}

// The table actors belongs to federation.
const db::Query<bool> not_asked_lately{
    "not_asked_lately",
    R"(SELECT NOT EXISTS (SELECT 1 FROM actors WHERE account_id = $1 AND refreshed_at >= $2)
          AND (EXISTS (SELECT 1 FROM actors WHERE account_id = $1)
               OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1 AND suspended_at IS NOT NULL AND suspended_by = '')))"
};

bool is_stale(db::Read& db, AccountId id) {
    constexpr std::int64_t day = 86'400;
    return db.one(not_asked_lately, id, db.now().plus_seconds(-day));
}

std::optional<AccountId> find_by_uri(db::Read& db, std::string_view uri) {
    if (base::uris::is_ours(db.site(), uri)) {
        auto own = former::ours(db, uri);
        if (!own || own->kind != base::uris::Kind::actor) return std::nullopt;
        auto account = own->account ? find_account(db, own->account) : find_by_acct(db, own->username);
        return account && account->local() ? std::optional(account->id) : std::nullopt;
    }
    auto known = db.maybe(account_by_uri, uri);
    return known ? std::optional(known->id) : std::nullopt;
}

const db::Command note_status_of_remote{
    "note_status_of_remote",
    R"(UPDATE accounts SET version = version + 1, statuses_count = statuses_count + $3,
           last_status_at = CASE WHEN last_status_at IS NULL OR last_status_at < $2 THEN $2 ELSE last_status_at END
       WHERE id = $1)"
};

void note_remote_status(db::Write& db, AccountId id, Time at, bool counted) {
    db.run_last(note_status_of_remote, id, at, counted ? 1 : 0);
}

const db::Command empty_account{
    "empty_account",
    R"(UPDATE accounts SET version = version + 1, suspended_at = COALESCE(suspended_at, $2),
           suspended_by = CASE WHEN suspended_at IS NULL OR suspended_by <> '' THEN 'gone' ELSE suspended_by END,
           display_name = '', note = '', note_html = '', fields = '[]', avatar = '', avatar_static = '',
           avatar_description = '', header = '', header_static = '', header_description = '',
           attribution_domains = '[]', discoverable = FALSE, indexable = FALSE, followers_count = 0,
           following_count = 0, statuses_count = 0, last_status_at = NULL
       WHERE id = $1 AND domain <> '')"
};

void delete_remote(db::Write& db, AccountId id) {
    if (db.run(empty_account, id, db.now()) == 0) return;
    forget_names(db, id);
    db.emit(AccountGone{id});
}

}  // namespace accounts
