// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/search.hpp"

#include <algorithm>

namespace accounts {

// $1 the viewer, $2 a prefix of the username, $3 a part of the display name (both LIKE patterns), $4 only followed.
// follows belongs to relationships.
const db::Query<AccountId> search_accounts{"search_accounts",
    R"(SELECT a.id FROM accounts a LEFT JOIN follows f ON f.account_id = $1 AND f.target_id = a.id
       WHERE (lower(a.username) LIKE $2 ESCAPE '\' OR lower(a.display_name) LIKE $3 ESCAPE '\')
         AND a.suspended_at IS NULL AND ($4 = FALSE OR f.id IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id
                         AND (u.confirmed_at IS NULL OR u.approved = FALSE))
       ORDER BY CASE WHEN f.id IS NOT NULL THEN 0 ELSE 1 END, a.followers_count DESC, a.id
       LIMIT $5 OFFSET $6)"};

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
    if (text.empty() || asked.limit == 0) return {};
    std::vector<AccountId> found;
    auto exact = find_by_acct(db, text);
    if (exact && !exact->suspended_at && !asked.following && asked.offset == 0) found.push_back(exact->id);
    if (text.find('@') != std::string_view::npos) return found;
    auto pattern = literally(lowered(text));
    for (auto id : db.all(search_accounts, viewer, pattern + "%", "%" + pattern + "%", asked.following, asked.limit, asked.offset))
        if (std::ranges::find(found, id) == found.end() && found.size() < static_cast<std::size_t>(asked.limit))
            found.push_back(id);
    return found;
}

}  // namespace accounts
