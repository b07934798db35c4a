// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/former/former.hpp"

#include <algorithm>

namespace former {

namespace uris = base::uris;

const db::Query<bool> any_takeover{"any_takeover", "SELECT EXISTS (SELECT 1 FROM takeovers) AS found"};
const db::Query<bool> any_former_id{"any_former_id", "SELECT EXISTS (SELECT 1 FROM former_ids) AS found"};

const db::Query<bool> any_unfinished_takeover{
    "any_unfinished_takeover", "SELECT EXISTS (SELECT 1 FROM takeovers WHERE state <> 'finished') AS found"
};

const db::Query<bool> any_whole_copy{
    "any_whole_copy", "SELECT EXISTS (SELECT 1 FROM takeovers WHERE state = 'copied') AS found"
};

bool is_unfinished(db::Read& db) { return db.one(any_unfinished_takeover); }
bool can_be_rehearsed(db::Read& db) { return db.one(any_whole_copy); }

namespace {

Past past;  // set before there are threads

}  // namespace

Past read_past(db::Read& db) {
    const bool any = db.one(any_takeover);
    return {any, any && db.one(any_former_id)};
}

void use_past(Past read) { past = read; }
bool took_over() { return past.took_over; }
bool has_other_ids() { return past.other_ids; }

namespace {

struct NamedStatus {
    std::string uri;
    base::StatusId id;
    base::AccountId account_id;
    bool is_reblog = false;
};
DESCRIBE(NamedStatus, uri, id, account_id, is_reblog)

struct NamedAccount {
    std::string uri;
    base::AccountId id;
};
DESCRIBE(NamedAccount, uri, id)

struct NamedPath {
    std::string path, kind;
    std::int64_t id = 0;
};
DESCRIBE(NamedPath, path, kind, id)

}  // namespace

// accounts and statuses belong to their subjects.
const db::Query<NamedStatus> own_statuses_by_uri{
    "own_statuses_by_uri",
    R"(SELECT uri, id, account_id, reblog_of_id IS NOT NULL AS is_reblog FROM statuses
       WHERE uri IN LIST($1) AND uri IS NOT NULL AND local = TRUE)"
};
const db::Query<NamedStatus> status_of_former_id{
    "status_of_former_id",
    R"(SELECT COALESCE(s.uri, '') AS uri, s.id, s.account_id, s.reblog_of_id IS NOT NULL AS is_reblog
       FROM former_ids f JOIN statuses s ON s.id = f.id
       WHERE f.kind = 'status' AND f.former = $1 AND s.local = TRUE)"
};
const db::Query<base::AccountId> author_of_own{
    "author_of_own", "SELECT account_id FROM statuses WHERE id = $1 AND local = TRUE"
};
const db::Query<NamedAccount> own_accounts_by_uri{
    "own_accounts_by_uri", "SELECT uri, id FROM accounts WHERE uri IN LIST($1) AND uri <> '' AND domain = ''"
};
const db::Query<NamedPath> former_paths_among{
    "former_paths_among", "SELECT path, kind, id FROM former_paths WHERE path IN LIST($1)"
};
const db::Query<Target> target_of_path{
    "target_of_path",
    R"(SELECT kind, target FROM former_paths WHERE path = $1 AND kind IN ('file', 'page') AND target IS NOT NULL)"
};

