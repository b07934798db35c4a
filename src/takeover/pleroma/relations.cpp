// SPDX-License-Identifier: AGPL-3.0-or-later
// Between two people, or somebody and a post.
#include "base/json.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

MaybeText uri_of(const MaybeText& uri) {
    if (!uri || !is_address(*uri)) return std::nullopt;
    return uri;
}

// The address of the last activity of a kind between two, which others name when they take it back.
#define PLEROMA_LAST_OF(KIND)                                                                         \
    "(SELECT DISTINCT ON (actor, about) actor, about, uri FROM (SELECT a.id, a.actor, " PLEROMA_ABOUT \
    " AS about, a.data->>'id' AS uri FROM activities a WHERE a.data->>'type' = '" KIND                \
    "') y ORDER BY actor, about, id DESC)"

}  // namespace

void copy_follows(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT r.id, f.ap_id AS follower, t.ap_id AS followed, f.local, r.state = 1 AS pending, "
        "r.inserted_at, "
        "EXISTS (SELECT 1 FROM user_relationships m WHERE m.source_id = f.id AND m.target_id = t.id "
        "AND m.relationship_type = 3) AS hides_boosts, "
        "EXISTS (SELECT 1 FROM user_relationships s WHERE s.source_id = t.id AND s.target_id = f.id "
        "AND s.relationship_type = 5) AS notifies, a.uri "
        "FROM following_relationships r JOIN users f ON f.id = r.follower_id JOIN users t ON t.id = "
        "r.following_id "
        "LEFT JOIN " PLEROMA_LAST_OF("Follow"
        ) " a ON a.actor = f.ap_id AND a.about = t.ap_id WHERE r.state IN (1, 2)) AS x";
    r.each<Follow>("follow", from, position, sink, [&](const Follow& f) {
        const auto who = r.account(sink, f.follower), whom = r.account(sink, f.followed);
        if (!who || !whom || *who == *whom) return;
        FollowRow row;
        row.id =
            sink.numbers.give(f.pending ? "follow request" : "follow", std::to_string(f.id), f.inserted_at);
        row.account_id = *who;
        row.target_id = *whom;
        row.show_reblogs = !f.hides_boosts;
        row.notify = f.notifies;
        row.request = f.pending;
        row.uri = uri_of(f.uri);
        row.created_at = f.inserted_at;
        row.backfills = f.local;
        sink.put(std::move(row));
    });
}

// Blocks, mutes and what was chosen about suggestions; what belongs to a follow came with it.
void copy_relations(const Reading& r, const std::string& position, Sink& sink) {
    enum Type : std::int64_t { block = 1, mute = 2, dismissal = 6, endorsement = 7 };
    const std::string until = std::ranges::count(r.db.columns_of("user_relationships"), "expires_at") > 0
                                  ? "r.expires_at"
                                  : "CAST(NULL AS timestamp)";
    const auto from =
        "(SELECT r.id, s.ap_id AS source, t.ap_id AS target, r.relationship_type, r.inserted_at, " + until +
        " AS expires_at, EXISTS (SELECT 1 FROM user_relationships n WHERE n.source_id = r.source_id "
        "AND n.target_id = r.target_id AND n.relationship_type = 4) AS silences, a.uri "
        "FROM user_relationships r JOIN users s ON s.id = r.source_id JOIN users t ON t.id = r.target_id "
        "LEFT JOIN " PLEROMA_LAST_OF("Block"
        ) " a ON r.relationship_type = 1 AND a.actor = s.ap_id AND a.about = t.ap_id "
          "WHERE r.relationship_type IN (1, 2, 6, 7)) AS x";
    r.each<Relation>("relation", from, position, sink, [&](const Relation& x) {
        const auto source = r.account(sink, x.source), target = r.account(sink, x.target);
        if (!source || !target || *source == *target) return;
        const auto former = std::to_string(x.id);
        switch (x.relationship_type) {
            case block:
                return sink.put(BlockRow{
                    sink.numbers.give("block", former, x.inserted_at),
                    *source,
                    *target,
                    uri_of(x.uri),
                    x.inserted_at
                });
            case mute:
                if (x.expires_at && *x.expires_at <= r.choice.now) return;
                return sink.put(MuteRow{
                    sink.numbers.give("mute", former, x.inserted_at),
                    *source,
                    *target,
                    x.silences,
                    x.expires_at,
                    x.inserted_at
                });
            case dismissal: return sink.put(SuggestionDismissalRow{*source, *target});
            case endorsement: return sink.put(EndorsementRow{*source, *target, x.inserted_at});
            default: return;
        }
    });
}

