// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"
#include "takeover/pleroma/reading.hpp"

namespace takeover::pleroma {

namespace {

struct SamplePerson {
    Text ap_id, id, nickname;
    MaybeText name;
    bool is_locked = false;
    Text keys;
    Time inserted_at;
    std::int64_t followers = 0, following = 0, posts = 0;
    MaybeText email, password_hash;
    bool is_active = false, password_reset_pending = false;
};
DESCRIBE(
    SamplePerson, ap_id, id, nickname, name, is_locked, keys, inserted_at, followers, following, posts, email,
    password_hash, is_active, password_reset_pending
)

struct SamplePost {
    Text uri, author;
    MaybeText words;
    Text summary, language, visibility;
    MaybeText published;
    Time inserted_at;
    bool edited = false, answers = false;
    std::int64_t favourites = 0, boosts = 0, media = 0, mentions = 0, tags = 0, options = 0;
};
DESCRIBE(
    SamplePost, uri, author, words, summary, language, visibility, published, inserted_at, edited, answers,
    favourites, boosts, media, mentions, tags, options
)

// Each table is gone through once, whatever is picked.
constexpr const char* people_picked =
    R"(, written AS (SELECT o.data->>'actor' AS actor, count(*) AS n FROM objects o
         WHERE o.data->>'actor' IN (SELECT ap_id FROM picked) AND o.data->>'type' IN )" PLEROMA_POSTS R"(
           AND o.data->>'directMessage' IS DISTINCT FROM 'true'
           AND (o.data->>'to' LIKE '%#Public"%' OR o.data->>'cc' LIKE '%#Public"%'
                OR o.data->>'to' LIKE '%/followers"%' OR o.data->>'cc' LIKE '%/followers"%') GROUP BY 1),
       boosted AS (SELECT a.actor, count(*) AS n FROM activities a JOIN objects t ON t.data->>'id' = )" PLEROMA_ABOUT
    R"(
         WHERE a.actor IN (SELECT ap_id FROM picked) AND a.data->>'type' = 'Announce' GROUP BY 1)
       SELECT u.ap_id, u.id, u.nickname, u.name, u.is_locked, u.inserted_at, u.email, u.password_hash, u.is_active,
         u.password_reset_pending, u.keys,
         (SELECT count(*) FROM following_relationships f WHERE f.following_id = u.id AND f.state = 2) AS followers,
         (SELECT count(*) FROM following_relationships f WHERE f.follower_id = u.id AND f.state = 2) AS following,
         COALESCE(written.n, 0) + COALESCE(boosted.n, 0) AS posts
       FROM picked u LEFT JOIN written ON written.actor = u.ap_id LEFT JOIN boosted ON boosted.actor = u.ap_id) AS x)";

