// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/compare.hpp"

#include "base/crypto.hpp"
#include "db/transaction.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/former/former.hpp"
#include "social/statuses/remote/remote.hpp"

#include <algorithm>
#include <set>

namespace takeover {

namespace {

struct PersonHere {
    std::string username, display_name;
    bool locked = false;
    Time created_at;
    std::int64_t followers_count = 0, following_count = 0, statuses_count = 0;
    std::optional<std::string> email, password_hash;
};
DESCRIBE(
    PersonHere, username, display_name, locked, created_at, followers_count, following_count, statuses_count,
    email, password_hash
)

struct KeyHere {
    std::string id, type, public_key;
};
DESCRIBE(KeyHere, id, type, public_key)

struct PostHere {
    std::string username, text, spoiler_text;
    statuses::Visibility visibility = statuses::Visibility::direct;
    std::optional<std::string> language;
    Time created_at;
    bool edited = false, answers = false;
    std::int64_t favourites_count = 0, reblogs_count = 0, media = 0, mentions = 0, tags = 0, options = 0;
};
DESCRIBE(
    PostHere, username, text, spoiler_text, visibility, language, created_at, edited, answers,
    favourites_count, reblogs_count, media, mentions, tags, options
)

}  // namespace

const db::Query<PersonHere> person_compared{
    "person_compared",
    R"(SELECT a.username, a.display_name, a.locked, a.created_at, a.followers_count, a.following_count,
              a.statuses_count, u.email, u.password_hash
       FROM accounts a LEFT JOIN users u ON u.account_id = a.id WHERE a.id = $1)"
};
const db::Query<KeyHere> keys_compared{
    "keys_compared", "SELECT id, type, public_key FROM actor_keys WHERE account_id = $1 ORDER BY id"
};
const db::Query<PostHere> post_compared{
    "post_compared",
    R"(SELECT a.username, s.text, s.spoiler_text, s.visibility, s.language, s.created_at,
              s.edited_at IS NOT NULL AS edited, s.in_reply_to_id IS NOT NULL AS answers, s.favourites_count,
              s.reblogs_count, (SELECT count(*) FROM media m WHERE m.status_id = s.id) AS media,
              (SELECT count(*) FROM mentions n WHERE n.status_id = s.id) AS mentions,
              (SELECT count(*) FROM status_tags t WHERE t.status_id = s.id) AS tags,
              (SELECT count(*) FROM poll_options o WHERE o.status_id = s.id) AS options
       FROM statuses s JOIN accounts a ON a.id = s.account_id WHERE s.id = $1)"
};
const db::Query<std::string> refusal_of{
    "refusal_of", "SELECT reason FROM takeover_refusals WHERE kind = $1 AND former = $2"
};

