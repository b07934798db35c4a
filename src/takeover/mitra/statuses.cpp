// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts and boosts, which are rows of one table.
#include "base/text/html/html.hpp"
#include "takeover/compose.hpp"
#include "takeover/mitra/reading.hpp"

#include <algorithm>
#include <unordered_map>

namespace takeover::mitra {

namespace {

constexpr const char* posts =
    "(SELECT p.id, p.author_id AS author, " MITRA_HERE
    " AS local, p.title, p.content, p.content_source, p.language, p.conversation_id AS conversation, "
    "p.in_reply_to_id AS answers, t.author_id AS answers_author, p.repost_of_id AS boosts, "
    "s.conversation_id AS boosts_conversation, p.repost_has_deprecated_ap_id AS older_boost_id, "
    "p.visibility, "
    "p.is_sensitive, p.is_pinned, p.url, p.object_id, a.actor_json->>'id' AS actor, "
    "c.object_id AS conversation_uri, c.is_managed AS conversation_here, p.created_at, p.updated_at "
    "FROM post p JOIN actor_profile a ON a.id = p.author_id LEFT JOIN post t ON t.id = p.in_reply_to_id "
    "LEFT JOIN post s ON s.id = p.repost_of_id LEFT JOIN conversation c ON c.id = p.conversation_id) AS x";

enum Visibility : std::int64_t {
    everybody = 1,
    direct = 2,
    followers = 3,
    subscribers = 4,
    conversation = 5
};

struct MentionRead {
    Text post, account, username, domain, url;
    bool local = false;
};
DESCRIBE(MentionRead, post, account, username, domain, url, local)

// A hashtag of a post, somebody who sees it, or what it quotes.
struct TagRead {
    Text post, name;
};
DESCRIBE(TagRead, post, name)

// What other tables have about some posts, by these.
struct Around {
    std::unordered_map<Text, std::vector<MentionRead>> mentions;
    std::unordered_map<Text, std::vector<Text>> tags, readers;
    std::unordered_map<Text, std::vector<Medium>> media;
    std::unordered_map<Text, Poll> polls;
    std::unordered_map<Text, std::vector<Text>> quoted;
};

// Who sees what is for those of a thread: of those who wrote in it, whose first post it is, and who follow them or have subscribed,
// as that post says. Of what is for subscribers these are among those who are mentioned.
constexpr const char* readers =
    "(SELECT DISTINCT p.id AS post, o.author_id AS name FROM post p JOIN conversation c ON c.id = "
    "p.conversation_id "
    "JOIN post root ON root.id = c.root_id JOIN post o ON o.conversation_id = p.conversation_id AND "
    "o.author_id <> p.author_id WHERE p.visibility = 5 AND (o.author_id = root.author_id OR EXISTS ("
    "SELECT 1 FROM relationship r WHERE r.source_id = o.author_id AND r.target_id = root.author_id AND "
    "(root.visibility = 3 AND r.relationship_type = 1 OR root.visibility = 4 AND r.relationship_type = "
    "3)))) AS x";

Around around_of(const Reading& r, const std::vector<Post>& rows, Sink& sink) {
    std::string ids;
    for (const auto& post : rows) ids += (ids.empty() ? "{" : ",") + post.id;
    Around out;
    if (ids.empty()) return out;
    ids += "}";
    const std::string among = "WHERE x.post = ANY(CAST($1 AS uuid[])) ORDER BY x.post, ";
    r.db.each<MentionRead>(
        "(SELECT m.post_id AS post, m.profile_id AS account, a.username, COALESCE(a.webfinger_hostname, "
        "a.hostname, '') AS domain, COALESCE(a.actor_json->>'url', a.actor_json->>'id') AS url, " MITRA_HERE
        " AS local, m.id AS number FROM post_mention m JOIN actor_profile a ON a.id = m.profile_id) AS x",
        among + "x.number",
        {ids},
        [&](MentionRead m) { out.mentions[m.post].push_back(std::move(m)); },
        r.refusing("mention", sink)
    );
    r.db.each<TagRead>(
        "(SELECT p.post_id AS post, t.tag_name AS name FROM post_tag p JOIN tag t ON t.id = p.tag_id) AS x",
        among + "x.name",
        {ids},
        [&](TagRead t) { out.tags[t.post].push_back(std::move(t.name)); },
        r.refusing("hashtag", sink)
    );
    r.db.each<TagRead>(
        readers,
        among + "x.name",
        {ids},
        [&](TagRead t) { out.readers[t.post].push_back(std::move(t.name)); },
        r.refusing("reader", sink)
    );
    r.db.each<TagRead>(
        "(SELECT l.source_id AS post, l.target_id AS name FROM post_link l) AS x",
        among + "x.name",
        {ids},
        [&](TagRead l) { out.quoted[l.post].push_back(std::move(l.name)); },
        r.refusing("quote", sink)
    );
    r.db.each<Medium>(
        "(SELECT m.id, m.post_id AS post, m.media, m.description, m.created_at FROM media_attachment m) AS x",
        among + "x.created_at, x.id",
        {ids},
        [&](Medium m) { out.media[m.post].push_back(std::move(m)); },
        r.refusing("media", sink)
    );
    r.db.each<Poll>(
        "poll AS x",
        "WHERE x.id = ANY(CAST($1 AS uuid[])) ORDER BY x.id",
        {ids},
        [&](Poll p) { out.polls.emplace(p.id, std::move(p)); },
        r.refusing("poll", sink)
    );
    return out;
}

template <class T>
const std::vector<T>& of_post(const std::unordered_map<Text, std::vector<T>>& all, const Text& id) {
    static const std::vector<T> none;
    const auto found = all.find(id);
    return found == all.end() ? none : found->second;
}

std::optional<std::string> objection(const Reading& r, const Post& post) {
    if (post.local) return std::nullopt;
    if (!is_address(post.object_id)) return "its id is no address";
    if (r.is_here(post.object_id)) return "it is of another server, its id is of this one";
    if (host_of(post.object_id) != host_of(post.actor)) return "its id is of another server than its author";
    return std::nullopt;
}

statuses::Visibility visibility_of(std::int64_t number) {
    if (number == everybody) return statuses::Visibility::public_;
    return number == followers ? statuses::Visibility::private_ : statuses::Visibility::direct;
}

// A title, which posts have none of here, is the first line. What was typed is Markdown there.
void say(const Reading& r, const Post& post, const std::vector<MentionRead>& mentions, StatusRow& row) {
    row.content = base::text::sanitize(post.content);
    if (!post.title.empty())
        row.content = "<p><strong>" + base::text::escape(post.title) + "</strong></p>" + row.content;
    if (!post.local) {
        row.content_type = "text/html";
        return;
    }
    if (!post.content_source) {
        row.content_type = "text/plain";
        row.text = base::text::plain_text(row.content);
        return;
    }
    row.content_type = "text/markdown";
    row.text = post.title.empty() ? *post.content_source : post.title + "\n\n" + *post.content_source;
    std::vector<Mentioned> links;
    for (const auto& m : mentions)
        links.push_back(
            {m.username, m.local ? "" : m.domain, m.local ? r.site.public_url + "/@" + m.username : m.url}
        );
    row.content = html_of(r.site, row.text, row.content_type, links);
}

void address(const Reading& r, const Post& post, const Around& around, StatusRow& row, Sink& sink) {
    auto add = [&](const Text& who, bool silent) {
        const auto id = r.account(sink, who);
        if (id && *id != row.account_id &&
            std::ranges::find(row.mentions, *id, &MentionRow::account_id) == row.mentions.end())
            row.mentions.push_back({*id, silent});
    };
    for (const auto& m : of_post(around.mentions, post.id)) add(m.account, false);
    for (const auto& who : of_post(around.readers, post.id)) add(who, true);
    for (const auto& name : of_post(around.tags, post.id))
        if (const auto id = tag(r, name, row.created_at, sink);
            id && std::ranges::find(row.tags, *id) == row.tags.end())
            row.tags.push_back(*id);
    if (!row.mentions.empty()) row.relations |= statuses::has_mentions;
    if (!row.tags.empty()) row.relations |= statuses::has_tags;
}

constexpr const char* parent = "SELECT in_reply_to_id FROM post WHERE id = CAST($1 AS uuid)";

void place(const Reading& r, const Post& post, StatusRow& row, Sink& sink) {
    auto next = [&](const auto& id) { return first_text(r.db, parent, id); };
    row.in_reply_to_id = answered(row.id, r.status(sink, post.answers), post.answers, post.id, sink, next);
    if (row.in_reply_to_id) row.in_reply_to_account_id = r.account(sink, post.answers_author);
}

void put_poll(const Reading& r, const Poll& theirs, StatusRow& row, Sink& sink) {
    PollRow poll;
    poll.status_id = row.id;
    poll.account_id = row.account_id;
    poll.multiple = theirs.multiple_choices;
    poll.expires_at = theirs.ends_at;
    poll.ended = theirs.ends_at && *theirs.ends_at <= r.choice.now;
    poll.voters = theirs.voters_count;
    poll.options = options_of(theirs.results);
    row.relations |= statuses::has_poll;
    sink.put(std::move(poll));
}

void put_boost(const Reading& r, const Post& post, StatusRow row, Sink& sink) {
    const auto original = r.status(sink, post.boosts);
    if (!original || post.boosts == post.id) {
        sink.refuse("status", post.id, "what it boosts did not come along");
        return sink.numbers.drop("status", post.id);
    }
    row.reblog_of_id = original;
    row.conversation_id = sink.numbers.give("thread", post.boosts_conversation, row.created_at);
    if (post.local) row.uri = r.activity("announce", post.id, post.older_boost_id);
    else row.url = post.object_id;
    sink.put(std::move(row));
}

void take_status(const Reading& r, const Post& post, const Around& around, Sink& sink) {
    const auto id = r.status(sink, post.id);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("status", post.id, why);
        sink.numbers.drop("status", post.id);
    };
    if (auto why = objection(r, post)) return refuse(*why);
    const auto author = r.account(sink, post.author);
    if (!author) return refuse("its author did not come along");
    StatusRow row;
    row.id = *id;
    row.account_id = *author;
    row.visibility = visibility_of(post.visibility);
    row.local = post.local;
    row.created_at = row.fetched_at = dated(r, post.created_at);
    row.uri = post.local ? r.object(post.id) : post.object_id;
    if (!post.boosts.empty()) return put_boost(r, post, std::move(row), sink);
    row.conversation_id = sink.numbers.give("thread", post.conversation, row.created_at);
    if (is_address(post.conversation_uri)) row.conversation_uri = post.conversation_uri;
    else if (post.conversation_here)
        row.conversation_uri = r.site.public_url + "/collections/conversations/" + post.conversation;
    row.sensitive = post.is_sensitive;
    row.language = language_of(post.language);
    if (row.visibility != statuses::Visibility::public_) row.quote_policy = statuses::QuotePolicy::nobody;
    if (post.updated_at) row.edited_at = dated(r, *post.updated_at);
    if (!post.local) row.url = is_address(post.url) ? post.url : post.object_id;
    say(r, post, of_post(around.mentions, post.id), row);
    address(r, post, around, row, sink);
    place(r, post, row, sink);
    std::int64_t position = 0;
    for (const auto& medium : of_post(around.media, post.id))
        if (take_medium(r, medium, post.local, row.account_id, row.id, position++, sink))
            row.relations |= statuses::has_media;
    if (const auto poll = around.polls.find(post.id); poll != around.polls.end())
        put_poll(r, poll->second, row, sink);
    const auto& quoted = of_post(around.quoted, post.id);
    if (!quoted.empty() && r.status(sink, quoted.front())) row.relations |= statuses::has_quote;
    if (post.local && post.is_pinned) row.pin_id = sink.numbers.give("pin", post.id, row.created_at);
    sink.put(std::move(row));
}

}  // namespace

void copy_statuses(const Reading& r, const std::string& position, Sink& sink) {
    r.parts<Post>("status", posts, position, sink, [&](std::vector<Post>& rows) {
        std::erase_if(rows, [&](const Post& post) { return !r.status(sink, post.id); });
        const auto around = around_of(r, rows, sink);
        for (const auto& post : rows) take_status(r, post, around, sink);
    });
}

}  // namespace takeover::mitra
