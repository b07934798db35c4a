// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/json.hpp"
#include "base/text/hashtag.hpp"
#include "base/text/html/html.hpp"
#include "social/statuses/writing/edit.hpp"
#include "takeover/compose.hpp"
#include "takeover/gotosocial/reading.hpp"

#include <charconv>
#include <unordered_map>

namespace takeover::gotosocial {

void copy_tags(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Tag>("tag", "tags", position, sink, [&](const Tag& t) {
        auto name = base::text::normalise_hashtag(t.name);
        if (!base::text::valid_hashtag(name)) return sink.refuse("tag", t.id, "its name is none");
        // Two of theirs may be one of ours.
        const auto known = sink.numbers.find("tag name", name);
        const auto id = known ? *known : sink.numbers.give("tag", t.id, t.created_at);
        if (known) return sink.numbers.set("tag", t.id, id);
        sink.numbers.set("tag name", name, id);
        sink.put(TagRow{id, std::move(name), t.name, t.created_at, t.listable, t.useable});
    });
}

namespace {

// Between two ids of the source.
struct Part {
    std::unordered_map<std::string, std::vector<StatusMention>> mentions;
    std::unordered_map<std::string, std::vector<std::string>> tags;
};

Part part_of(const Reading& r, const std::string& from, const std::string& to, Sink& sink) {
    Part out;
    r.db.each<StatusMention>(
        R"((SELECT m.status_id, m.target_account_id, m.silent, a.username, a.domain, a.url
            FROM mentions m JOIN accounts a ON a.id = m.target_account_id) AS x)",
        "WHERE status_id > $1 AND status_id <= $2",
        {from, to},
        [&](StatusMention m) { out.mentions[m.status_id].push_back(std::move(m)); },
        r.refusing("mention", sink)
    );
    r.db.each<StatusTag>(
        "status_to_tags",
        "WHERE status_id > $1 AND status_id <= $2",
        {from, to},
        [&](const StatusTag& t) { out.tags[t.status_id].push_back(t.tag_id); },
        r.refusing("tag", sink)
    );
    return out;
}

// What it answers.
std::optional<std::string> objection(const Reading& r, const Status& s) {
    if (!is_address(s.uri)) return "its id is no address";
    if (s.local && !r.is_here(s.uri)) return "it is of this server, its id is of another";
    if (!s.local && r.is_here(s.uri)) return "it is of another server, its id is of this one";
    return std::nullopt;
}

// The parts of a row that say what it says.
void say(const Reading& r, const Status& s, const std::vector<StatusMention>& mentioned, StatusRow& row) {
    if (!s.local) {
        row.content_type = "text/html";
        row.content = base::text::sanitize(s.content);
        row.spoiler_text = base::text::plain_text(base::text::sanitize(s.content_warning));
        return;
    }
    row.content_type = content_type_of(s.content_type);
    row.spoiler_text = s.content_warning_text.empty() ? s.content_warning : s.content_warning_text;
    row.text = s.text;
    if (s.text.empty() && !s.content.empty()) {
        row.content = base::text::sanitize(s.content);
        row.text = base::text::plain_text(row.content);
        return;
    }
    std::vector<Mentioned> links;
    for (const auto& m : mentioned)
        links.push_back(
            {m.username, m.domain, m.domain.empty() ? r.site.public_url + "/@" + m.username : m.url}
        );
    row.content = html_of(r.site, row.text, row.content_type, links);
}

void relate(const Reading& r, const Status& s, const Part& part, StatusRow& row, const Sink& sink) {
    if (const auto of = part.mentions.find(s.id); of != part.mentions.end())
        for (const auto& m : of->second)
            if (const auto id = r.account(sink, m.target_account_id)) row.mentions.push_back({*id, m.silent});
    if (const auto of = part.tags.find(s.id); of != part.tags.end())
        for (const auto& tag : of->second)
            if (const auto id = sink.numbers.find("tag", tag)) row.tags.push_back(*id);
    if (!row.mentions.empty()) row.relations |= statuses::has_mentions;
    if (!row.tags.empty()) row.relations |= statuses::has_tags;
    if (!s.attachments.items.empty()) row.relations |= statuses::has_media;
    if (!s.poll_id.empty()) row.relations |= statuses::has_poll;
}

