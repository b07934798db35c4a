// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/uris.hpp"
#include "social/accounts/users/user.hpp"
#include "takeover/mastodon/reading.hpp"

namespace takeover::mastodon {

namespace {

struct SamplePerson {
    Id id = 0, followers = 0, following = 0, posts = 0;
    Text email, encrypted_password;
};
DESCRIBE(SamplePerson, id, followers, following, posts, email, encrypted_password)

struct SamplePost {
    Id id = 0, account_id = 0, in_reply_to_id = 0;
    Text uri, username, text, spoiler_text, language;
    std::int64_t visibility = 0;
    Time created_at;
    MaybeTime edited_at;
    std::int64_t favourites = 0, boosts = 0, media = 0, mentions = 0, tags = 0, options = 0;
};
DESCRIBE(
    SamplePost, id, account_id, in_reply_to_id, uri, username, text, spoiler_text, language, visibility,
    created_at, edited_at, favourites, boosts, media, mentions, tags, options
)

// Numbers of so many of these rows, whichever they are; as a parameter for "= ANY(CAST($1 AS bigint[]))".
std::string any_of(db::Foreign& db, const std::string& rows, std::size_t most) {
    std::string out = "{";
    db.run(
        "SELECT CAST(id AS TEXT) FROM " + rows + " ORDER BY random() LIMIT " + std::to_string(most),
        {},
        [&](const db::Foreign::Row& row) {
            out += (out.size() > 1 ? "," : "") + std::string(row[0].value_or("0"));
        }
    );
    return out + "}";
}

}  // namespace

Keypairs keypairs(db::Foreign& db, const std::string& which, const std::vector<std::string>& parameters) {
    Keypairs out;
    if (db.columns_of("keypairs").empty()) return out;
    db.each<Keypair>(
        table<Keypair>(db, "keypairs"),
        which,
        parameters,
        [&](Keypair row) { out[row.account_id].push_back(std::move(row)); },
        [](auto&, auto&) {}
    );
    return out;
}

std::vector<PersonSample> sample_people(const Reading& r, std::size_t most) {
    std::unordered_map<Id, SamplePerson> more;
    const auto chosen = any_of(r.db, "accounts WHERE domain IS NULL AND id > 0", most);
    r.db.each<SamplePerson>(
        "(SELECT a.id, u.email, u.encrypted_password, "
        "(SELECT count(*) FROM follows f WHERE f.target_account_id = a.id) AS followers, "
        "(SELECT count(*) FROM follows f WHERE f.account_id = a.id) AS following, "
        "(SELECT count(*) FROM statuses s WHERE s.account_id = a.id AND s.deleted_at IS NULL AND "
        "s.visibility IN "
        "(0, 1, 2)) AS posts FROM accounts a LEFT JOIN users u ON u.account_id = a.id) AS x",
        "WHERE x.id = ANY(CAST($1 AS bigint[]))",
        {chosen},
        [&](SamplePerson p) { more.emplace(p.id, std::move(p)); },
        [](auto&, auto&) {}
    );
    const auto pairs = keypairs(r.db, "WHERE x.account_id = ANY(CAST($1 AS bigint[]))", {chosen});
    std::vector<PersonSample> out;
    static const std::vector<Keypair> none;
    r.db.each<Account>(
        table<Account>(r.db, "accounts"),
        "WHERE x.id = ANY(CAST($1 AS bigint[])) ORDER BY x.id",
        {chosen},
        [&](const Account& a) {
            const auto& p = more[a.id];
            const auto actor = actor_of(r, a);
            const auto own = pairs.find(a.id);
            auto keys = own_keys(r.secrets, actor, a, own == pairs.end() ? none : own->second).keys;
            out.push_back(
                {std::to_string(a.id),
                 actor,
                 a.username,
                 a.display_name,
                 a.locked,
                 a.created_at,
                 p.followers,
                 p.following,
                 p.posts,
                 accounts::normal_email(p.email),
                 p.encrypted_password,
                 std::move(keys)}
            );
        },
        [](auto&, auto&) {}
    );
    return out;
}

std::vector<PostSample> sample_posts(const Reading& r, std::size_t most) {
    std::unordered_map<Id, std::string> actors;
    const auto chosen =
        any_of(r.db, "statuses WHERE local AND deleted_at IS NULL AND reblog_of_id IS NULL", most);
    r.db.each<Account>(
        table<Account>(r.db, "accounts"),
        "WHERE x.id IN (SELECT s.account_id FROM statuses s WHERE s.id = ANY(CAST($1 AS bigint[])))",
        {chosen},
        [&](const Account& a) { actors.emplace(a.id, actor_of(r, a)); },
        [](auto&, auto&) {}
    );
    std::vector<PostSample> out;
    r.db.each<SamplePost>(
        "(SELECT s.id, s.account_id, s.in_reply_to_id, s.uri, a.username, s.text, s.spoiler_text, "
        "s.language, "
        "s.visibility, s.created_at, s.edited_at, "
        "(SELECT count(*) FROM favourites f WHERE f.status_id = s.id) AS favourites, "
        "(SELECT count(*) FROM statuses b WHERE b.reblog_of_id = s.id AND b.deleted_at IS NULL) AS boosts, "
        "(SELECT count(*) FROM media_attachments m WHERE m.status_id = s.id) AS media, "
        "(SELECT count(*) FROM mentions n WHERE n.status_id = s.id) AS mentions, "
        "(SELECT count(*) FROM statuses_tags t WHERE t.status_id = s.id) AS tags, "
        "(SELECT COALESCE(sum(cardinality(p.options)), 0) FROM polls p WHERE p.status_id = s.id) AS options "
        "FROM statuses s JOIN accounts a ON a.id = s.account_id) AS x",
        "WHERE x.id = ANY(CAST($1 AS bigint[])) ORDER BY x.id",
        {chosen},
        [&](SamplePost s) {
            PostSample post;
            post.former = std::to_string(s.id);
            post.address = r.is_here(s.uri) ? s.uri : base::uris::status(actors[s.account_id], {s.id});
            post.author = std::move(s.username);
            post.text = std::move(s.text);
            post.spoiler_text = std::move(s.spoiler_text);
            post.visibility = visibility_of(s.visibility);
            post.language = std::move(s.language);
            post.created_at = s.created_at;
            post.edited = s.edited_at.has_value();
            post.answers = s.in_reply_to_id != 0;
            post.count(s);
            post.options = s.options;
            out.push_back(std::move(post));
        },
        [](auto&, auto&) {}
    );
    return out;
}

}  // namespace takeover::mastodon
