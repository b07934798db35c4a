// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "base/uris.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/queue.hpp"

namespace federation {

namespace {

constexpr std::int64_t most_synchronized_followers = 25'000;
constexpr std::size_t hash_bytes = 32;

void add(std::string& sum, const std::string& uri) {
    sum.resize(hash_bytes, '\0');
    auto hash = base::sha256(uri);
    for (std::size_t i = 0; i < hash_bytes; ++i) sum[i] = static_cast<char>(sum[i] ^ hash[i]);
}

// As it is written: the ids of a server begin with it.
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
    db.each(
        remote_follower_uris, [&](const std::string& uri) { add(out.digests[origin_of(uri)], uri); }, account
    );
    for (auto& [origin, digest] : out.digests) digest = base::hex(digest);
    return out;
}

std::string Synchronization::header(const std::string& origin) const {
    auto found = digests.find(origin);
    auto digest = found == digests.end() ? std::string(hash_bytes * 2, '0') : found->second;
    return "collectionId=\"" + collection + "\", url=\"" + url + "\", digest=\"" + digest + "\"";
}

}  // namespace federation