constexpr const char* parent = "SELECT in_reply_to_id FROM statuses WHERE id = $1";

void place(const Reading& r, const Status& s, StatusRow& row, Sink& sink) {
    auto next = [&](const auto& id) { return first_text(r.db, parent, id); };
    row.in_reply_to_id =
        answered(row.id, r.status(sink, s.in_reply_to_id), s.in_reply_to_id, s.id, sink, next);
    if (row.in_reply_to_id) row.in_reply_to_account_id = r.account(sink, s.in_reply_to_account_id);
}

std::string media_json(const Sink& sink, const ForeignList& attachments, const ForeignList& descriptions) {
    std::vector<statuses::SnapshotMedia> out;
    for (std::size_t at = 0; at < attachments.items.size(); ++at)
        if (const auto id = sink.numbers.find("media", attachments.items[at]))
            out.push_back({{*id}, at < descriptions.items.size() ? descriptions.items[at] : ""});
    return base::json::to_string(out);
}

// Its history ends with what it says now.
EditRow present(const Status& s, const StatusRow& row, Sink& sink) {
    EditRow out;
    out.id = sink.numbers.give("edit", "present of " + s.id, *s.edited_at);
    out.status_id = row.id;
    out.created_at = *s.edited_at;
    out.sensitive = row.sensitive;
    out.spoiler_text = row.spoiler_text;
    out.text = row.text;
    out.content = row.content;
    out.media = media_json(sink, s.attachments, {});
    out.poll_options = "[]";
    return out;
}

void take_status(const Reading& r, const Status& s, const Part& part, Sink& sink) {
    const auto id = r.status(sink, s.id);
    if (!id) return;
    auto refuse = [&](const std::string& why) {
        sink.refuse("status", s.id, why);
        sink.numbers.drop("status", s.id);
    };
    if (auto why = objection(r, s)) return refuse(*why);
    const auto author = r.account(sink, s.account_id);
    if (!author) return refuse("its author did not come along");
    StatusRow row;
    row.id = *id;
    row.account_id = *author;
    row.conversation_id = sink.numbers.give("thread", thread_of(s.thread_id, s.id), s.created_at);
    row.visibility = visibility_of(s.visibility);
    row.local = s.local;
    row.sensitive = s.sensitive;
    row.local_only = s.local && !s.federated;
    row.created_at = s.created_at;
    row.language = s.language;
    row.uri = s.uri;
    row.app_id = sink.numbers.find("app", s.created_with_application_id);
    row.fetched_at = s.fetched_at.value_or(s.created_at);
    if (!s.local) row.url = is_address(s.url) ? s.url : s.uri;
    if (row.visibility != statuses::Visibility::public_ && row.visibility != statuses::Visibility::unlisted)
        row.quote_policy = statuses::QuotePolicy::nobody;
    if (!s.boost_of_id.empty()) {
        row.reblog_of_id = r.status(sink, s.boost_of_id);
        if (!row.reblog_of_id || s.boost_of_id == s.id) return refuse("what it boosts did not come along");
        row.sensitive = false;
        sink.put(std::move(row));
        return;
    }
    row.edited_at = s.edited_at;
    static const std::vector<StatusMention> nobody;
    const auto mentioned = part.mentions.find(s.id);
    say(r, s, mentioned == part.mentions.end() ? nobody : mentioned->second, row);
    relate(r, s, part, row, sink);
    place(r, s, row, sink);
    if (s.edited_at && !s.edits.items.empty()) sink.put(present(s, row, sink));
    if (s.pinned_at && s.local) row.pin_id = sink.numbers.give("pin", s.id, *s.pinned_at);
    sink.put(std::move(row));
}

}  // namespace