void copy_notes(const Reading& r, const std::string& position, Sink& sink) {
    if (!r.has("user_notes")) return;
    const char* from =
        "(SELECT n.id, s.ap_id AS source, t.ap_id AS target, n.comment FROM user_notes n "
        "JOIN users s ON s.id = n.source_id JOIN users t ON t.id = n.target_id) AS x";
    r.each<Note>("note", from, position, sink, [&](const Note& n) {
        const auto source = r.account(sink, n.source), target = r.account(sink, n.target);
        if (source && target && !n.comment.empty()) sink.put(NoteRow{*source, *target, n.comment});
    });
}

// A reaction with an emoji is a like here; of several to one post one stays.
void copy_favourites(const Reading& r, const std::string& position, Sink& sink) {
    const char* from = "(SELECT a.data->>'id' AS uri, a.id, a.data->>'type' AS type, a.actor, " PLEROMA_ABOUT
                       " AS object, '' AS context, CAST(NULL AS text) AS \"to\", CAST(NULL AS text) AS cc, "
                       "CAST(NULL AS text) AS published, a.local, a.inserted_at FROM activities a "
                       "WHERE a.data->>'type' IN ('Like', 'EmojiReact')) AS x";
    r.each<Activity>("favourite", from, position, sink, [&](const Activity& a) {
        const auto account = r.account(sink, a.actor), status = r.status(sink, a.object);
        if (!account || !status) return;
        if (!is_address(a.uri) || r.is_here(a.uri) != r.is_here(a.actor))
            return sink.refuse("favourite", a.uri, "its id is of another server than who likes");
        sink.put(FavouriteRow{sink.numbers.give("favourite", a.uri, a.inserted_at), *account, *status, a.uri}
        );
    });
}

void copy_bookmarks(const Reading& r, const std::string& position, Sink& sink) {
    const char* from = "(SELECT b.id, u.ap_id AS owner, " PLEROMA_ABOUT
                       " AS object, b.inserted_at FROM bookmarks b JOIN users u ON u.id = b.user_id "
                       "JOIN activities a ON a.id = b.activity_id) AS x";
    r.each<Bookmark>("bookmark", from, position, sink, [&](const Bookmark& b) {
        const auto account = r.account(sink, b.owner), status = r.status(sink, b.object);
        if (account && status)
            sink.put(BookmarkRow{
                sink.numbers.give("bookmark", std::to_string(b.id), b.inserted_at), *account, *status
            });
    });
}

void copy_thread_mutes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT m.id, u.ap_id AS owner, m.context AS what FROM thread_mutes m JOIN users u ON u.id = "
        "m.user_id) AS x";
    r.each<Owned>("thread mute", from, position, sink, [&](const Owned& m) {
        const auto account = r.account(sink, m.owner), thread = sink.numbers.find("thread", m.what);
        if (account && thread) sink.put(ConversationMuteRow{*account, *thread});
    });
}

void copy_followed_tags(const Reading& r, const std::string& position, Sink& sink) {
    if (!r.has("user_follows_hashtag")) return;
    const char* from =
        "(SELECT f.id, u.ap_id AS owner, h.name AS what FROM user_follows_hashtag f JOIN users u ON u.id = "
        "f.user_id "
        "JOIN hashtags h ON h.id = f.hashtag_id) AS x";
    r.each<Owned>("followed tag", from, position, sink, [&](const Owned& f) {
        const auto account = r.account(sink, f.owner), name = tag(r, f.what, r.choice.now, sink);
        if (account && name)
            sink.put(TagFollowRow{
                sink.numbers.give("tag follow", std::to_string(f.id), r.choice.now), *account, *name
            });
    });
}

void copy_lists(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT l.id, u.ap_id AS owner, l.title, l.inserted_at FROM lists l JOIN users u ON u.id = "
        "l.user_id) AS x";
    r.each<List>("list", from, position, sink, [&](const List& l) {
        if (const auto account = r.account(sink, l.owner))
            sink.put(ListRow{
                sink.numbers.give("list", std::to_string(l.id), l.inserted_at),
                *account,
                l.title,
                "list",
                false
            });
    });
}

