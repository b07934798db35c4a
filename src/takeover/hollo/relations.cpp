// SPDX-License-Identifier: AGPL-3.0-or-later
// Between two people, or somebody and a post.
#include "base/json.hpp"
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

namespace {

// As a browser writes what stands behind "#" in an address.
std::string fragment(std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = byte > 0x20 && byte < 0x7f && c != '"' && c != '<' && c != '>' && c != '`';
        if (plain) out += c;
        else out.append({'%', hex[byte >> 4], hex[byte & 15]});
    }
    return out;
}

// Under which others know it, where it came from here.
MaybeText like_uri(const Reading& r, const Like& l) {
    if (!l.local) return std::nullopt;
    if (l.emoji.empty()) return l.account_iri + "#likes/" + l.date;
    return r.site.public_url + "/#react/" + l.account + "/" + l.post + "/" + fragment(l.emoji);
}

}  // namespace

void copy_follows(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT f.follower_id || ' ' || f.following_id AS id, f.iri, f.follower_id AS follower, "
        "f.following_id AS following, o.id IS NOT NULL AS local, f.shares, f.notify, "
        "f.approved IS NULL AS request, f.languages, f.created "
        "FROM follows f LEFT JOIN account_owners o ON o.id = f.follower_id) AS x";
    r.each<Follow>("follow", from, position, sink, [&](const Follow& f) {
        const auto who = r.account(sink, f.follower), whom = r.account(sink, f.following);
        if (!who || !whom || *who == *whom) return;
        if (is_address(f.iri) && f.local != r.is_here(f.iri))
            return sink.refuse("follow", f.id, "its id is of another server than who follows");
        FollowRow row;
        row.id = sink.numbers.give(f.request ? "follow request" : "follow", f.id, f.created);
        row.account_id = *who;
        row.target_id = *whom;
        row.show_reblogs = f.shares;
        row.notify = f.notify;
        row.request = f.request;
        if (!f.languages.items.empty()) row.languages = base::json::to_string(f.languages.items);
        if (is_address(f.iri)) row.uri = f.iri;
        row.created_at = f.created;
        row.backfills = f.local;
        sink.put(std::move(row));
    });
}

void copy_blocks(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT b.account_id || ' ' || b.blocked_account_id AS id, b.account_id AS account, "
        "a.iri AS account_iri, b.blocked_account_id AS blocked, o.id IS NOT NULL AS local, b.created "
        "FROM blocks b JOIN accounts a ON a.id = b.account_id "
        "LEFT JOIN account_owners o ON o.id = b.account_id) AS x";
    r.each<Block>("block", from, position, sink, [&](const Block& b) {
        const auto who = r.account(sink, b.account), whom = r.account(sink, b.blocked);
        if (!who || !whom || *who == *whom) return;
        BlockRow row;
        row.id = sink.numbers.give("block", b.id, b.created);
        row.account_id = *who;
        row.target_id = *whom;
        if (b.local) row.uri = b.account_iri + "#block/" + b.blocked;
        row.created_at = b.created;
        sink.put(std::move(row));
    });
}

void copy_mutes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT m.id, m.account_id AS account, m.muted_account_id AS muted, m.notifications, "
        "CASE WHEN m.duration < interval '1000 years' THEN m.created + m.duration END AS expires, m.created "
        "FROM mutes m) AS x";
    r.each<Mute>("mute", from, position, sink, [&](const Mute& m) {
        const auto who = r.account(sink, m.account), whom = r.account(sink, m.muted);
        if (!who || !whom || *who == *whom || (m.expires && *m.expires <= r.choice.now)) return;
        sink.put(MuteRow{
            sink.numbers.give("mute", m.id, m.created), *who, *whom, m.notifications, m.expires, m.created
        });
    });
}

// A reaction with an emoji is a like here; of several to one post one stays.
void copy_favourites(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT DISTINCT ON (y.account_id, y.post_id) y.account_id || ' ' || y.post_id AS id, "
        "y.account_id AS account, a.iri AS account_iri, y.post_id AS post, y.emoji, o.id IS NOT NULL AS "
        "local, "
        "y.created, to_char(date_trunc('milliseconds', y.created AT TIME ZONE 'UTC'), "
        "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') AS date FROM (SELECT account_id, post_id, '' AS emoji, created "
        "FROM likes UNION ALL SELECT account_id, post_id, emoji, created FROM reactions) y "
        "JOIN accounts a ON a.id = y.account_id LEFT JOIN account_owners o ON o.id = y.account_id "
        "ORDER BY y.account_id, y.post_id, y.emoji <> '', y.created, y.emoji) AS x";
    r.each<Like>("favourite", from, position, sink, [&](const Like& l) {
        const auto account = r.account(sink, l.account), status = r.status(sink, l.post);
        if (account && status)
            sink.put(FavouriteRow{
                sink.numbers.give("favourite", l.id, l.created), *account, *status, like_uri(r, l)
            });
    });
}

