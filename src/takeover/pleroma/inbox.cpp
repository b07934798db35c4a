// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits for somebody to read it, and what waits to be posted.
#include "base/json.hpp"
#include "social/statuses/scheduled/scheduled.hpp"
#include "takeover/pleroma/reading.hpp"

#include <algorithm>
#include <charconv>

namespace takeover::pleroma {

void copy_notifications(const Reading& r, const std::string& position, Sink& sink) {
    const char* from = "(SELECT n.id, u.ap_id AS owner, a.actor, n.type, " PLEROMA_ABOUT
                       " AS object, n.inserted_at FROM notifications n JOIN users u ON u.id = n.user_id "
                       "JOIN activities a ON a.id = n.activity_id) AS x";
    r.each<Notification>("notification", from, position, sink, [&](const Notification& n) {
        put_notification(
            {std::to_string(n.id),
             r.account(sink, n.owner),
             r.account(sink, n.actor),
             r.status(sink, n.object),
             n.inserted_at},
            notification_kind(n.type),
            r.choice,
            sink
        );
    });
}

// The newest that was seen is where somebody stopped reading, where they have no marker.
void copy_markers(const Reading& r, const std::string&, Sink& sink) {
    std::map<std::string, bool> marked;
    r.db.each<Marker>(
        "(SELECT m.id, u.ap_id AS owner, m.timeline, m.last_read_id, m.lock_version, m.updated_at FROM "
        "markers m "
        "JOIN users u ON u.id = m.user_id) AS x",
        "ORDER BY x.id",
        {},
        [&](const Marker& m) {
            const bool home = m.timeline == "home";
            const auto account = r.account(sink, m.owner);
            const auto last = sink.numbers.find(home ? "status" : "notification", m.last_read_id);
            if (account && last && (home || m.timeline == "notifications")) {
                sink.put(MarkerRow{*account, m.timeline, *last, m.lock_version, m.updated_at});
                marked[m.owner] = marked[m.owner] || !home;
            }
            sink.done("");
        },
        r.refusing("marker", sink)
    );
    r.db.run(
        "SELECT u.ap_id, max(n.id) FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.seen GROUP "
        "BY u.ap_id "
        "ORDER BY 1",
        {},
        [&](const db::Foreign::Row& row) {
            const std::string owner(row[0].value_or(""));
            const auto account = r.account(sink, owner);
            const auto last = sink.numbers.find("notification", row[1].value_or(""));
            if (account && last && !marked[owner])
                sink.put(MarkerRow{*account, "notifications", *last, 1, r.choice.now});
        }
    );
}

namespace {

// A post of a thread, and who got it.
struct Sent {
    std::string uri;
    std::vector<std::string> people;
};

// Of each thread, what is for some by name alone.
using Threads = std::map<std::string, std::vector<Sent>>;

Threads direct_posts(const Reading& r, const std::vector<Conversation>& rows) {
    std::vector<std::string> contexts;
    for (const auto& row : rows) contexts.push_back(row.context);
    Threads out;
    r.db.run(
        "SELECT a.data->>'context', " PLEROMA_ABOUT
        ", a.actor, a.recipients FROM activities a "
        "WHERE a.data->>'type' = 'Create' AND a.data->>'context' = ANY(CAST($1 AS text[])) ORDER BY a.id",
        {as_texts(contexts)},
        [&](const db::Foreign::Row& row) {
            Sent sent{
                std::string(row[1].value_or("")),
                db::foreign_list(row[3].value_or("")).value_or(std::vector<std::string>{})
            };
            if (audience_of(r, sent.people, {}, false).visibility != statuses::Visibility::direct) return;
            sent.people.emplace_back(row[2].value_or(""));
            out[std::string(row[0].value_or(""))].push_back(std::move(sent));
        }
    );
    return out;
}

void take_conversation(const Reading& r, const Conversation& c, const Threads& threads, Sink& sink) {
    const auto account = r.account(sink, c.owner), thread = sink.numbers.find("thread", c.context);
    const auto posts = threads.find(c.context);
    if (!account || !thread || posts == threads.end()) return;
    ConversationViewRow row;
    for (const auto& post : posts->second)
        if (std::ranges::find(post.people, c.owner) != post.people.end())
            if (const auto id = r.status(sink, post.uri)) row.statuses.push_back(*id);
    for (const auto& other : c.people.items) {
        if (other == c.owner) continue;
        const auto id = r.account(sink, other);
        // Without one of those it was led with it would be another one.
        if (!id) return;
        row.others.push_back(*id);
    }
    if (row.statuses.empty()) return;
    std::ranges::sort(row.statuses);
    row.id = sink.numbers.give("conversation", std::to_string(c.id), c.inserted_at);
    row.account_id = *account;
    row.conversation_id = *thread;
    row.last_status_id = row.statuses.back();
    row.unread = !c.read;
    sink.put(std::move(row));
}

}  // namespace

void copy_conversations(const Reading& r, const std::string& from, Sink& sink) {
    if (!r.has("conversation_participations") || !r.has("conversation_participation_recipient_ships")) return;
    auto position = from.empty() ? std::string("0") : from;
    const auto part = static_cast<std::int64_t>(r.choice.chunk);
    for (bool more = true; more;) {
        std::vector<Conversation> rows;
        const auto seen = r.db.each<Conversation>(
            "(SELECT p.id, u.ap_id AS owner, c.ap_id AS context, ARRAY(SELECT w.ap_id FROM "
            "conversation_participation_recipient_ships s JOIN users w ON w.id = s.user_id "
            "WHERE s.participation_id = p.id ORDER BY w.ap_id) AS people, p.read, p.inserted_at "
            "FROM conversation_participations p JOIN users u ON u.id = p.user_id "
            "JOIN conversations c ON c.id = p.conversation_id) AS x",
            "WHERE x.id > CAST($1 AS bigint) ORDER BY x.id LIMIT " + std::to_string(part),
            {position},
            [&](Conversation c) { rows.push_back(std::move(c)); },
            r.refusing("conversation", sink)
        );
        more = seen.rows == part;
        if (seen.rows == 0) return;
        const auto threads = direct_posts(r, rows);
        for (const auto& c : rows) take_conversation(r, c, threads, sink);
        for (std::int64_t n = 0; n < seen.rows; ++n) sink.done(seen.last);
        position = seen.last;
    }
}

namespace {

using Uploads = std::map<std::string, JsonObject>;  // by their numbers

Uploads uploads_of(const Reading& r) {
    Uploads out;
    r.db.run(
        std::string("SELECT o.id, o.data FROM ") + waiting_uploads,
        {},
        [&](const db::Foreign::Row& row) {
            if (auto data = object_of(row[1].value_or("")))
                out.emplace(row[0].value_or(""), *std::move(data));
        }
    );
    return out;
}

// Apps write ids as texts or as numbers.
std::string id_in(const JsonObject& params, std::string_view name) {
    const auto figure = number(params, name);
    return figure ? std::to_string(*figure) : text(params, name);
}

// A post that one which waits answers.
struct Answered {
    std::string uri;
    Audience audience;
};
using AllAnswered = std::map<std::string, Answered>;  // by the id that the API has for it

AllAnswered answered_of(const Reading& r) {
    std::vector<std::string> asked;
    r.db.run(
        "SELECT DISTINCT p #>> '{}' FROM (SELECT params->'in_reply_to_status_id' AS p FROM "
        "scheduled_activities UNION ALL SELECT params->'in_reply_to_id' FROM scheduled_activities) y",
        {},
        [&](const db::Foreign::Row& row) {
            if (auto uuid = uuid_of(row[0].value_or("")); !uuid.empty()) asked.push_back(std::move(uuid));
        }
    );
    AllAnswered out;
    r.db.run(
        "SELECT a.id, o.data->>'id', jsonb_build_object('to', o.data->'to', 'cc', o.data->'cc', "
        "'directMessage', o.data->'directMessage'), u.follower_address FROM activities a JOIN objects o ON "
        "o.data->>'id' = " PLEROMA_ABOUT
        " LEFT JOIN users u ON u.ap_id = o.data->>'actor' WHERE a.id = ANY(CAST($1 AS uuid[]))",
        {as_texts(asked)},
        [&](const db::Foreign::Row& row) {
            const auto said = object_of(row[2].value_or(""));
            if (!said) return;
            const std::string followers(row[3].value_or(""));
            out.emplace(
                flake_of(row[0].value_or("")),
                Answered{
                    std::string(row[1].value_or("")),
                    audience_of(
                        r, texts(*said, "to"), texts(*said, "cc"), flag(*said, "directMessage"), followers
                    )
                }
            );
        }
    );
    return out;
}

struct ForWhom {
    Audience audience;
    std::string objection;  // why it cannot be said; empty: it can
};

// As it would have been there when its time came: without a word an answer is for whom the answered post is.
ForWhom for_whom(const std::string& word, const std::string& answers, const Answered* answered) {
    using statuses::Visibility;
    constexpr std::pair<const char*, Audience> known[] = {
        {"public", {Visibility::public_, false}},
        {"local", {Visibility::public_, true}},
        {"unlisted", {Visibility::unlisted, false}},
        {"private", {Visibility::private_, false}},
        {"direct", {Visibility::direct, false}},
    };
    ForWhom out;
    // Who a list had is not known to a post that waits.
    if (word.starts_with("list:")) out.objection = "it is for a list, which posts are not for here";
    else if (const auto* it =
                 std::ranges::find(known, word, [](const auto& k) { return std::string(k.first); });
             it != std::end(known))
        out.audience = it->second;
    else if (!word.empty()) out.objection = "whom it is for is not known here: " + word;
    else if (answers.empty()) out.audience = {Visibility::public_, false};
    else if (!answered) out.objection = "what it answers did not come along, and it is for the same people";
    else out.audience = answered->audience;
    if (out.objection.empty() && answered && answered->audience.visibility == Visibility::direct &&
        out.audience.visibility != Visibility::direct)
        out.objection = "it answers a direct post and is for more people";
    return out;
}

std::string answers_of(const JsonObject& given) {
    auto answers = id_in(given, "in_reply_to_status_id");
    return answers.empty() ? id_in(given, "in_reply_to_id") : answers;
}

// Those that came along.
std::vector<Id> take_uploads(
    const Reading& r, const Scheduled& s, const JsonObject& given, Id account, const Uploads& uploads,
    Sink& sink
) {
    std::vector<Id> out;
    for (const auto& medium : texts(given, "media_ids")) {
        const auto upload = uploads.find(medium);
        if (upload == uploads.end()) continue;
        if (const auto id = take_medium(
                r, upload->second, "upload " + medium, account, std::nullopt, 0, s.inserted_at, true, sink
            ))
            out.push_back(*id);
    }
    return out;
}

statuses::ScheduledParams params_of(const JsonObject& given) {
    statuses::ScheduledParams params;
    params.text = text(given, "status");
    params.sensitive = flag(given, "sensitive");
    if (auto warning = text(given, "spoiler_text"); !warning.empty())
        params.spoiler_text = std::move(warning);
    if (auto language = text(given, "language"); !language.empty()) params.language = std::move(language);
    if (const auto* poll = part(given, "poll")) {
        params.poll.emplace();
        params.poll->options = texts(*poll, "options");
        params.poll->expires_in = number(*poll, "expires_in").value_or(86'400);
        params.poll->multiple = flag(*poll, "multiple");
        params.poll->hide_totals = flag(*poll, "hide_totals");
    }
    return params;
}

void take_scheduled(
    const Reading& r, const Scheduled& s, const Uploads& uploads, const AllAnswered& all_answered, Sink& sink
) {
    const auto account = r.account(sink, s.owner);
    if (!account) return;
    const auto given = object_of(s.params);
    const auto former = std::to_string(s.id);
    if (!given) return sink.refuse("scheduled post", former, "it cannot be read");
    if (!id_in(*given, "in_reply_to_conversation_id").empty())
        return sink.refuse(
            "scheduled post", former, "it is for the people of a conversation, whom it does not name"
        );
    const auto answers = answers_of(*given);
    const auto found = all_answered.find(answers);
    const auto* answered = found == all_answered.end() ? nullptr : &found->second;
    const auto parent = answered ? r.status(sink, answered->uri) : std::nullopt;
    const auto whom = for_whom(text(*given, "visibility"), answers, parent ? answered : nullptr);
    if (!whom.objection.empty()) return sink.refuse("scheduled post", former, whom.objection);
    ScheduledRow row;
    row.media = take_uploads(r, s, *given, *account, uploads, sink);
    auto params = params_of(*given);
    if (!row.media.empty()) params.media_ids.emplace();
    for (const auto id : row.media) params.media_ids->push_back({id});
    params.visibility = whom.audience.visibility;
    if (parent) params.in_reply_to_id = *parent;
    row.id = sink.numbers.give("scheduled_status", former, s.inserted_at);
    row.account_id = *account;
    row.local_only = whom.audience.local_only;
    row.created_at = s.inserted_at;
    row.scheduled_at = s.scheduled_at;
    row.content_type = text(*given, "content_type") == "text/markdown" ? "text/markdown" : "text/plain";
    row.params = base::json::to_string(params);
    sink.put(std::move(row));
}

}  // namespace

const char* const waiting_uploads =
    "(SELECT u.id, u.data FROM objects u WHERE CAST(u.id AS text) IN (SELECT jsonb_array_elements_text("
    "s.params->'media_ids') FROM scheduled_activities s WHERE jsonb_typeof(s.params->'media_ids') = "
    "'array')) o";

void copy_scheduled(const Reading& r, const std::string& position, Sink& sink) {
    const auto uploads = uploads_of(r);
    const auto all_answered = answered_of(r);
    const char* from =
        "(SELECT s.id, u.ap_id AS owner, s.scheduled_at, s.params, s.inserted_at FROM scheduled_activities s "
        "JOIN users u ON u.id = s.user_id) AS x";
    r.each<Scheduled>("scheduled post", from, position, sink, [&](const Scheduled& s) {
        take_scheduled(r, s, uploads, all_answered, sink);
    });
}

}  // namespace takeover::pleroma
