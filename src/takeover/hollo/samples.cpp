// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

namespace {

struct SamplePerson {
    Text id, iri, handle, name;
    bool locked = false;
    Time made;
    Text rsa_private, rsa_public, ed25519_private, ed25519_public;
    std::int64_t followers = 0, following = 0, posts = 0;
    Text email, password_hash;
};
DESCRIBE(
    SamplePerson, id, iri, handle, name, locked, made, rsa_private, rsa_public, ed25519_private,
    ed25519_public, followers, following, posts, email, password_hash
)

struct SamplePost {
    Text id, iri, author;
    MaybeText content;
    Text summary, visibility, language;
    Time published;
    bool edited = false, answers = false;
    std::int64_t favourites = 0, boosts = 0, media = 0, mentions = 0, tags = 0, options = 0;
};
DESCRIBE(
    SamplePost, id, iri, author, content, summary, visibility, language, published, edited, answers,
    favourites, boosts, media, mentions, tags, options
)

// The first account has the address that is signed in with.
constexpr const char* people_picked =
    R"((SELECT a.id, a.iri, a.handle, a.name, a.protected AS locked, COALESCE(a.published, a.updated) AS made,
          o.rsa_private_key_jwk AS rsa_private, o.rsa_public_key_jwk AS rsa_public,
          o.ed25519_private_key_jwk AS ed25519_private, o.ed25519_public_key_jwk AS ed25519_public,
          (SELECT count(*) FROM follows f WHERE f.following_id = a.id AND f.approved IS NOT NULL) AS followers,
          (SELECT count(*) FROM follows f WHERE f.follower_id = a.id AND f.approved IS NOT NULL) AS following,
          (SELECT count(*) FROM posts p WHERE p.actor_id = a.id AND p.visibility <> 'direct') AS posts,
          CASE WHEN a.id = (SELECT y.id FROM accounts y JOIN account_owners z ON z.id = y.id
                            ORDER BY COALESCE(y.published, y.updated), y.id LIMIT 1)
               THEN (SELECT email FROM credentials ORDER BY created, email LIMIT 1) END AS email,
          (SELECT password_hash FROM credentials ORDER BY created, email LIMIT 1) AS password_hash
        FROM accounts a JOIN account_owners o ON o.id = a.id ORDER BY random() LIMIT )";

constexpr const char* posts_picked =
    R"((SELECT p.id, p.iri, a.handle AS author, p.content, p.summary, p.visibility, p.language,
          COALESCE(p.published, p.updated) AS published, p.updated > p.published AS edited,
          p.reply_target_id IS NOT NULL AS answers,
          (SELECT count(*) FROM (SELECT account_id FROM likes WHERE post_id = p.id
                                 UNION SELECT account_id FROM reactions WHERE post_id = p.id) l) AS favourites,
          (SELECT count(*) FROM posts b WHERE b.sharing_id = p.id) AS boosts,
          (SELECT count(*) FROM media m WHERE m.post_id = p.id) AS media,
          (SELECT count(*) FROM mentions m WHERE m.post_id = p.id) AS mentions,
          (SELECT count(*) FROM jsonb_object_keys(CASE jsonb_typeof(p.tags) WHEN 'object' THEN p.tags END)) AS tags,
          (SELECT count(*) FROM poll_options q WHERE q.poll_id = p.poll_id) AS options
        FROM posts p JOIN accounts a ON a.id = p.actor_id JOIN account_owners o ON o.id = a.id
        WHERE p.sharing_id IS NULL ORDER BY random() LIMIT )";

}  // namespace

std::vector<PersonSample> sample_people(db::Foreign& db, std::size_t most) {
    std::vector<PersonSample> out;
    db.each<SamplePerson>(
        people_picked + std::to_string(most) + ") AS x",
        "ORDER BY x.iri",
        {},
        [&](SamplePerson p) {
            PersonSample person;
            Person keys;
            keys.iri = p.iri;
            keys.rsa_private = std::move(p.rsa_private);
            keys.rsa_public = std::move(p.rsa_public);
            keys.ed25519_private = std::move(p.ed25519_private);
            keys.ed25519_public = std::move(p.ed25519_public);
            person.keys = own_keys(keys);
            person.former = std::move(p.id);
            person.address = std::move(p.iri);
            person.username = handle_of(p.handle).name;
            person.display_name = std::move(p.name);
            person.locked = p.locked;
            person.created_at = p.made;
            person.followers = p.followers;
            person.following = p.following;
            person.posts = p.posts;
            person.email = accounts::normal_email(p.email.empty() ? person.username + "@invalid" : p.email);
            person.password_hash = std::move(p.password_hash);
            out.push_back(std::move(person));
        },
        [](auto&, auto&) {}
    );
    return out;
}

std::vector<PostSample> sample_posts(db::Foreign& db, std::size_t most) {
    std::vector<PostSample> out;
    db.each<SamplePost>(
        posts_picked + std::to_string(most) + ") AS x",
        "ORDER BY x.id",
        {},
        [&](SamplePost s) {
            PostSample post;
            post.former = std::move(s.id);
            post.address = std::move(s.iri);
            post.author = handle_of(s.author).name;
            post.text = std::move(s.content);
            post.spoiler_text = std::move(s.summary);
            post.visibility = visibility_of(s.visibility);
            post.language = std::move(s.language);
            post.created_at = s.published;
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

}  // namespace takeover::hollo
