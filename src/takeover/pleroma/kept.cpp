// SPDX-License-Identifier: AGPL-3.0-or-later
// Which posts and people come along: what is of this site, and what somebody here has to do with.
#include "takeover/pleroma/reading.hpp"

#include <charconv>
#include <unordered_set>

namespace takeover::pleroma {

namespace {

#define HERE "(SELECT ap_id FROM users WHERE local)"
// Posts o, and posts p, that were written here.
#define OWN_O "o.data->>'actor' IN " HERE " AND o.data->>'type' IN " PLEROMA_POSTS
#define OWN_P "p.data->>'actor' IN " HERE " AND p.data->>'type' IN " PLEROMA_POSTS
#define OBJECTS "SELECT o.id FROM objects o WHERE "

constexpr const char* objects[] = {
    OBJECTS OWN_O,
    // Threads that somebody here has a part in.
    OBJECTS "o.data->>'context' IN (SELECT DISTINCT p.data->>'context' FROM objects p WHERE " OWN_P ")",
    OBJECTS "o.data->>'inReplyTo' IN (SELECT p.data->>'id' FROM objects p WHERE " OWN_P ")",
    OBJECTS "o.data->>'id' IN (SELECT p.data->>'inReplyTo' FROM objects p WHERE " OWN_P ")",
    OBJECTS "o.data->>'id' IN (SELECT " PLEROMA_QUOTED("p") " FROM objects p WHERE " OWN_P ")",
    OBJECTS PLEROMA_QUOTED("o") " IN (SELECT p.data->>'id' FROM objects p WHERE " OWN_P ")",
    // What somebody here liked or boosted, keeps, or heard of.
    OBJECTS "o.data->>'id' IN (SELECT " PLEROMA_ABOUT " FROM activities a WHERE a.actor IN " HERE
            " AND a.data->>'type' IN ('Like', 'EmojiReact', 'Announce'))",
    OBJECTS "o.data->>'id' IN (SELECT " PLEROMA_ABOUT
            " FROM activities a JOIN bookmarks b ON b.activity_id = a.id)",
    OBJECTS "o.data->>'id' IN (SELECT " PLEROMA_ABOUT
            " FROM activities a JOIN notifications n ON n.activity_id = a.id)",
    // What was sent to somebody here by name.
    OBJECTS "o.data->>'id' IN (SELECT " PLEROMA_ABOUT
            " FROM activities a WHERE a.data->>'type' = 'Create' AND a.recipients && "
            "CAST(ARRAY(SELECT ap_id FROM users WHERE local) AS varchar[]))",
    OBJECTS
    "o.data->>'id' IN (SELECT jsonb_path_query(a.data, '$.object[*]') #>> '{}' FROM activities a WHERE "
    "a.data->>'type' = 'Flag')",
    OBJECTS
    "o.data->>'id' IN (SELECT jsonb_path_query(a.data, '$.object[*].id') #>> '{}' FROM activities a WHERE "
    "a.data->>'type' = 'Flag')",
    // Polls that somebody here voted in.
    OBJECTS
    "o.data->>'id' IN (SELECT v.data->>'inReplyTo' FROM objects v WHERE "
    "v.data->>'type' = 'Answer' AND v.data->>'actor' IN " HERE ")",
};

constexpr const char* people[] = {
    "SELECT ap_id FROM users WHERE id IN (SELECT follower_id FROM following_relationships UNION SELECT "
    "following_id FROM following_relationships)",
    "SELECT ap_id FROM users WHERE id IN (SELECT source_id FROM user_relationships UNION SELECT target_id "
    "FROM "
    "user_relationships)",
    "SELECT a.actor FROM notifications n JOIN activities a ON a.id = n.activity_id",
    // Whom the team deactivated or deleted. Who went by themselves looks the same; both stay away.
    "SELECT ap_id FROM users WHERE NOT is_active AND COALESCE(inbox, '') <> ''",
    "SELECT a.actor FROM activities a WHERE a.data->>'type' = 'Flag'",
    "SELECT jsonb_path_query(a.data, '$.object[*]') #>> '{}' FROM activities a WHERE a.data->>'type' = "
    "'Flag'",
    "SELECT ap_id FROM users WHERE follower_address IN (SELECT unnest(following) FROM lists) OR ap_id IN "
    "(SELECT unnest(following) FROM lists)",
    "SELECT a.actor FROM activities a JOIN objects o ON o.data->>'id' = " PLEROMA_ABOUT
    " WHERE a.data->>'type' IN ('Like', 'EmojiReact', 'Announce') AND " OWN_O,
    "SELECT v.data->>'actor' FROM objects v JOIN objects o ON o.data->>'id' = v.data->>'inReplyTo' WHERE "
    "v.data->>'type' = 'Answer' AND " OWN_O,
};

// Kept posts alone, and what of them says who is named.
constexpr const char* named =
    "(SELECT o.data->>'id' AS uri, o.id, o.data->>'actor' AS actor, o.data->>'context' AS context, "
    "jsonb_build_object('tag', o.data->'tag', 'to', o.data->'to', 'cc', o.data->'cc') AS people, "
    "o.data->>'published' AS published, o.inserted_at FROM objects o "
    "WHERE o.id = ANY(CAST($1 AS bigint[])) AND o.data->>'type' IN " PLEROMA_POSTS ") AS x";

constexpr const char* boosts =
    "(SELECT a.data->>'id' AS uri, a.id, a.data->>'type' AS type, a.actor, " PLEROMA_ABOUT
    " AS object, '' AS context, CAST(NULL AS text) AS \"to\", CAST(NULL AS text) AS cc, "
    "a.data->>'published' AS published, a.local, a.inserted_at "
    "FROM activities a WHERE a.data->>'type' IN ('Announce', 'Create')) AS x";

using People = std::unordered_set<std::string>;

void note_people(const Named& n, People& out) {
    out.insert(n.actor);
    const auto all = object_of(n.people);
    if (!all) return;
    for (const char* name : {"to", "cc"})
        for (auto& who : texts(*all, name)) out.insert(std::move(who));
    for (const auto* item : list(*all, "tag"))
        if (const auto* mention = item->if_object(); mention && text(*mention, "type") == "Mention")
            out.insert(text(*mention, "href"));
}

}  // namespace

KeptRows find_kept(db::Foreign& db, bool everything) {
    KeptRows kept;
    auto add = [&](const char* sql) {
        db.run(sql, {}, [&](const db::Foreign::Row& row) {
            std::int64_t id = 0;
            if (!row[0]) return;
            std::from_chars(row[0]->data(), row[0]->data() + row[0]->size(), id);
            kept.objects.push_back(id);
        });
        std::ranges::sort(kept.objects);
        const auto rest = std::ranges::unique(kept.objects);
        kept.objects.erase(rest.begin(), rest.end());
    };
    if (everything) add("SELECT o.id FROM objects o WHERE o.data->>'type' IN " PLEROMA_POSTS);
    else
        for (const auto* sql : objects) add(sql);
    return kept;
}

// From the beginning each time: what was given before is given again.
void give_numbers(const Reading& r, const std::string&, Sink& sink) {
    auto& numbers = sink.numbers;
    People known;
    const auto& ids = r.kept.objects;
    constexpr std::size_t part = 10'000;
    for (std::size_t at = 0; at < ids.size(); at += part)
        r.db.each<Named>(
            named,
            "ORDER BY x.id",
            {as_array(ids.data() + at, ids.data() + std::min(at + part, ids.size()))},
            [&](const Named& n) {
                const auto date = dated(n.published, n.inserted_at);
                numbers.give("status", n.uri, date);
                numbers.give("thread", thread_of(n.context, n.uri), date);
                note_people(n, known);
                sink.done("");
            },
            r.refusing("status", sink)
        );
    for (const auto* sql : people)
        r.db.run(sql, {}, [&](const db::Foreign::Row& row) { known.emplace(row[0].value_or("")); });
    // Boosts by accounts that nobody here has to do with are not copied.
    r.db.each<Activity>(
        boosts,
        "WHERE x.type = 'Announce' ORDER BY x.id",
        {},
        [&](const Activity& a) {
            // The server repeats each public post to its relays; nobody boosted it.
            if (a.local && is_server_actor(a.actor)) return;
            if (!numbers.find("status", a.object)) return;
            if (!a.local && !r.is_here(a.object) && !r.choice.everything) return;
            numbers.give("status", a.uri, dated(a.published, a.inserted_at));
            sink.done("");
        },
        r.refusing("status", sink)
    );
    r.db.each<User>(
        table<User>(r.db, "users"),
        "WHERE COALESCE(x.ap_id, '') <> '' ORDER BY x.inserted_at, x.id",
        {},
        [&](const User& u) {
            const bool wanted = u.local || r.choice.everything || known.contains(u.ap_id);
            if (!wanted || (u.local && is_server_actor(u.ap_id))) return;
            numbers.set("account", flake_of(u.id), numbers.give("account", u.ap_id, u.inserted_at));
            sink.done("");
        },
        r.refusing("account", sink)
    );
}

// Ids of the API are those of activities; and others know what was written here by the activity, too.
void name_statuses(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Activity>("status", boosts, position, sink, [&](const Activity& a) {
        const bool boost = a.type == "Announce";
        const auto id = r.status(sink, boost ? a.uri : a.object);
        if (!id) return;
        sink.numbers.set("status", flake_of(a.id), *id);
        if (a.local && !boost && r.is_here(a.uri) && a.uri != a.object)
            sink.put(FormerPathRow{a.uri.substr(r.site.public_url.size()), "activity", *id, std::nullopt});
    });
}

}  // namespace takeover::pleroma
