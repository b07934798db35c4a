// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/search.hpp"

#include "base/text/utf8.hpp"
#include "base/text/words.hpp"
#include "db/full_text.hpp"

#include <algorithm>

namespace accounts {

// Accounts that can be found; $1 is the viewer. Limited accounts are found by their full handle, and by words
// only by their followers. The table follows belongs to relationships.
#define FINDABLE                                                          \
    "a.suspended_at IS NULL AND NOT EXISTS (SELECT 1 FROM users u WHERE " \
    "u.account_id = a.id AND (u.confirmed_at IS NULL OR u.approved = FALSE)) "
#define IN_SIGHT "AND (a.silenced_at IS NULL OR f.id IS NOT NULL) "
#define BY_RELATION \
    "ORDER BY CASE WHEN f.id IS NOT NULL THEN 0 ELSE 1 END, a.followers_count DESC, a.id LIMIT $4"

// $1 is for SQLite's index, $2 for PostgreSQL's.
const db::Query<AccountId> accounts_matching{
    "accounts_matching",
    "SELECT rowid AS id FROM account_index WHERE account_index MATCH $1 LIMIT $3",
    R"(SELECT account_id AS id FROM (
           SELECT account_id FROM account_texts WHERE terms @@ (SELECT CAST(CAST($2 AS TEXT) AS TSQUERY)) OFFSET 0) t
       WHERE CAST($1 AS TEXT) IS NOT NULL LIMIT $3)"
};
const db::Query<AccountId> accounts_by_relation{
    "accounts_by_relation",
    "SELECT a.id FROM json_each($2) j CROSS JOIN accounts a ON a.id = j.value "
    "LEFT JOIN follows f ON f.account_id = $1 AND f.target_id = a.id "
    "WHERE " FINDABLE IN_SIGHT "AND ($3 = FALSE OR f.id IS NOT NULL) " BY_RELATION,
    "SELECT a.id FROM accounts a LEFT JOIN follows f ON f.account_id = $1 AND f.target_id = a.id "
    "WHERE a.id = ANY($2::bigint[]) AND " FINDABLE IN_SIGHT
    "AND ($3 = FALSE OR f.id IS NOT NULL) " BY_RELATION
};

// A complete name and the beginning of a domain, as typed; $3: include local accounts.
const db::Query<AccountId> handles_beginning{
    "handles_beginning",
    R"(SELECT id FROM accounts WHERE lower(username) = $1
       AND (CASE WHEN domain = '' THEN $3 = TRUE ELSE substr(domain, 1, length(CAST($2 AS TEXT))) = $2 END) LIMIT $4)"
};
// $2: patterns, all of which the words must match.
const db::Query<AccountId> followed_matching{
    "followed_matching",
    "SELECT a.id FROM follows f JOIN accounts a ON a.id = f.target_id JOIN account_texts t ON t.account_id = "
    "a.id "
    "WHERE f.account_id = $1 AND " FINDABLE
    "AND NOT EXISTS (SELECT 1 FROM json_each($2) p WHERE t.words NOT LIKE p.value) "
    "ORDER BY a.followers_count DESC, a.id LIMIT $3",
    "SELECT a.id FROM follows f JOIN accounts a ON a.id = f.target_id JOIN account_texts t ON t.account_id = "
    "a.id "
    "WHERE f.account_id = $1 AND " FINDABLE
    "AND t.words LIKE ALL($2::text[]) ORDER BY a.followers_count DESC, a.id LIMIT $3"
};
// Only among the most followed: $3 and $4 identify the last of them.
#define POPULAR                                                                                            \
    "SELECT a.id FROM accounts a JOIN account_texts t ON t.account_id = a.id WHERE a.silenced_at IS NULL " \
    "AND (a.followers_count, a.id) >= (CAST($3 AS BIGINT), CAST($4 AS BIGINT)) AND " FINDABLE

const db::Query<AccountId> popular_matching{
    "popular_matching",
    POPULAR
    "AND NOT EXISTS (SELECT 1 FROM json_each($1) p WHERE t.words NOT LIKE p.value) "
    "ORDER BY a.followers_count DESC, a.id DESC LIMIT $2",
    POPULAR "AND t.words LIKE ALL($1::text[]) ORDER BY a.followers_count DESC, a.id DESC LIMIT $2"
};

