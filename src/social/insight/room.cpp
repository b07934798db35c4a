// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/insight/room.hpp"

#include "base/ids.hpp"
#include "social/accounts/account.hpp"
#include "social/media/copy.hpp"
#include "social/statuses/previews/preview_jobs.hpp"
#include "social/statuses/remote/old_posts.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace insight {

namespace {

constexpr int chunk = 2000;
constexpr std::int64_t day = 86'400;

struct CopyRow {
    std::string url;
    std::int64_t bytes = 0;
};
DESCRIBE(CopyRow, url, bytes)

// Pictures of somebody's server: of an attachment, an account, an emoji.
struct Pictures {
    std::int64_t id = 0;
    std::string domain, first, second, third, fourth;
};
DESCRIBE(Pictures, id, domain, first, second, third, fourth)

struct PostsOf {
    base::AccountId account_id;
    std::int64_t posts = 0, bytes = 0;
};
DESCRIBE(PostsOf, account_id, posts, bytes)

struct CardRow {
    std::int64_t id = 0, bytes = 0;
    std::string url;
    bool unused = false;
};
DESCRIBE(CardRow, id, bytes, url, unused)

struct IdlePerson {
    std::int64_t id = 0, account_id = 0;
};
DESCRIBE(IdlePerson, id, account_id)

struct EntriesOf {
    std::int64_t entries = 0, of_others = 0;
};
DESCRIBE(EntriesOf, entries, of_others)

}  // namespace

// The tables belong to media, accounts, emojis, statuses and timelines.
const db::Query<CopyRow> copies_after{
    "copies_after", "SELECT url, bytes FROM remote_files WHERE file <> '' AND url > $1 ORDER BY url LIMIT $2"
};
const db::Query<Pictures> attachments_after{
    "attachments_after",
    R"(SELECT m.id, a.domain, m.file AS first, m.preview AS second, '' AS third, '' AS fourth
       FROM media m JOIN accounts a ON a.id = m.account_id WHERE m.id > $1 ORDER BY m.id LIMIT $2)"
};
const db::Query<Pictures> portraits_after{
    "portraits_after",
    R"(SELECT id, domain, avatar AS first, avatar_static AS second, header AS third, header_static AS fourth FROM accounts
       WHERE id > $1 ORDER BY id LIMIT $2)"
};
const db::Query<Pictures> emojis_after{
    "emojis_after",
    R"(SELECT id, domain, file AS first, static_file AS second, '' AS third, '' AS fourth FROM custom_emojis
       WHERE id > $1 ORDER BY id LIMIT $2)"
};
const db::Query<CardRow> cards_after{
    "cards_after",
    R"(SELECT id, CAST(length(title) + length(description) + length(html) + length(url) AS BIGINT) AS bytes, url,
              fetched_at < $3 AND trending = FALSE AND trendable IS NULL
                  AND NOT EXISTS (SELECT 1 FROM preview_cards_statuses s WHERE s.card_id = preview_cards.id) AS unused
       FROM preview_cards WHERE id > $1 ORDER BY id LIMIT $2)"
};
const db::Query<std::int64_t> end_of_posts{
    "end_of_posts",
    "SELECT COALESCE(max(id), 0) AS id FROM (SELECT id FROM statuses WHERE id > $1 ORDER BY id LIMIT $2) "
    "chunk"
};
const db::Query<PostsOf> posts_of_authors{
    "posts_of_authors",
    R"(SELECT account_id, count(*) AS posts,
              CAST(sum(length(content) + length(text) + length(spoiler_text)) AS BIGINT) AS bytes
       FROM statuses WHERE id > $1 AND id <= $2 AND local = FALSE GROUP BY account_id)"
};
const db::Query<IdlePerson> idle_people_after{
    "idle_people_after",
    R"(SELECT id, account_id FROM users WHERE id > $1 AND COALESCE(last_active_at, created_at) < $3
       ORDER BY id LIMIT $2)"
};
const db::Query<EntriesOf> entries_of_home{
    "entries_of_home",
    R"(SELECT count(*) AS entries, count(CASE WHEN author_id <> account_id THEN 1 END) AS of_others
       FROM home_entries WHERE account_id = $1)"
};

namespace {

std::string host_of(std::string_view url) {
    const auto begin = url.find("://");
    if (begin == std::string_view::npos) return "";
    const auto rest = url.substr(begin + 3);
    return std::string(rest.substr(0, rest.find_first_of("/:?#")));
}

class Count {
public:
    Count(const jobs::Sessions& with, const DaysKept& kept)
        : with_(with), days_(kept.posts), home_days_(kept.homes) {}

    Room made() {
        load_copies();
        claim(attachments_after, "pictures in posts");
        claim(portraits_after, "avatars and headers");
        claim(emojis_after, "emojis");
        count_rest_of_copies();
        count_previews();
        count_posts();
        count_homes();
        return finished();
    }

private:
    struct Copy {
        std::int64_t bytes = 0;
        bool claimed = false;
    };