namespace {

// What is compared, with what it is called; the same for both sides.
using Facts = std::vector<std::pair<std::string, std::string>>;

std::string said(bool yes) { return yes ? "yes" : "no"; }

// Enough to tell two apart, and nothing of a secret.
std::string mark_of(const std::string& secret) {
    constexpr std::size_t length = 12;
    return secret.empty() ? "none" : base::sha256_hex(secret).substr(0, length);
}

Facts facts_of(const PersonSample& p) {
    Facts out{
        {"name", p.username},
        {"display name", p.display_name},
        {"asks who may follow", said(p.locked)},
        {"made", base::to_string(p.created_at)},
        {"followers", std::to_string(p.followers)},
        {"follows", std::to_string(p.following)},
        {"posts", std::to_string(p.posts)},
        {"e-mail address", p.email},
        {"password", mark_of(p.password_hash)},
    };
    for (const auto& key : p.keys)
        out.emplace_back("key " + key.id, key.type + " " + mark_of(key.public_key));
    return out;
}

Facts facts_of(const PostSample& p) {
    Facts out{
        {"author", p.author},
        {"warning", p.spoiler_text},
        {"for whom", std::string(base::word(p.visibility))},
        {"language", p.language},
        {"written", base::to_string(p.created_at)},
        {"edited", said(p.edited)},
        {"answers something", said(p.answers)},
        {"likes", std::to_string(p.favourites)},
        {"boosts", std::to_string(p.boosts)},
        {"pictures and other media", std::to_string(p.media)},
        {"people mentioned", std::to_string(p.mentions)},
        {"hashtags", std::to_string(p.tags)},
        {"choices of a poll", std::to_string(p.options)},
    };
    if (p.text) out.emplace_back("text", *p.text);
    return out;
}

std::optional<PersonSample> here(db::Read& db, const PersonSample& there) {
    const auto id = accounts::find_by_uri(db, there.address);
    const auto found = id ? db.maybe(person_compared, *id) : std::nullopt;
    if (!found) return std::nullopt;
    PersonSample out;
    out.username = found->username;
    out.display_name = found->display_name;
    out.locked = found->locked;
    out.created_at = found->created_at;
    out.followers = found->followers_count;
    out.following = found->following_count;
    out.posts = found->statuses_count;
    out.email = found->email.value_or("");
    out.password_hash = found->password_hash.value_or("");
    for (auto& key : db.all(keys_compared, *id))
        out.keys.push_back({std::move(key.id), std::move(key.type), std::move(key.public_key), std::nullopt});
    return out;
}

std::optional<PostSample> here(db::Read& db, const PostSample& there) {
    const auto id = statuses::find_by_uri(db, there.address);
    const auto found = id ? db.maybe(post_compared, *id) : std::nullopt;
    if (!found) return std::nullopt;
    PostSample out;
    out.author = found->username;
    if (there.text) out.text = found->text;
    out.spoiler_text = found->spoiler_text;
    out.visibility = found->visibility;
    out.language = found->language.value_or("");
    out.created_at = found->created_at;
    out.edited = found->edited;
    out.answers = found->answers;
    out.favourites = found->favourites_count;
    out.boosts = found->reblogs_count;
    out.media = found->media;
    out.mentions = found->mentions;
    out.tags = found->tags;
    out.options = found->options;
    return out;
}

template <class Sample>
void compare_one(db::Read& db, const std::string& kind, const Sample& there, std::vector<Difference>& out) {
    const auto ours = here(db, there);
    if (!ours) {
        const auto why = db.maybe(refusal_of, kind, there.former);
        out.push_back(
            {kind, there.address, "all of it", "is there", why ? "was refused: " + *why : "is not here"}
        );
        return;
    }
    const auto theirs = facts_of(there), own = facts_of(*ours);
    auto value = [](const Facts& facts, const std::string& what) {
        const auto at = std::ranges::find(facts, what, &Facts::value_type::first);
        return at == facts.end() ? std::string("none") : at->second;
    };
    std::set<std::string> named;
    for (const auto* facts : {&theirs, &own})
        for (const auto& [what, unused] : *facts) {
            if (!named.insert(what).second || value(theirs, what) == value(own, what)) continue;
            out.push_back({kind, there.address, what, value(theirs, what), value(own, what)});
        }
}

}  // namespace

bool Comparison::same() const {
    return differences.empty() &&
           std::ranges::all_of(counts, [](const Count& count) { return count.there == count.here; });
}

Comparison compare(const Target& target, Source& source, std::size_t samples) {
    Comparison out;
    out.counts = compare_counts(target, source);
    const auto there = source.samples(samples);
    out.people = std::ssize(there.people);
    out.posts = std::ssize(there.posts);
    // Addresses of before are found as a server would find them.
    former::use_past(db::read_now(target.connection, target.context, former::read_past));
    db::read_now(target.connection, target.context, [&](db::Read& db) {
        out.refused = refusal_count(db);
        for (const auto& one : there.people) compare_one(db, "account", one, out.differences);
        for (const auto& one : there.posts) compare_one(db, "status", one, out.differences);
        return 0;
    });
    return out;
}

}  // namespace takeover
