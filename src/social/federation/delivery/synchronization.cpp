// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/followers_digest.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/delivery/queue.hpp"

namespace federation {

namespace {

constexpr std::int64_t most_synchronized_followers = 25'000;
// As written in the URI, not normalised: the ids of a server begin with it.
std::string origin_of(const std::string& uri) { return uri.substr(0, uri.find('/', uri.find("://") + 3)); }

}  // namespace

const db::Query<std::string> remote_follower_uris{
    "remote_follower_uris",
    R"(SELECT a.uri FROM follows f JOIN accounts a ON a.id = f.account_id
       WHERE f.target_id = $1 AND a.domain <> '' AND a.uri <> '')"
};

std::optional<Synchronization> synchronization(db::Read& db, AccountId account) {
    auto author = accounts::find_account(db, account);
    if (!author || author->followers_count >= most_synchronized_followers) return std::nullopt;
    auto actor = accounts::uri_of(db.site(), *author);
    Synchronization out{base::uris::followers(actor), base::uris::followers_synchronization(actor), {}};
    std::map<std::string, ap::FollowersDigest> digests;
    db.each(
        remote_follower_uris, [&](const std::string& uri) { digests[origin_of(uri)].toggle(uri); }, account
    );
    for (const auto& [origin, digest] : digests) out.digests[origin] = digest.hex();
    return out;
}

std::string Synchronization::header(const std::string& origin) const {
    auto found = digests.find(origin);
    auto digest = found == digests.end() ? ap::FollowersDigest().hex() : found->second;
    return ap::to_header({collection, url, digest});
}

}  // namespace federation