constexpr const char* posts_picked = R"(, loved AS (SELECT )" PLEROMA_ABOUT R"( AS about,
           count(DISTINCT a.actor) FILTER (WHERE a.data->>'type' <> 'Announce') AS favourites,
           count(*) FILTER (WHERE a.data->>'type' = 'Announce' AND NOT (a.local AND a.actor LIKE '%/relay')) AS boosts
         FROM activities a
         WHERE a.data->>'type' IN ('Like', 'EmojiReact', 'Announce')
           AND )" PLEROMA_ABOUT R"( IN (SELECT data->>'id' FROM picked) GROUP BY 1)
       SELECT o.data->>'id' AS uri, u.nickname AS author,
         NULLIF(COALESCE(o.data->'source'->>'content', o.data->>'source'), '') AS words,
         COALESCE(o.data->>'summary', '') AS summary,
         COALESCE(o.data->>'language', CASE WHEN jsonb_typeof(o.data->'contentMap') = 'object' THEN
             (SELECT max(k) FROM jsonb_object_keys(o.data->'contentMap') k HAVING count(*) = 1) END, '') AS language,
         CASE WHEN o.data->>'to' LIKE '%#Public"%' THEN 'public' WHEN o.data->>'cc' LIKE '%#Public"%' THEN 'unlisted'
              WHEN o.data->>'directMessage' = 'true' THEN 'direct'
              WHEN o.data->>'to' LIKE '%/followers"%' OR o.data->>'cc' LIKE '%/followers"%' THEN 'private'
              ELSE 'direct' END AS visibility,
         o.data->>'published' AS published, o.inserted_at, o.data->>'updated' > o.data->>'published' AS edited,
         EXISTS (SELECT 1 FROM objects p WHERE p.data->>'id' = o.data->>'inReplyTo') AS answers,
         COALESCE(loved.favourites, 0) AS favourites, COALESCE(loved.boosts, 0) AS boosts,
         CASE WHEN jsonb_typeof(o.data->'attachment') = 'array' THEN jsonb_array_length(o.data->'attachment')
              ELSE 0 END AS media,
         (SELECT count(*) FROM users m WHERE m.ap_id <> u.ap_id AND m.ap_id = ANY(ARRAY(
              SELECT jsonb_path_query(o.data, '$.to[*]') #>> '{}' UNION
              SELECT jsonb_path_query(o.data, '$.cc[*]') #>> '{}'))) AS mentions,
         (SELECT count(DISTINCT lower(ltrim(n, '#'))) FROM (
              SELECT jsonb_path_query(o.data, '$.tag[*] ? (@.type() == "string")') #>> '{}' AS n UNION
              SELECT jsonb_path_query(o.data, '$.tag[*] ? (@.type == "Hashtag").name') #>> '{}') t) AS tags,
         COALESCE(jsonb_array_length(NULLIF(COALESCE(o.data->'oneOf', o.data->'anyOf'), 'null')), 0) AS options
       FROM picked o JOIN users u ON u.ap_id = o.data->>'actor' LEFT JOIN loved ON loved.about = o.data->>'id') AS x)";

std::string picked(const std::string& rows, std::size_t most) {
    return "(WITH picked AS MATERIALIZED (SELECT " + rows + " ORDER BY random() LIMIT " +
           std::to_string(most) + ")";
}

}  // namespace

std::vector<PersonSample> sample_people(db::Foreign& db, std::size_t most) {
    std::vector<PersonSample> out;
    const auto newer = own_signing_keys(db);
    const bool has_keys = std::ranges::count(db.columns_of("users"), "keys") > 0;
    const std::string columns = has_keys ? "*" : "*, '' AS keys";
    db.each<SamplePerson>(
        picked(columns + " FROM users WHERE " + people_here, most) + people_picked,
        "ORDER BY x.ap_id",
        {},
        [&](SamplePerson p) {
            PersonSample person;
            User keys;
            keys.ap_id = p.ap_id;
            keys.keys = p.keys;
            const auto key = newer.find(p.id);
            if (auto own = own_key(keys, key == newer.end() ? nullptr : &key->second))
                person.keys.push_back(*std::move(own));
            person.former = person.address = std::move(p.ap_id);
            person.username = p.nickname;
            person.display_name = p.name.value_or("");
            person.locked = p.is_locked;
            person.created_at = p.inserted_at;
            person.followers = p.followers;
            person.following = p.following;
            person.posts = p.posts;
            person.password_hash = p.password_hash.value_or("");
            const bool signs_in = p.is_active || !person.password_hash.empty();
            if (p.password_reset_pending) person.password_hash.clear();
            if (signs_in) {
                person.email = accounts::normal_email(p.email.value_or(""));
                if (person.email.empty()) person.email = accounts::normal_email(p.nickname + "@invalid");
            }
            out.push_back(std::move(person));
        },
        [](auto&, auto&) {}
    );
    return out;
}

std::vector<PostSample> sample_posts(db::Foreign& db, std::size_t most) {
    std::vector<PostSample> out;
    db.each<SamplePost>(
        picked(
            "y.* FROM objects y JOIN users l ON l.ap_id = y.data->>'actor' AND l.local "
            "WHERE y.data->>'type' IN " PLEROMA_POSTS,
            most
        ) + posts_picked,
        "ORDER BY x.uri",
        {},
        [&](SamplePost s) {
            PostSample post;
            post.former = post.address = std::move(s.uri);
            post.author = std::move(s.author);
            post.text = std::move(s.words);
            post.spoiler_text = std::move(s.summary);
            using statuses::Visibility;
            post.visibility = s.visibility == "public"     ? Visibility::public_
                              : s.visibility == "unlisted" ? Visibility::unlisted
                              : s.visibility == "private"  ? Visibility::private_
                                                           : Visibility::direct;
            post.language = std::move(s.language);
            post.created_at = dated(s.published, s.inserted_at);
            post.edited = s.edited;
            post.answers = s.answers;
            post.count(s);
            post.options = s.options;
            out.push_back(std::move(post));
        },
        [](auto&, auto&) {}
    );
    return out;
}

}  // namespace takeover::pleroma
