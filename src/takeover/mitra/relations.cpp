// SPDX-License-Identifier: AGPL-3.0-or-later
// Between two people, or somebody and a post.
#include "takeover/mitra/reading.hpp"

namespace takeover::mitra {

namespace {

// The last request is what others know a follow by.
constexpr const char* follows =
    "(SELECT r.id, r.source_id AS source, r.target_id AS target, q.id AS request, q.activity_id, " MITRA_HERE
    " AS local, COALESCE(q.has_deprecated_ap_id, FALSE) AS older_id, EXISTS (SELECT 1 FROM relationship h "
    "WHERE "
    "h.source_id = r.source_id AND h.target_id = r.target_id AND h.relationship_type = 4) AS hides_boosts, "
    "r.created_at FROM relationship r JOIN actor_profile a ON a.id = r.source_id "
    "LEFT JOIN follow_request q ON q.source_id = r.source_id AND q.target_id = r.target_id "
    "WHERE r.relationship_type = 1) AS x";
constexpr const char* requests =
    "(SELECT q.id, q.source_id AS source, q.target_id AS target, q.id AS request, q.activity_id, " MITRA_HERE
    " AS local, q.has_deprecated_ap_id AS older_id, FALSE AS hides_boosts, q.created_at "
    "FROM follow_request q JOIN actor_profile a ON a.id = q.source_id WHERE q.request_status = 1) AS x";

void take_follow(const Reading& r, const Follow& f, bool request, Sink& sink) {
    const auto who = r.account(sink, f.source), whom = r.account(sink, f.target);
    if (!who || !whom || *who == *whom) return;
    FollowRow row;
    row.id = sink.numbers.give(request ? "follow request" : "follow", f.id, f.created_at);
    row.account_id = *who;
    row.target_id = *whom;
    row.show_reblogs = !f.hides_boosts;
    row.request = request;
    if (f.local && !f.request.empty()) row.uri = r.activity("follow", f.request, f.older_id);
    else if (is_address(f.activity_id) && !r.is_here(f.activity_id)) row.uri = f.activity_id;
    row.created_at = f.created_at;
    row.backfills = f.local;
    sink.put(std::move(row));
}

}  // namespace

void copy_follows(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Follow>("follow", follows, position, sink, [&](const Follow& f) {
        take_follow(r, f, false, sink);
    });
}

void copy_follow_requests(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Follow>("follow request", requests, position, sink, [&](const Follow& f) {
        take_follow(r, f, true, sink);
    });
}

// Nobody is blocked there.
void copy_mutes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT r.id, r.source_id AS owner, r.target_id AS other, r.created_at "
        "FROM relationship r WHERE r.relationship_type = 6) AS x";
    r.each<Pair>("mute", from, position, sink, [&](const Pair& p) {
        const auto who = r.account(sink, p.owner), whom = r.account(sink, p.other);
        if (!who || !whom || *who == *whom) return;
        sink.put(MuteRow{
            sink.numbers.give("mute", p.id, p.created_at), *who, *whom, true, std::nullopt, p.created_at
        });
    });
}

// A reaction with an emoji is a like here, but for a thumb that points down; of several to one post one stays.
void copy_favourites(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT DISTINCT ON (y.author_id, y.post_id) y.id, y.author_id AS author, y.post_id AS post, "
        "y.activity_id, " MITRA_HERE
        " AS local, y.has_deprecated_ap_id AS older_id, y.created_at FROM post_reaction y "
        "JOIN actor_profile a ON a.id = y.author_id WHERE y.content IS DISTINCT FROM '\xf0\x9f\x91\x8e' "
        "ORDER BY y.author_id, y.post_id, y.content IS NOT NULL, y.created_at, y.id) AS x";
    r.each<Reaction>("favourite", from, position, sink, [&](const Reaction& l) {
        const auto account = r.account(sink, l.author), status = r.status(sink, l.post);
        if (!account || !status) return;
        FavouriteRow row;
        row.id = sink.numbers.give("favourite", l.id, l.created_at);
        row.account_id = *account;
        row.status_id = *status;
        if (l.local) row.uri = r.activity("like", l.id, l.older_id);
        else if (is_address(l.activity_id) && !r.is_here(l.activity_id)) row.uri = l.activity_id;
        sink.put(std::move(row));
    });
}