    // Every row, each chunk in a snapshot of its own.
    template <class Row, class Key, class Next, class F, class... A>
    void each(const db::Query<Row>& sql, Key after, Next next, F f, const A&... more) {
        for (;;) {
            std::vector<Row> rows;
            with_.look([&](db::Read& db) { rows = db.all(sql, after, chunk, more...); });
            for (const auto& row : rows) f(row);
            if (rows.size() < chunk) return;
            after = next(rows.back());
        }
    }
    static std::uint64_t key(std::string_view url) { return std::hash<std::string_view>{}(url); }
    RoomOfKind& kind(const std::string& name) {
        auto found = std::ranges::find(kinds_, name, &RoomOfKind::kind);
        if (found != kinds_.end()) return *found;
        return kinds_.emplace_back(RoomOfKind{name});
    }
    RoomOfServer& server(const std::string& domain) {
        auto& out = servers_[domain];
        out.domain = domain;
        return out;
    }
    void add_file(const std::string& name, const std::string& domain, std::int64_t bytes) {
        auto& of_kind = kind(name);
        ++of_kind.number;
        of_kind.bytes += bytes;
        auto& of_server = server(domain);
        ++of_server.files;
        of_server.bytes += bytes;
    }

    void load_copies() {
        each(
            copies_after,
            std::string(),
            [](const CopyRow& row) { return row.url; },
            [this](const CopyRow& row) { copies_[key(row.url)] = {row.bytes}; }
        );
    }
    void claim(const db::Query<Pictures>& sql, const std::string& name) {
        kind(name);
        each(
            sql,
            std::int64_t{0},
            [](const Pictures& row) { return row.id; },
            [&](const Pictures& row) {
                if (row.domain.empty()) return;
                for (const auto* url : {&row.first, &row.second, &row.third, &row.fourth}) {
                    const auto found = copies_.find(key(*url));
                    if (url->empty() || found == copies_.end() || found->second.claimed) continue;
                    found->second.claimed = true;
                    add_file(name, row.domain, found->second.bytes);
                }
            }
        );
    }
    // Of what is known no more.
    void count_rest_of_copies() {
        kind("other copies");
        each(
            copies_after,
            std::string(),
            [](const CopyRow& row) { return row.url; },
            [this](const CopyRow& row) {
                const auto found = copies_.find(key(row.url));
                if (found == copies_.end() || found->second.claimed) return;
                add_file("other copies", host_of(row.url), row.bytes);
            }
        );
    }
    void count_previews() {
        kind("previews of links");
        base::Time now;
        with_.look([&](db::Read& db) { now = db.now(); });
        each(
            cards_after,
            std::int64_t{0},
            [](const CardRow& row) { return row.id; },
            [this](const CardRow& row) {
                auto& of_kind = kind("previews of links");
                ++of_kind.number;
                of_kind.bytes += row.bytes;
                of_kind.goes += row.unused ? 1 : 0;
            },
            now.plus_seconds(-statuses::unused_previews_kept_seconds)
        );
    }
    void count_posts() {
        auto& of_kind = kind("posts of other servers");
        for (std::int64_t after = 0;;) {
            std::int64_t end = 0;
            std::vector<PostsOf> found;
            std::unordered_map<base::AccountId, std::string> domains;
            with_.look([&](db::Read& db) {
                end = db.one(end_of_posts, after, chunk);
                if (!end) return;
                found = db.all(posts_of_authors, after, end);
                std::vector<base::AccountId> authors;
                for (const auto& one : found) authors.push_back(one.account_id);
                for (auto& one : db.all(accounts::domains_of_these, authors))
                    domains.emplace(one.id, std::move(one.domain));
            });
            for (const auto& one : found) {
                const auto bytes = one.bytes + one.posts * bytes_beside_words;
                of_kind.number += one.posts;
                of_kind.bytes += bytes;
                auto& of_server = server(domains[one.account_id]);
                of_server.posts += one.posts;
                of_server.bytes += bytes;
            }
            if (!end) break;
            after = end;
        }
        if (days_ <= 0) return;
        for (base::StatusId after;;) {
            statuses::OldPosts old;
            with_.look([&](db::Read& db) { old = statuses::count_old_posts(db, after, days_); });
            of_kind.goes += old.go;
            if (!old.last) return;
            after = old.last;
        }
    }
    void count_homes() {
        const auto days = home_days_ > 0 ? home_days_ : days_of_absence;
        auto& of_kind = kind("homes of people away for " + std::to_string(days) + " days");
        base::Time now;
        with_.look([&](db::Read& db) { now = db.now(); });
        each(
            idle_people_after,
            std::int64_t{0},
            [](const IdlePerson& row) { return row.id; },
            [&](const IdlePerson& row) {
                EntriesOf found;
                with_.look([&](db::Read& db) { found = db.one(entries_of_home, row.account_id); });
                of_kind.number += found.entries;
                if (home_days_ > 0) of_kind.goes += found.of_others;
            },
            now.plus_seconds(-days * day)
        );
        of_kind.bytes = of_kind.number * bytes_of_home_entry;
    }
    Room finished() {
        Room out;
        out.kinds = kinds_;
        for (auto& [name, one] : servers_) out.servers.push_back(one);
        std::ranges::sort(out.servers, std::ranges::greater(), &RoomOfServer::bytes);
        if (out.servers.size() > servers_told) out.servers.resize(servers_told);
        return out;
    }

    const jobs::Sessions& with_;
    const std::int64_t days_, home_days_;
    std::unordered_map<std::uint64_t, Copy> copies_;  // by a hash of their address
    std::vector<RoomOfKind> kinds_;
    std::map<std::string, RoomOfServer> servers_;
};

}  // namespace

Room room_taken(const jobs::Sessions& with, const DaysKept& kept) { return Count(with, kept).made(); }

}  // namespace insight
