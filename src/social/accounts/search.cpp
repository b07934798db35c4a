// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/search.hpp"

#include <algorithm>

namespace accounts {

// $1 the viewer, $2 a prefix of the username, $3 a part of the display name (both LIKE patterns), $4 only followed,
// $7 who has exactly this name.
// follows belongs to relationships.
const db::Query<AccountId> search_accounts{
    "search_accounts",
    R"(SELECT a.id FROM accounts a LEFT JOIN follows f ON f.account_id = $1 AND f.target_id = a.id
       WHERE (lower(a.username) LIKE $2 ESCAPE '\' OR lower(a.display_name) LIKE $3 ESCAPE '\')
         AND a.suspended_at IS NULL AND ($4 = FALSE OR f.id IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id
                         AND (u.confirmed_at IS NULL OR u.approved = FALSE))
       ORDER BY CASE WHEN a.id = $7 THEN 0 ELSE 1 END, CASE WHEN f.id IS NOT NULL THEN 0 ELSE 1 END, a.followers_count DESC, a.id
       LIMIT $5 OFFSET $6)"
};

namespace {

std::string lowered(std::string_view text) {
    std::string out;
    for (char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return out;
}

std::string literally(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '%' || c == '_' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

std::vector<AccountId> search(db::Read& db, AccountId viewer, const Search& asked) {
    std::string_view text = asked.query;
    while (text.starts_with('@') || text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    // Longer than any name, and SQLite refuses patterns of 50,000 bytes.
    if (text.empty() || text.size() > 1000 || asked.limit == 0) return {};
    auto exact = find_by_acct(db, text);
    if (text.find('@') != std::string_view::npos) {
        bool answer = exact && !exact->suspended_at && !asked.following && asked.offset == 0;
        return answer ? std::vector{exact->id} : std::vector<AccountId>{};
    }
    auto pattern = literally(lowered(text));
    return db.all(
        search_accounts,
        viewer,
        pattern + "%",
        "%" + pattern + "%",
        asked.following,
        asked.limit,
        asked.offset,
        exact ? exact->id : AccountId{}
    );
}

}  // namespace accounts
