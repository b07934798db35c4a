// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/user.hpp"
#include "takeover/gotosocial/reading.hpp"

namespace takeover::gotosocial {

namespace {

struct SamplePerson {
    Text id, uri, username, display_name;
    bool locked = false;
    Time created_at;
    Text private_key, public_key, public_key_uri;
    std::int64_t followers = 0, following = 0, posts = 0;
    Text email, encrypted_password;
};
DESCRIBE(
    SamplePerson, id, uri, username, display_name, locked, created_at, private_key, public_key,
    public_key_uri, followers, following, posts, email, encrypted_password
)

struct SamplePost {
    Text id, in_reply_to_id, uri, username, text, content_warning, content_warning_text, language;
    std::int64_t visibility = 0;
    Time created_at;
    MaybeTime edited_at;
    std::int64_t favourites = 0, boosts = 0, media = 0, mentions = 0, tags = 0;
    ForeignList options;
};
DESCRIBE(
    SamplePost, id, in_reply_to_id, uri, username, text, content_warning, content_warning_text, language,
    visibility, created_at, edited_at, favourites, boosts, media, mentions, tags, options
)

}  // namespace

std::vector<PersonSample> sample_people(db::Foreign& db, const std::string& instance, std::size_t most) {
    std::vector<PersonSample> out;
    // Who has not confirmed yet has an address in the other column alone. Visibilities of the posts that are counted: public,
    // unlocked, for followers, for mutuals.
    db.each<SamplePerson>(
        R"((SELECT a.id, a.uri, a.username, a.display_name, a.locked, a.created_at, a.private_key, a.public_key,
                   a.public_key_uri, COALESCE(NULLIF(u.email, ''), u.unconfirmed_email) AS email, u.encrypted_password,
                   (SELECT count(*) FROM follows f WHERE f.target_account_id = a.id) AS followers,
                   (SELECT count(*) FROM follows f WHERE f.account_id = a.id) AS following,
                   (SELECT count(*) FROM statuses s WHERE s.account_id = a.id AND NOT s.pending_approval
                        AND s.visibility IN (2, 3, 4, 5)) AS posts
            FROM (SELECT * FROM accounts WHERE domain IS NULL AND id <> $1 ORDER BY random() LIMIT )" +
            std::to_string(most) + ") a LEFT JOIN users u ON u.account_id = a.id) AS x",
        "ORDER BY id",
        {instance},
        [&](SamplePerson p) {
            Account keys;
            keys.private_key = std::move(p.private_key);
            keys.public_key = std::move(p.public_key);
            keys.public_key_uri = std::move(p.public_key_uri);
            PersonSample person{
                std::move(p.id),
                std::move(p.uri),
                std::move(p.username),
                std::move(p.display_name),
                p.locked,
                p.created_at,
                p.followers,
                p.following,
                p.posts,
                accounts::normal_email(p.email),
                std::move(p.encrypted_password),
                {}
            };
            if (auto key = own_key(keys)) person.keys.push_back(*std::move(key));
            out.push_back(std::move(person));
        },
        [](auto&, auto&) {}
    );
    return out;
}

std::vector<PostSample> sample_posts(db::Foreign& db, std::size_t most) {
    std::vector<PostSample> out;
    db.each<SamplePost>(
        R"((SELECT s.id, s.in_reply_to_id, s.uri, a.username, s.text, s.content_warning, s.content_warning_text,
                   s.language, s.visibility, s.created_at, s.edited_at, p.options,
                   (SELECT count(*) FROM status_faves f WHERE f.status_id = s.id AND NOT f.pending_approval)
                       AS favourites,
                   (SELECT count(*) FROM statuses b WHERE b.boost_of_id = s.id AND NOT b.pending_approval) AS boosts,
                   (SELECT count(*) FROM media_attachments m WHERE m.status_id = s.id) AS media,
                   (SELECT count(*) FROM mentions n WHERE n.status_id = s.id) AS mentions,
                   (SELECT count(*) FROM status_to_tags t WHERE t.status_id = s.id) AS tags
            FROM statuses s JOIN accounts a ON a.id = s.account_id LEFT JOIN polls p ON p.id = s.poll_id
            WHERE s.local AND NOT s.pending_approval AND s.boost_of_id IS NULL
            ORDER BY random() LIMIT )" +
            std::to_string(most) + ") AS x",
        "ORDER BY id",
        {},
        [&](SamplePost s) {
            PostSample post;
            post.former = std::move(s.id);
            post.address = std::move(s.uri);
            post.author = std::move(s.username);
            if (!s.text.empty()) post.text = std::move(s.text);
            post.spoiler_text =
                std::move(s.content_warning_text.empty() ? s.content_warning : s.content_warning_text);
            post.visibility = visibility_of(s.visibility);
            post.language = std::move(s.language);
            post.created_at = s.created_at;
            post.edited = s.edited_at.has_value();
            post.answers = !s.in_reply_to_id.empty();
            post.count(s);
            post.options = std::ssize(s.options.items);
            out.push_back(std::move(post));
        },
        [](auto&, auto&) {}
    );
    return out;
}

}  // namespace takeover::gotosocial
