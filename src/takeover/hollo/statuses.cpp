// SPDX-License-Identifier: AGPL-3.0-or-later
// Posts and boosts, which are rows of one table.
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "takeover/compose.hpp"
#include "takeover/hollo/reading.hpp"

#include <algorithm>
#include <unordered_map>

namespace takeover::hollo {

namespace {

constexpr const char* posts =
    "(SELECT p.id, p.iri, p.actor_id AS account, o.id IS NOT NULL AS local, p.application_id AS application, "
    "p.reply_target_id AS answers, t.actor_id AS answers_account, p.sharing_id AS shares, s.iri AS "
    "shares_iri, "
    "p.quote_target_id AS quotes, p.quote_approval_policy, p.visibility, p.summary, p.content_html, "
    "p.content, "
    "p.poll_id AS poll, p.language, p.tags, p.sensitive, p.url, COALESCE(p.published, p.updated) AS "
    "published, "
    "p.updated FROM posts p LEFT JOIN account_owners o ON o.id = p.actor_id "
    "LEFT JOIN posts t ON t.id = p.reply_target_id LEFT JOIN posts s ON s.id = p.sharing_id) AS x";

struct MentionRead {
    Text post, account, handle, url;
    bool local = false;
};
DESCRIBE(MentionRead, post, account, handle, url, local)

struct PinRead {
    Text post, account;
    Time created;
};
DESCRIBE(PinRead, post, account, created)

// What other tables have about some posts, by these.
struct Around {
    std::unordered_map<Text, std::vector<MentionRead>> mentions;
    std::unordered_map<Text, std::vector<Medium>> media;
    std::unordered_map<Text, Poll> polls;
    std::unordered_map<Text, Time> pins;
};

Around around_of(const Reading& r, const std::string& ids, Sink& sink) {
    const std::string among = "WHERE x.post = ANY(CAST($1 AS uuid[])) ORDER BY ";
    Around out;
    r.db.each<MentionRead>(
        "(SELECT m.post_id AS post, m.account_id AS account, a.handle, COALESCE(a.url, a.iri) AS url, "
        "o.id IS NOT NULL AS local FROM mentions m JOIN accounts a ON a.id = m.account_id "
        "LEFT JOIN account_owners o ON o.id = a.id) AS x",
        among + "x.post, x.account",
        {ids},
        [&](MentionRead m) { out.mentions[m.post].push_back(std::move(m)); },
        r.refusing("mention", sink)
    );
    const std::string position =
        std::ranges::count(r.db.columns_of("media"), "position") > 0 ? "m.position" : "0 AS position";
    r.db.each<Medium>(
        "(SELECT m.id, m.post_id AS post, m.type, m.url, " + position +
            ", m.width, m.height, m.description, m.thumbnail_url, m.thumbnail_width, m.thumbnail_height, "
            "m.thumbnail_cleaned, m.created FROM media m) AS x",
        among + "x.post, x.position, x.id",
        {ids},
        [&](Medium m) {
            auto& all = out.media[m.post];
            m.position = std::ssize(all);
            all.push_back(std::move(m));
        },
        r.refusing("media", sink)
    );
    r.db.each<Poll>(
        "(SELECT q.id, p.id AS post, q.multiple, q.voters_count, q.expires, "
        "ARRAY(SELECT o.title FROM poll_options o WHERE o.poll_id = q.id ORDER BY o.index) AS titles, "
        "ARRAY(SELECT o.votes_count FROM poll_options o WHERE o.poll_id = q.id ORDER BY o.index) AS votes "
        "FROM polls q JOIN posts p ON p.poll_id = q.id) AS x",
        among + "x.post",
        {ids},
        [&](Poll q) { out.polls.emplace(q.post, std::move(q)); },
        r.refusing("poll", sink)
    );
    r.db.each<PinRead>(
        "(SELECT n.post_id AS post, n.account_id AS account, n.created FROM pinned_posts n) AS x",
        among + "x.post",
        {ids},
        [&](const PinRead& n) { out.pins.emplace(n.post, n.created); },
        r.refusing("pin", sink)
    );
    return out;
}

std::optional<std::string> objection(const Reading& r, const Post& post) {
    if (!is_address(post.iri)) return "its id is no address";
    if (post.local != r.is_here(post.iri))
        return post.local ? "it is of this server, its id is of another"
                          : "it is of another server, its id is of this one";
    return std::nullopt;
}

// What was typed is Markdown there.
void say(const Reading& r, const Post& post, const std::vector<MentionRead>& mentions, StatusRow& row) {
    row.content = base::text::sanitize(post.content_html);
    if (!post.local) {
        row.content_type = "text/html";
        row.spoiler_text = base::text::plain_text(base::text::sanitize(post.summary));
        return;
    }
    row.spoiler_text = post.summary;
    if (!post.content) {
        row.content_type = "text/plain";
        row.text = base::text::plain_text(row.content);
        return;
    }
    row.content_type = "text/markdown";
    row.text = *post.content;
    std::vector<Mentioned> links;
    for (const auto& m : mentions) {
        auto handle = handle_of(m.handle);
        links.push_back(
            {handle.name,
             m.local ? "" : handle.domain,
             m.local ? r.site.public_url + "/@" + handle.name : m.url}
        );
    }
    row.content = html_of(r.site, row.text, row.content_type, links);
}

constexpr const char* parent = "SELECT reply_target_id FROM posts WHERE id = CAST($1 AS uuid)";

void place(const Reading& r, const Post& post, StatusRow& row, Sink& sink) {
    auto next = [&](const auto& id) { return first_text(r.db, parent, id); };
    row.in_reply_to_id = answered(row.id, r.status(sink, post.answers), post.answers, post.id, sink, next);
    if (row.in_reply_to_id) row.in_reply_to_account_id = r.account(sink, post.answers_account);
}

void put_poll(const Reading& r, const Poll& theirs, StatusRow& row, Sink& sink) {
    PollRow poll;
    poll.status_id = row.id;
    poll.account_id = row.account_id;
    poll.multiple = theirs.multiple;
    poll.expires_at = theirs.expires;
    poll.ended = theirs.expires <= r.choice.now;
    poll.voters = std::max<std::int64_t>(theirs.voters_count, 0);
    for (std::size_t i = 0; i < theirs.titles.items.size() && i < theirs.votes.items.size(); ++i)
        poll.options.emplace_back(
            theirs.titles.items[i], std::max(std::atoll(theirs.votes.items[i].c_str()), 0LL)
        );
    row.relations |= statuses::has_poll;
    sink.numbers.set("poll", theirs.id, row.id);
    sink.put(std::move(poll));
}

void address(
    const Reading& r, const Post& post, const std::vector<MentionRead>& mentions, StatusRow& row, Sink& sink
) {
    for (const auto& m : mentions)
        if (const auto id = r.account(sink, m.account)) row.mentions.push_back({*id, false});
    if (const auto tags = object_of(post.tags))
        for (const auto& one : *tags)
            if (const auto id = tag(r, std::string(one.key()), row.created_at, sink);
                id && std::ranges::find(row.tags, *id) == row.tags.end())
                row.tags.push_back(*id);
    if (!row.mentions.empty()) row.relations |= statuses::has_mentions;
    if (!row.tags.empty()) row.relations |= statuses::has_tags;
}

statuses::QuotePolicy quote_policy(const Post& post, statuses::Visibility visibility) {
    using statuses::Visibility;
    if (visibility != Visibility::public_ && visibility != Visibility::unlisted)
        return statuses::QuotePolicy::nobody;
    const auto word = post.quote_approval_policy.value_or("public");
    return word == "public"      ? statuses::QuotePolicy::public_
           : word == "followers" ? statuses::QuotePolicy::followers
                                 : statuses::QuotePolicy::nobody;
}

StatusRow begun(const Reading& r, const Post& post, Id id, Id author) {
    StatusRow row;
    row.id = id;
    row.account_id = author;
    row.visibility = visibility_of(post.visibility);
    row.local = post.local;
    row.created_at = dated(r, post.published);
    row.fetched_at = dated(r, post.updated);
    row.uri = post.iri;
    return row;
}

// Others know a boost of somebody here by its Announce; at the address without that word it is shown.
void put_boost(const Reading& r, const Post& post, StatusRow row, Sink& sink) {
    const auto original = r.status(sink, post.shares);
    if (!original || post.shares == post.id) {
        sink.refuse("status", post.id, "what it boosts did not come along");
        return sink.numbers.drop("status", post.id);
    }
    row.reblog_of_id = original;
    row.conversation_id = sink.numbers.give("thread", post.shares, row.created_at);
    if (post.local) {
        row.uri = post.iri + "#activity";
        sink.put(FormerPathRow{post.iri.substr(r.site.public_url.size()), "activity", row.id, std::nullopt});
    } else row.url = post.iri;
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
    const auto author = r.account(sink, post.account);
    if (!author) return refuse("its author did not come along");
    auto row = begun(r, post, *id, *author);
    if (!post.shares.empty()) return put_boost(r, post, std::move(row), sink);
    row.conversation_id = sink.numbers.give("thread", post.id, row.created_at);
    row.sensitive = post.sensitive;
    row.language = post.language;
    if (!post.application.empty()) row.app_id = sink.numbers.find("app", post.application);
    row.quote_policy = quote_policy(post, row.visibility);
    if (post.local && post.updated > post.published) row.edited_at = post.updated;
    if (!post.local) row.url = is_address(post.url) ? post.url : post.iri;
    static const std::vector<MentionRead> nobody;
    const auto named = around.mentions.find(post.id);
    const auto& mentions = named == around.mentions.end() ? nobody : named->second;
    say(r, post, mentions, row);
    address(r, post, mentions, row, sink);
    place(r, post, row, sink);
    if (const auto media = around.media.find(post.id); media != around.media.end())
        for (const auto& medium : media->second)
            if (take_medium(r, medium, post.local, row.account_id, row.id, sink))
                row.relations |= statuses::has_media;
    if (const auto poll = around.polls.find(post.id); poll != around.polls.end())
        put_poll(r, poll->second, row, sink);
    if (const auto quoted = r.status(sink, post.quotes); !post.quotes.empty() && quoted && *quoted != row.id)
        row.relations |= statuses::has_quote;
    if (const auto pin = around.pins.find(post.id); pin != around.pins.end())
        row.pin_id = sink.numbers.give("pin", post.id, pin->second);
    sink.put(std::move(row));
}

}  // namespace

void copy_statuses(const Reading& r, const std::string& position, Sink& sink) {
    r.parts<Post>("status", posts, position, sink, [&](std::vector<Post>& rows) {
        std::erase_if(rows, [&](const Post& post) { return !r.status(sink, post.id); });
        std::string ids;
        for (const auto& post : rows) ids += (ids.empty() ? "" : ",") + post.id;
        const auto around = around_of(r, "{" + ids + "}", sink);
        for (const auto& post : rows) take_status(r, post, around, sink);
    });
}

}  // namespace takeover::hollo
