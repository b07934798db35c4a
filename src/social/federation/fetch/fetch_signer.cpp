// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch/fetch.hpp"

#include "base/uris.hpp"
#include "social/accounts/remote/remote.hpp"

namespace federation {

using base::AccountId, base::StatusId;

// follows belongs to relationships, accounts to accounts, statuses and mentions to statuses.
const db::Query<AccountId> follower_here{
    "follower_here",
    R"(SELECT a.id FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND a.domain = '' AND a.suspended_at IS NULL LIMIT 1)"
};
const db::Query<AccountId> mentioned_here{
    "mentioned_here",
    R"(SELECT a.id FROM mentions m JOIN accounts a ON a.id = m.account_id
       WHERE m.status_id = $1 AND a.domain = '' AND a.suspended_at IS NULL LIMIT 1)"
};
const db::Query<AccountId> author_of_hidden{
    "author_of_hidden",
    "SELECT account_id FROM statuses WHERE id = $1 AND visibility NOT IN ('public', 'unlisted')"
};
const db::Query<bool> follows_at{
    "follows_at",
    "SELECT EXISTS (SELECT 1 FROM follows WHERE account_id = $1 AND origin = $2 AND origin <> '')"
};

namespace {

bool for_everybody(const ap::Audience& audience) {
    auto visibility = ap::visibility_of(audience, "");
    return visibility == ap::Visibility::public_ || visibility == ap::Visibility::unlisted;
}

AccountId addressed_here(db::Read& db, const std::vector<std::string>& uris) {
    for (const auto& uri : uris) {
        if (!base::uris::is_ours(db.site(), uri)) continue;
        if (auto account = accounts::find_by_uri(db, uri)) return *account;
    }
    return {};
}

}  // namespace

AccountId fetch_signer(db::Read& db, const ap::Incoming& in) {
    const auto& audience = in.activity.audience;
    if (for_everybody(audience)) return {};
    if (in.reader) return in.reader;
    if (auto account = addressed_here(db, audience.to)) return account;
    if (auto account = addressed_here(db, audience.cc)) return account;
    return db.maybe(follower_here, in.actor).value_or(AccountId{});
}

AccountId fetch_signer(db::Read& db, StatusId status) {
    auto author = db.maybe(author_of_hidden, status);
    if (!author) return {};
    if (auto mentioned = db.maybe(mentioned_here, status)) return *mentioned;
    return db.maybe(follower_here, *author).value_or(AccountId{});
}

bool follows_somebody_at(db::Read& db, AccountId account, const std::string& url) {
    auto end = url.find('/', url.find("://") + 3);
    return end != url.npos && db.one(follows_at, account, url.substr(0, end + 1));
}

}  // namespace federation