namespace {

constexpr std::size_t longest_path = 2048, most_parts = 8;

uris::Ours named(uris::Kind kind, base::AccountId account, std::int64_t id = 0) {
    return {kind, account, {}, id, {}};
}

// What hangs on an actor or a post is read from where it would be if the address were ours: "/inbox", "#likes/5", "/replies".
std::optional<uris::Ours> below(const base::Site& site, const uris::Ours& owner, std::string_view rest) {
    if (rest.empty()) return owner;
    auto address = uris::actor(site, owner.account);
    if (owner.kind != uris::Kind::actor) address = uris::status(address, owner.status());
    return uris::ours(site, address.append(rest));
}

// A boost's address is that of its Announce.
uris::Ours named(const NamedStatus& s) {
    return named(s.is_reblog ? uris::Kind::activity : uris::Kind::status, s.account_id, s.id.value);
}

// The path and what it begins with, up to each sign of another part: the longest first.
std::vector<std::string> beginnings(std::string_view path) {
    std::vector<std::string> out{std::string(path)};
    while (out.size() < most_parts) {
        auto end = path.find_last_of("/#");
        if (end == path.npos || end == 0) break;
        path = path.substr(0, end);
        out.emplace_back(path);
    }
    return out;
}

// The id of its API in the address of a post's page: /@name/ID, /@name/statuses/ID, /notice/ID, /post/ID.
std::string_view id_in_page(std::string_view path) {
    bool of_person = path.starts_with("/@");
    if (!of_person && !path.starts_with("/notice/") && !path.starts_with("/post/")) return {};
    auto last = path.rfind('/');
    if (last == 0 || path.find_first_of("?#") != path.npos) return {};
    auto before = path.substr(0, last);
    auto parts = std::ranges::count(before, '/');
    bool alone = parts == 1 ||
                 (of_person && parts == 2 && (before.ends_with("/statuses") || before.ends_with("/posts")));
    return alone ? path.substr(last + 1) : std::string_view{};
}

std::optional<uris::Ours> found_among_paths(db::Read& db, const NamedPath& row) {
    if (row.kind == "account") return named(uris::Kind::actor, {row.id});
    if (row.kind != "status" && row.kind != "activity") return std::nullopt;
    auto author = db.maybe(author_of_own, row.id);
    if (!author) return std::nullopt;
    return named(row.kind == "status" ? uris::Kind::status : uris::Kind::activity, *author, row.id);
}

std::optional<uris::Ours> named_before(db::Read& db, std::string_view path) {
    if (path.size() < 2 || path.size() > longest_path) return std::nullopt;
    const auto paths = beginnings(path);
    std::vector<std::string> addresses;
    for (const auto& one : paths) addresses.push_back(db.site().public_url + one);
    const auto statuses = db.all(own_statuses_by_uri, addresses);
    const auto accounts = db.all(own_accounts_by_uri, addresses);
    const auto others = db.all(former_paths_among, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const auto rest = path.substr(paths[i].size());
        if (auto it = std::ranges::find(statuses, addresses[i], &NamedStatus::uri); it != statuses.end())
            if (auto found = below(db.site(), named(*it), rest)) return found;
        if (auto it = std::ranges::find(accounts, addresses[i], &NamedAccount::uri); it != accounts.end())
            if (auto found = below(db.site(), named(uris::Kind::actor, it->id), rest)) return found;
        if (auto it = std::ranges::find(others, paths[i], &NamedPath::path); it != others.end())
            if (auto owner = found_among_paths(db, *it))
                if (auto found = below(db.site(), *owner, rest)) return found;
    }
    if (auto id = id_in_page(path); !id.empty())
        if (auto status = db.maybe(status_of_former_id, id)) return named(*status);
    return std::nullopt;
}

// A server that acts under its own host as a name: nobody here is called so.
bool may_be_server(const base::Site& site, std::string_view name) {
    auto host = std::string_view(site.public_url).substr(site.public_url.find("://") + 3);
    return name.find('.') != name.npos || name == host.substr(0, host.find(':'));
}

}  // namespace

std::optional<uris::Ours> ours(db::Read& db, std::string_view uri) {
    auto found = uris::ours(db.site(), uri);
    if (!took_over() || (found && !may_be_server(db.site(), found->username))) return found;
    if (!uris::is_ours(db.site(), uri)) return std::nullopt;
    auto before = named_before(db, uri.substr(db.site().public_url.size()));
    return before ? before : found;
}

const db::Query<std::string> stored_uri_of_own{
    "stored_uri_of_own", "SELECT uri FROM statuses WHERE id = $1 AND uri IS NOT NULL AND local = TRUE"
};

std::optional<std::string> stored_uri(db::Read& db, base::StatusId id) {
    if (!took_over()) return std::nullopt;
    return db.maybe(stored_uri_of_own, id);
}

std::optional<Target> target_of(db::Read& db, std::string_view path) {
    if (!took_over() || path.size() > longest_path) return std::nullopt;
    return db.maybe(target_of_path, path);
}

}  // namespace former