void copy_statuses(const Reading& r, const std::string& position, Sink& sink) {
    r.parts<Status>(
        "status",
        "statuses",
        position,
        sink,
        [&](const auto& rows, const auto& from, const auto& to) {
            const auto part = part_of(r, from, to, sink);
            for (const auto& s : rows) take_status(r, s, part, sink);
        }
    );
}

namespace {

EditRow edit_of(const Reading& r, Id status, const Edit& e) {
    EditRow row;
    row.status_id = status;
    row.spoiler_text = base::text::plain_text(base::text::sanitize(e.content_warning));
    row.text = e.text;
    // Links to people are as they were made; only the present text is made anew.
    row.content = e.content.empty() ? html_of(r.site, e.text, content_type_of(e.content_type), {})
                                    : base::text::sanitize(e.content);
    return row;
}

}  // namespace

void copy_edits(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Edit>("edit", "status_edits", position, sink, [&](const Edit& e) {
        const auto status = r.status(sink, e.status_id);
        if (!status) return;
        auto row = edit_of(r, *status, e);
        row.id = sink.numbers.give("edit", e.id, e.created_at);
        row.created_at = e.created_at;
        row.sensitive = e.sensitive;
        row.media = media_json(sink, e.attachments, e.attachment_descriptions);
        row.poll_options = base::json::to_string(e.poll_options.items);
        sink.put(std::move(row));
    });
}

void copy_polls(const Reading& r, const std::string& position, Sink& sink) {
    r.parts<Poll>("poll", "polls", position, sink, [&](const auto& rows, const auto& from, const auto& to) {
        std::unordered_map<std::string, std::string> authors;
        r.db.run(
            R"(SELECT p.id, s.account_id FROM polls p JOIN statuses s ON s.id = p.status_id
               WHERE p.id > $1 AND p.id <= $2)",
            {from, to},
            [&](const db::Foreign::Row& row) { authors.emplace(row[0].value_or(""), row[1].value_or("")); }
        );
        for (const auto& p : rows) {
            const auto status = r.status(sink, p.status_id);
            const auto by = r.account(sink, authors[p.id]);
            if (!status || !by) continue;
            PollRow row{
                *status, *by, p.multiple, p.hide_counts, p.closed_at.has_value(), p.expires_at, p.voters, {}
            };
            for (std::size_t at = 0; at < p.options.items.size(); ++at) {
                std::int64_t votes = 0;
                if (at < p.votes.items.size()) {
                    const auto& text = p.votes.items[at];
                    std::from_chars(text.data(), text.data() + text.size(), votes);
                }
                row.options.emplace_back(p.options.items[at], std::max<std::int64_t>(votes, 0));
            }
            sink.numbers.set("poll", p.id, *status);
            sink.put(std::move(row));
        }
    });
}

void copy_votes(const Reading& r, const std::string& position, Sink& sink) {
    r.each<PollVote>("vote", "poll_votes", position, sink, [&](const PollVote& v) {
        const auto poll = sink.numbers.find("poll", v.poll_id);
        const auto account = r.account(sink, v.account_id);
        if (!poll || !account) return;
        for (std::int64_t at = 0; const auto& text : v.choices.items) {
            std::int64_t choice = 0;
            std::from_chars(text.data(), text.data() + text.size(), choice);
            sink.put(VoteRow{*poll, *account, choice, at++});
        }
    });
}

void copy_favourites(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Fave>("favourite", "status_faves", position, sink, [&](const Fave& f) {
        const auto account = r.account(sink, f.account_id), status = r.status(sink, f.status_id);
        if (!account || !status || f.pending_approval) return;
        sink.put(FavouriteRow{sink.numbers.give("favourite", f.id, f.created_at), *account, *status, f.uri});
    });
}

void copy_bookmarks(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Bookmark>("bookmark", "status_bookmarks", position, sink, [&](const Bookmark& b) {
        const auto account = r.account(sink, b.account_id), status = r.status(sink, b.status_id);
        if (!account || !status) return;
        sink.put(BookmarkRow{sink.numbers.give("bookmark", b.id, b.created_at), *account, *status});
    });
}

}  // namespace takeover::gotosocial