void copy_bookmarks(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT b.account_owner_id || ' ' || b.post_id AS id, b.account_owner_id AS account, b.post_id AS "
        "other, b.created FROM bookmarks b) AS x";
    r.each<Pair>("bookmark", from, position, sink, [&](const Pair& b) {
        const auto account = r.account(sink, b.account), status = r.status(sink, b.other);
        if (account && status)
            sink.put(BookmarkRow{sink.numbers.give("bookmark", b.id, b.created), *account, *status});
    });
}

void copy_votes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT v.poll_id || ' ' || v.account_id || ' ' || v.option_index AS id, v.poll_id AS poll, "
        "v.account_id AS account, "
        "p.id AS post, v.option_index AS choice FROM poll_votes v JOIN posts p ON p.poll_id = v.poll_id) AS "
        "x";
    r.each<Vote>("vote", from, position, sink, [&](const Vote& v) {
        const auto account = r.account(sink, v.account), status = r.status(sink, v.post);
        if (account && status && !sink.is_refused("poll", v.poll))
            sink.put(VoteRow{*status, *account, v.choice, v.choice});
    });
}

// Others look at what allows a quote by its address of before.
void copy_quotes(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT p.id, p.actor_id AS account, q.id AS quoted, q.actor_id AS quoted_account, "
        "COALESCE(CAST(p.quote_state AS text), '') AS state, p.quote_authorization_iri AS authorization, "
        "q.iri AS quoted_iri, COALESCE(p.published, p.updated) AS published "
        "FROM posts p JOIN posts q ON q.id = p.quote_target_id WHERE p.sharing_id IS NULL) AS x";
    r.each<Quote>("quote", from, position, sink, [&](const Quote& q) {
        const auto status = r.status(sink, q.id), quoted = r.status(sink, q.quoted);
        const auto by = r.account(sink, q.account), of = r.account(sink, q.quoted_account);
        if (!status || !quoted || !by || !of || *status == *quoted) return;
        QuoteRow row;
        row.id = sink.numbers.give("quote", q.id, dated(r, q.published));
        row.status_id = *status;
        row.account_id = *by;
        row.quoted_id = *quoted;
        row.quoted_account_id = *of;
        // Those of older versions nobody was asked about; of what was quoted without asking nothing is shown.
        row.legacy = q.state.empty();
        row.state = q.state.empty() ? "accepted" : q.state == "unauthorized" ? "pending" : q.state;
        if (is_address(q.authorization) && host_of(q.authorization) == host_of(q.quoted_iri) &&
            !r.is_here(q.authorization))
            row.authorization_uri = q.authorization;
        row.created_at = dated(r, q.published);
        sink.put(std::move(row));
    });
}

void copy_featured_tags(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT t.id, t.account_owner_id AS account, t.name AS other, COALESCE(t.created, now()) AS created "
        "FROM featured_tags t) AS x";
    r.each<Pair>("featured tag", from, position, sink, [&](const Pair& t) {
        const auto account = r.account(sink, t.account), name = tag(r, t.other, dated(r, t.created), sink);
        if (!account || !name) return;
        const auto shown = t.other.starts_with('#') ? t.other.substr(1) : t.other;
        sink.put(FeaturedTagRow{
            sink.numbers.give("featured_tag", t.id, dated(r, t.created)), *account, *name, shown
        });
    });
}

void copy_lists(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT l.id, l.account_owner_id AS owner, l.title, l.replies_policy, l.exclusive, l.created "
        "FROM lists l) AS x";
    r.each<List>("list", from, position, sink, [&](const List& l) {
        if (const auto account = r.account(sink, l.owner))
            sink.put(ListRow{
                sink.numbers.give("list", l.id, l.created), *account, l.title, l.replies_policy, l.exclusive
            });
    });
}

void copy_list_members(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT m.list_id || ' ' || m.account_id AS id, m.list_id AS account, m.account_id AS other, "
        "m.created "
        "FROM list_members m) AS x";
    r.each<Pair>("list member", from, position, sink, [&](const Pair& m) {
        const auto list = sink.numbers.find("list", m.account), account = r.account(sink, m.other);
        if (list && account) sink.put(ListMemberRow{*list, *account});
    });
}

}  // namespace takeover::hollo