namespace {

struct Popular {
    std::int64_t followers_count = 0;
    AccountId id;
};
DESCRIBE(Popular, followers_count, id)

}  // namespace

const db::Query<Popular> last_popular{
    "last_popular",
    "SELECT followers_count, id FROM accounts ORDER BY followers_count DESC, id DESC LIMIT 1 OFFSET $1"
};

namespace {

constexpr int most_ranked = 500;

// A word with this many matches is not ranked completely: followed accounts come first, then those among the
// most followed, then some others.
std::vector<AccountId> common(
    db::Read& db, AccountId viewer, const Search& asked, const std::vector<std::string>& words,
    const std::vector<AccountId>& some
) {
    constexpr int most_popular = 500;
    std::vector<std::string> patterns;
    for (const auto& word : words) patterns.push_back("% " + word + "%");
    auto wanted = asked.limit + asked.offset;
    std::vector<AccountId> found;
    if (viewer) found = db.all(followed_matching, viewer, patterns, wanted);
    auto enough = [&] { return found.size() >= static_cast<std::size_t>(wanted); };
    if (asked.following || enough()) return found;
    auto add = [&](const std::vector<AccountId>& more) {
        for (auto id : more)
            if (std::ranges::find(found, id) == found.end()) found.push_back(id);
    };
    auto last = db.maybe(last_popular, most_popular - 1).value_or(Popular{});
    auto limit = wanted + static_cast<int>(found.size());
    add(db.all(popular_matching, patterns, limit, last.followers_count, last.id));
    if (!enough()) add(db.all(accounts_by_relation, viewer, some, false, limit));
    return found;
}

std::vector<AccountId> by_words(
    db::Read& db, AccountId viewer, const Search& asked, const std::vector<std::string>& words
) {
    db::Sought sought;
    for (const auto& word : words) sought.every.push_back({{word}, true});
    auto hits = db.all(accounts_matching, sought.for_sqlite(), sought.for_postgres(), most_ranked);
    if (hits.empty()) return hits;
    if (hits.size() == most_ranked) return common(db, viewer, asked, words, hits);
    return db.all(accounts_by_relation, viewer, hits, asked.following, asked.limit + asked.offset);
}

std::vector<AccountId> by_handle(
    db::Read& db, AccountId viewer, const Search& asked, std::string_view handle
) {
    const auto at = handle.find('@');
    const auto begun = base::text::ascii_lowered(handle.substr(at + 1));
    const auto hits = db.all(
        handles_beginning,
        base::text::ascii_lowered(handle.substr(0, at)),
        begun,
        db.site().domain.starts_with(begun),
        most_ranked
    );
    if (hits.empty()) return hits;
    return db.all(accounts_by_relation, viewer, hits, asked.following, asked.limit + asked.offset);
}

bool followed_by(db::Read& db, AccountId viewer, AccountId target) {
    return !db.all(accounts_by_relation, viewer, std::vector{target}, true, 1).empty();
}

}  // namespace

std::vector<AccountId> search(db::Read& db, AccountId viewer, const Search& asked) {
    constexpr std::size_t longest = 1000, most_words = 8;  // longer than any name
    std::string_view text = asked.query;
    while (text.starts_with('@') || text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.empty() || text.size() > longest || asked.limit == 0) return {};
    std::vector<AccountId> found;
    auto exact = find_by_acct(db, text);
    bool fits = exact && !exact->suspended_at && (!asked.following || followed_by(db, viewer, exact->id));
    if (fits) found.push_back(exact->id);
    auto add = [&](const std::vector<AccountId>& more) {
        for (auto id : more)
            if (!fits || id != exact->id) found.push_back(id);
    };
    auto words = base::text::phrase(text).words;
    if (words.size() > most_words) words.resize(most_words);
    const bool is_handle = text.find('@') != text.npos;
    if (!asked.exact && is_handle) add(by_handle(db, viewer, asked, text));
    else if (!asked.exact && !words.empty()) add(by_words(db, viewer, asked, words));
    auto offset = std::min(found.size(), static_cast<std::size_t>(asked.offset));
    found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(offset));
    if (found.size() > static_cast<std::size_t>(asked.limit))
        found.resize(static_cast<std::size_t>(asked.limit));
    return found;
}

}  // namespace accounts