// They are named by where their followers are counted, or by themselves. At once, and again if it was cut off.
void copy_list_members(const Reading& r, const std::string&, Sink& sink) {
    const char* from =
        "(SELECT l.id, u.ap_id AS owner, '' AS what FROM (SELECT id, unnest(following) AS f FROM lists) l "
        "JOIN "
        "(SELECT ap_id, follower_address AS f FROM users UNION ALL SELECT ap_id, ap_id FROM users) u USING "
        "(f)) "
        "AS x";
    r.db.each<Owned>(
        from,
        "ORDER BY x.id",
        {},
        [&](const Owned& m) {
            const auto list = sink.numbers.find("list", std::to_string(m.id)),
                       account = r.account(sink, m.owner);
            if (list && account) sink.put(ListMemberRow{*list, *account});
            sink.done("");
        },
        r.refusing("list member", sink)
    );
}

void copy_filters(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT f.id, u.ap_id AS owner, f.phrase, f.hide, f.whole_word, f.context, f.expires_at, "
        "f.inserted_at "
        "FROM filters f JOIN users u ON u.id = f.user_id) AS x";
    r.each<Filter>("filter", from, position, sink, [&](const Filter& f) {
        const auto account = r.account(sink, f.owner);
        if (!account || f.phrase.empty() || (f.expires_at && *f.expires_at <= r.choice.now)) return;
        std::vector<std::string> contexts;
        for (const char* known : {"home", "notifications", "public", "thread", "account"})
            if (std::ranges::find(f.context.items, known) != f.context.items.end())
                contexts.emplace_back(known);
        if (contexts.empty()) contexts = {"home"};
        const auto former = std::to_string(f.id);
        const auto id = sink.numbers.give("filter", former, f.inserted_at);
        sink.put(FilterRow{
            id,
            *account,
            f.phrase,
            base::json::to_string(contexts),
            f.hide ? filters::Action::hide : filters::Action::warn,
            f.expires_at
        });
        sink.put(FilterKeywordRow{
            sink.numbers.give("filter_keyword", former, f.inserted_at), id, f.phrase, f.whole_word
        });
    });
}

// A vote is an object that answers the question and is called as a choice of it.
void copy_votes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT v.data->>'id' AS uri, v.id, v.data->>'actor' AS actor, v.data->>'inReplyTo' AS question, "
        "v.data->>'name' AS name, q.data->'oneOf' AS one_of, q.data->'anyOf' AS any_of FROM objects v "
        "JOIN objects q ON q.data->>'id' = v.data->>'inReplyTo' "
        "WHERE v.data->>'type' = 'Answer' AND q.data->>'type' = 'Question') AS x";
    r.each<Answer>("vote", from, position, sink, [&](const Answer& v) {
        const auto account = r.account(sink, v.actor), question = r.status(sink, v.question);
        if (!account || !question) return;
        const auto choices =
            object_of("{\"all\":" + (v.one_of.empty() || v.one_of == "[]" ? v.any_of : v.one_of) + "}");
        if (!choices) return;
        std::int64_t at = 0;
        for (const auto* item : list(*choices, "all")) {
            const auto* choice = item->if_object();
            if (choice && text(*choice, "name") == v.name)
                return sink.put(VoteRow{*question, *account, at, at});
            if (choice) ++at;
        }
        sink.refuse("vote", v.uri, "the poll has no such choice");
    });
}

void copy_quotes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT o.data->>'id' AS uri, o.id, o.data->>'actor' AS actor, q.data->>'id' AS quoted, "
        "q.data->>'actor' AS quoted_actor, o.inserted_at FROM objects o "
        "JOIN objects q ON q.data->>'id' = " PLEROMA_QUOTED("o") " WHERE o.data->>'type' IN " PLEROMA_POSTS
                                                                 ") AS x";
    r.each<Quote>("quote", from, position, sink, [&](const Quote& q) {
        const auto status = r.status(sink, q.uri), quoted = r.status(sink, q.quoted);
        const auto by = r.account(sink, q.actor), of = r.account(sink, q.quoted_actor);
        if (!status || !quoted || !by || !of || *status == *quoted) return;
        QuoteRow row;
        row.id = sink.numbers.give("quote", q.uri, q.inserted_at);
        row.status_id = *status;
        row.account_id = *by;
        row.quoted_id = *quoted;
        row.quoted_account_id = *of;
        row.state = "accepted";
        row.legacy = true;
        row.created_at = q.inserted_at;
        sink.put(std::move(row));
    });
}

}  // namespace takeover::pleroma
