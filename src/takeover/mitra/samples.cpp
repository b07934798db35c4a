// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"
#include "takeover/mitra/reading.hpp"

namespace takeover::mitra {

namespace {

struct SamplePerson {
    Text id, username;
    MaybeText display_name;
    bool locked = false;
    Time created_at;
    Text rsa_key, ed25519_key, password_digest;
    std::int64_t followers = 0, following = 0, posts = 0;
};
DESCRIBE(
    SamplePerson, id, username, display_name, locked, created_at, rsa_key, ed25519_key, password_digest,
    followers, following, posts
)

struct SamplePost {
    Text id, author, title;
    MaybeText content_source;
    std::int64_t visibility = 0;
    Text language;
    Time created_at;
    bool edited = false, answers = false;
    std::int64_t favourites = 0, boosts = 0, media = 0, mentions = 0, tags = 0;
    Text results;
};
DESCRIBE(
    SamplePost, id, author, title, content_source, visibility, language, created_at, edited, answers,
    favourites, boosts, media, mentions, tags, results
)

// Others are counted where they come along.
#define COMES(ID)                                            \
    "EXISTS (SELECT 1 FROM actor_profile c WHERE c.id = " ID \
    " AND (c.user_id IS NOT NULL OR c.actor_json->>'id' LIKE 'http%'))"

constexpr const char* people_picked =
    R"((SELECT a.id, a.username, a.display_name, a.manually_approves_followers AS locked, a.created_at,
          u.rsa_private_key AS rsa_key, '\x' || encode(u.ed25519_private_key, 'hex') AS ed25519_key, u.password_digest,
          (SELECT count(*) FROM relationship r WHERE r.target_id = a.id AND r.relationship_type = 1
               AND )" COMES("r.source_id") R"() AS followers,
          (SELECT count(*) FROM relationship r WHERE r.source_id = a.id AND r.relationship_type = 1
               AND )" COMES("r.target_id") R"() AS following,
          (SELECT count(*) FROM post p WHERE p.author_id = a.id AND p.visibility IN (1, 3)) AS posts
        FROM actor_profile a JOIN user_account u ON u.id = a.id ORDER BY random() LIMIT )";

// Who sees a post without being named is among those who are mentioned: these posts are not picked.
constexpr const char* posts_picked =
    R"((SELECT p.id, a.username AS author, p.title, p.content_source, p.visibility, p.language, p.created_at,
          p.updated_at IS NOT NULL AS edited, p.in_reply_to_id IS NOT NULL AS answers,
          (SELECT count(DISTINCT l.author_id) FROM post_reaction l WHERE l.post_id = p.id
               AND l.content IS DISTINCT FROM U&'\+01F44E' AND )" COMES("l.author_id") R"() AS favourites,
          (SELECT count(*) FROM post b WHERE b.repost_of_id = p.id AND )" COMES("b.author_id") R"() AS boosts,
          (SELECT count(*) FROM media_attachment m WHERE m.post_id = p.id) AS media,
          (SELECT count(*) FROM post_mention m WHERE m.post_id = p.id AND m.profile_id <> p.author_id
               AND )" COMES("m.profile_id") R"() AS mentions,
          (SELECT count(*) FROM post_tag t WHERE t.post_id = p.id) AS tags, o.results
        FROM post p JOIN actor_profile a ON a.id = p.author_id JOIN user_account u ON u.id = a.id
        LEFT JOIN poll o ON o.id = p.id
        WHERE p.repost_of_id IS NULL AND p.visibility IN (1, 2, 3) ORDER BY random() LIMIT )";

}  // namespace

std::vector<PersonSample> sample_people(db::Foreign& db, const std::string& public_url, std::size_t most) {
    std::vector<PersonSample> out;
    db.each<SamplePerson>(
        people_picked + std::to_string(most) + ") AS x",
        "ORDER BY x.id",
        {},
        [&](SamplePerson p) {
            PersonSample person;
            person.former = std::move(p.id);
            person.address = public_url + "/users/" + p.username;
            Person keys;
            keys.rsa_key = std::move(p.rsa_key);
            keys.ed25519_key = std::move(p.ed25519_key);
            person.keys = own_keys(person.address, keys);
            person.email = accounts::normal_email(p.username + "@invalid");
            person.username = std::move(p.username);
            person.display_name = p.display_name.value_or("");
            person.locked = p.locked;
            person.created_at = p.created_at;
            person.followers = p.followers;
            person.following = p.following;
            person.posts = p.posts;
            person.password_hash = std::move(p.password_digest);
            out.push_back(std::move(person));
        },
        [](auto&, auto&) {}
    );
    return out;
}

std::vector<PostSample> sample_posts(db::Foreign& db, const std::string& public_url, std::size_t most) {
    constexpr std::int64_t everybody = 1, followers = 3;
    using statuses::Visibility;
    std::vector<PostSample> out;
    db.each<SamplePost>(
        posts_picked + std::to_string(most) + ") AS x",
        "ORDER BY x.id",
        {},
        [&](SamplePost s) {
            PostSample post;
            post.address = public_url + "/objects/" + s.id;
            post.former = std::move(s.id);
            post.author = std::move(s.author);
            if (s.content_source)
                post.text = s.title.empty() ? *s.content_source : s.title + "\n\n" + *s.content_source;
            post.visibility = s.visibility == everybody   ? Visibility::public_
                              : s.visibility == followers ? Visibility::private_
                                                          : Visibility::direct;
            post.language = language_of(s.language).value_or("");
            post.created_at = s.created_at;
            post.edited = s.edited;
            post.answers = s.answers;
            post.count(s);
            post.options = std::ssize(options_of(s.results));
            out.push_back(std::move(post));
        },
        [](auto&, auto&) {}
    );
    return out;
}

}  // namespace takeover::mitra
