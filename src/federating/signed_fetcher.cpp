// SPDX-License-Identifier: AGPL-3.0-or-later
#include "federating/signed_fetcher.hpp"

#include "ap/signatures/signature.hpp"
#include "social/federation/keys/shown_keys.hpp"

#include <algorithm>
#include <chrono>

namespace server {

using base::Fetched, base::FetchFailure;

namespace {

constexpr const char* activity_type = "application/activity+json";
constexpr const char* other_type = ", application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\"";

constexpr int longest_hop_seconds = 10;  // somebody may be waiting

// Splits a URL into "https://host" and "/path?query".
std::pair<std::string, std::string> parts(const std::string& url) {
    auto begin = url.find("://");
    auto slash = begin == url.npos ? url.npos : url.find_first_of("/?#", begin + 3);
    if (slash == url.npos) return {url, "/"};
    auto target = url.substr(slash, url.find('#', slash) - slash);
    return {url.substr(0, slash), target.starts_with('/') ? target : "/" + target};
}

}  // namespace

Fetched SignedFetcher::get(const federation::Get& asked, const std::string& url, int seconds) const {
    std::optional<federation::SigningKey> key;
    base::Time now;
    sessions_.look([&](db::Read& db) {
        key = federation::find_signing_key(db, asked.signer);
        now = db.now();
    });
    auto types = std::string(activity_type) + (asked.one_type ? "" : other_type);
    ap::Headers plain{{"Accept", types + (asked.page ? ", text/html;q=0.1" : "")}};
    auto headers = plain;
    auto secret = key ? ap::PrivateKey::from_pem(key->private_pem) : std::nullopt;
    auto [origin, target] = parts(url);
    if (secret) headers = ap::sign_draft({"GET", target, origin, plain, {}}, {*secret, key->id}, now);
    base::Fetch question;
    question.url = url;
    for (const auto& [name, value] : headers) question.headers.push_back({name, value});
    question.redirects = 0;
    question.per_minute = 600;  // generous, because half of all users may be on one server
    question.bulk = asked.bulk;
    question.seconds = seconds;
    return std::any_cast<Fetched>(sessions_.answer({{}, typeid(base::Fetch), question}));
}

Fetched SignedFetcher::operator()(const federation::Get& asked) const {
    constexpr int most_hops = 3;
    // Limits the total time, so that redirects by a slow server do not occupy the thread.
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(15);
    auto url = asked.url;
    std::vector<std::string> seen;
    for (int hop = 0;; ++hop) {
        const auto left = std::chrono::ceil<std::chrono::seconds>(until - std::chrono::steady_clock::now());
        auto answer = get(asked, url, std::clamp(static_cast<int>(left.count()), 1, longest_hop_seconds));
        // A redirect: follow it here, because a signature is valid for one URL only.
        if (answer.failure != FetchFailure::too_many_redirects) return answer;
        bool fallen = url.starts_with("https:") && !answer.url.starts_with("https:");
        seen.push_back(url);
        bool circle = std::ranges::find(seen, answer.url) != seen.end();
        if (hop == most_hops || fallen || circle || std::chrono::steady_clock::now() >= until) return answer;
        url = answer.url;
    }
}

}  // namespace server