void copy_bookmarks(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT b.id, b.owner_id AS owner, b.post_id AS other, b.created_at FROM bookmark b) AS "
        "x";
    r.each<Pair>("bookmark", from, position, sink, [&](const Pair& b) {
        const auto account = r.account(sink, b.owner), status = r.status(sink, b.other);
        if (account && status)
            sink.put(BookmarkRow{sink.numbers.give("bookmark", b.id, b.created_at), *account, *status});
    });
}

// A vote is called as a choice of the poll.
void copy_votes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT v.id, v.poll_id AS poll, v.voter_id AS voter, v.choice, p.results FROM poll_vote v "
        "JOIN poll p ON p.id = v.poll_id) AS x";
    r.each<Vote>("vote", from, position, sink, [&](const Vote& v) {
        const auto account = r.account(sink, v.voter), status = r.status(sink, v.poll);
        if (!account || !status || sink.is_refused("poll", v.poll)) return;
        const auto options = options_of(v.results);
        for (std::size_t i = 0; i < options.size(); ++i)
            if (options[i].first == v.choice) {
                const auto at = static_cast<std::int64_t>(i);
                return sink.put(VoteRow{*status, *account, at, at});
            }
        sink.refuse("vote", v.id, "the poll has no such choice");
    });
}

// Of several links to posts the first is told as a quote there; nobody was asked.
#define QUOTED                                                                                            \
    "(SELECT DISTINCT ON (l.source_id) l.source_id AS id, l.target_id AS quoted, p.author_id AS author, " \
    "q.author_id AS quoted_author, p.created_at FROM post_link l JOIN post p ON p.id = l.source_id "      \
    "JOIN post q ON q.id = l.target_id WHERE q.repost_of_id IS NULL ORDER BY l.source_id, l.target_id) AS x"

void copy_quotes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Quote>("quote", QUOTED, position, sink, [&](const Quote& q) {
        const auto status = r.status(sink, q.id), quoted = r.status(sink, q.quoted);
        const auto by = r.account(sink, q.author), of = r.account(sink, q.quoted_author);
        if (!status || !quoted || !by || !of || *status == *quoted) return;
        QuoteRow row;
        row.id = sink.numbers.give("quote", q.id, dated(r, q.created_at));
        row.status_id = *status;
        row.account_id = *by;
        row.quoted_id = *quoted;
        row.quoted_account_id = *of;
        row.state = "accepted";
        row.legacy = true;
        row.created_at = dated(r, q.created_at);
        sink.put(std::move(row));
    });
}

// A feed is made of what some people write: a list.
void copy_lists(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT f.id, f.owner_id AS owner, f.feed_name, u.created_at FROM custom_feed f "
        "JOIN user_account u ON u.id = f.owner_id) AS x";
    r.each<Feed>("list", from, position, sink, [&](const Feed& f) {
        if (const auto account = r.account(sink, f.owner))
            sink.put(
                ListRow{sink.numbers.give("list", f.id, f.created_at), *account, f.feed_name, "list", false}
            );
    });
}

void copy_list_members(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT s.feed_id || ' ' || s.source_id AS id, s.feed_id AS owner, s.source_id AS other, "
        "now() AS created_at FROM custom_feed_source s) AS x";
    r.each<Pair>("list member", from, position, sink, [&](const Pair& m) {
        const auto list = sink.numbers.find("list", m.owner), account = r.account(sink, m.other);
        if (list && account) sink.put(ListMemberRow{*list, *account});
    });
}

}  // namespace takeover::mitra
