// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/fetch_key.hpp"

#include "ap/keys.hpp"
#include "ap/url.hpp"
#include "base/fetch.hpp"
#include "base/uris.hpp"

#include <algorithm>

namespace federation {

namespace {

constexpr std::int64_t most_a_minute = 300;  // of one host
constexpr const char* wanted_types =
    "application/activity+json, application/ld+json; profile=\"https://www.w3.org/ns/activitystreams\"";

enum class Outcome { found, gone, refused, failed };

// A document at the address that it says is its own.
struct Found {
    Outcome outcome = Outcome::failed;
    std::string id;
    ap::Document document;
};

Outcome outcome_of(const base::Fetched& answer) {
    using enum base::FetchFailure;
    bool refused = answer.failure == bad_url || answer.failure == forbidden_address ||
                   answer.failure == too_large || answer.failure == too_many_redirects;
    if (refused) return Outcome::refused;
    if (answer.failure != none) return Outcome::failed;
    if (answer.status == 404 || answer.status == 410) return Outcome::gone;
    return answer.status == 200 ? Outcome::found : Outcome::failed;
}

Found fetch(const base::Ask& ask, db::Read& db, std::string_view url) {
    auto wanted = std::string(ap::without_fragment(url));
    // The address, and the id that is found there.
    for (int turn = 0; turn < 2; ++turn) {
        if (!ap::is_web_url(wanted) || base::uris::is_ours(db.site(), wanted))
            return {Outcome::refused, {}, {}};
        base::Fetch question;
        question.url = wanted;
        question.headers = {{"Accept", wanted_types}};
        question.per_minute = most_a_minute;
        const auto& answer = ask(question);
        if (auto outcome = outcome_of(answer); outcome != Outcome::found) return {outcome, {}, {}};
        if (!ap::is_activity_type(answer.header("content-type"))) return {Outcome::refused, {}, {}};
        auto document = ap::read_document(answer.body);
        auto id = document ? (*document)["id"].web_id() : std::string();
        if (id.empty()) return {Outcome::refused, {}, {}};
        if (ap::without_fragment(id) == ap::without_fragment(answer.url))
            return {Outcome::found, id, *document};
        wanted = ap::without_fragment(id);
    }
    return {Outcome::refused, {}, {}};
}

ShownKey not_shown(Outcome why) {
    ShownKey out;
    out.gone = why == Outcome::gone;
    out.forbidden = why == Outcome::refused;
    return out;
}

std::optional<ap::Key> listed(const Found& actor, const std::string& key_id) {
    if (ap::kind_of(actor.document.node()) != ap::Kind::actor) return std::nullopt;
    auto keys = ap::read_keys(actor.document.node());
    auto found = std::ranges::find(keys, key_id, &ap::Key::id);
    if (found == keys.end()) return std::nullopt;
    return *found;
}

ShownKey shown(const std::string& actor, const ap::Key& key, base::Time now) {
    bool over = key.expires && *key.expires < now;
    if (over || !key.known() || key.owner != actor) return not_shown(Outcome::refused);
    return {actor, key.pem.empty() ? key.multibase : key.pem};
}

}  // namespace

ShownKey fetch_key(const base::Ask& ask, db::Read& db, const std::string& key_id) {
    auto first = fetch(ask, db, key_id);
    if (first.outcome != Outcome::found) return not_shown(first.outcome);
    if (auto key = listed(first, key_id)) return shown(first.id, *key, db.now());
    // A document of the key alone: its owner has to say so, too.
    auto alone = ap::read_key(first.document.node(), key_id);
    if (!alone || !ap::same_host(alone->owner, key_id)) return not_shown(Outcome::refused);
    auto owner = fetch(ask, db, alone->owner);
    if (owner.outcome != Outcome::found) return not_shown(owner.outcome);
    auto key = listed(owner, key_id);
    if (!key || owner.id != alone->owner) return not_shown(Outcome::refused);
    return shown(owner.id, key->known() ? *key : *alone, db.now());
}

}  // namespace federation
