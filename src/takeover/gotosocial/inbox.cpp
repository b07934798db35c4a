// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits for somebody to read it, and what waits to be posted.
#include "social/statuses/scheduled/scheduled.hpp"
#include "takeover/gotosocial/reading.hpp"

#include <algorithm>
#include <map>

namespace takeover::gotosocial {

void copy_conversations(const Reading& r, const std::string& position, Sink& sink) {
    r.parts<Conversation>(
        "conversation",
        "conversations",
        position,
        sink,
        [&](const auto& rows, const auto& from, const auto& to) {
            std::map<std::string, std::vector<Id>> statuses;
            r.db.each<ConversationStatus>(
                "conversation_to_statuses",
                "WHERE conversation_id > $1 AND conversation_id <= $2 ORDER BY conversation_id, status_id",
                {from, to},
                [&](const ConversationStatus& s) {
                    if (const auto id = r.status(sink, s.status_id))
                        statuses[s.conversation_id].push_back(*id);
                },
                r.refusing("conversation", sink)
            );
            for (const auto& c : rows) {
                const auto account = r.account(sink, c.account_id),
                           thread = sink.numbers.find("thread", c.thread_id),
                           last = r.status(sink, c.last_status_id);
                ConversationViewRow row;
                for (const auto& other : c.other_account_ids.items)
                    if (const auto id = r.account(sink, other)) row.others.push_back(*id);
                // Without one of those it was led with it would be another one.
                if (!account || !thread || !last || row.others.size() != c.other_account_ids.items.size())
                    continue;
                row.id = sink.numbers.give("conversation", c.id, c.created_at);
                row.account_id = *account;
                row.conversation_id = *thread;
                row.last_status_id = *last;
                row.unread = !c.read;
                row.statuses = statuses[c.id];
                sink.put(std::move(row));
            }
        }
    );
}

void copy_scheduled(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Scheduled>("scheduled post", "scheduled_statuses", position, sink, [&](const Scheduled& s) {
        const auto account = r.account(sink, s.account_id);
        if (!account) return;
        statuses::ScheduledParams params;
        params.text = s.text;
        std::vector<base::MediaId> media;
        ScheduledRow row;
        for (const auto& medium : s.attachments.items)
            if (const auto id = sink.numbers.find("media", medium)) {
                media.push_back({*id});
                row.media.push_back(*id);
            }
        if (!media.empty()) params.media_ids = std::move(media);
        params.sensitive = s.sensitive;
        if (!s.spoiler_text.empty()) params.spoiler_text = s.spoiler_text;
        params.visibility = visibility_of(s.visibility);
        params.language = s.language;
        if (!s.poll_options.items.empty()) {
            params.poll.emplace();
            params.poll->options = s.poll_options.items;
            params.poll->expires_in = s.poll_expires_in;
            params.poll->multiple = s.poll_multiple;
            params.poll->hide_totals = s.poll_hide_totals;
        }
        if (const auto parent = r.status(sink, s.in_reply_to_id)) params.in_reply_to_id = *parent;
        params.application_id = sink.numbers.find("app", s.application_id);
        row.created_at = std::min(time_of_ulid(s.id).value_or(r.choice.now), r.choice.now);
        row.id = sink.numbers.give("scheduled_status", s.id, row.created_at);
        row.account_id = *account;
        row.scheduled_at = s.scheduled_at;
        row.local_only = s.local_only;
        row.content_type = s.content_type == "text/markdown" ? "text/markdown" : "text/plain";
        row.params = base::json::to_string(params);
        sink.put(std::move(row));
    });
}

void copy_notifications(const Reading& r, const std::string& position, Sink& sink) {
    const auto oldest = r.choice.now.plus_seconds(-r.choice.notification_days * 86'400);
    const char* table =
        R"((SELECT n.*, s.boost_of_id FROM notifications n LEFT JOIN statuses s ON s.id = n.status_id) AS x)";
    r.each<NotificationOf>("notification", table, position, sink, [&](const NotificationOf& n) {
        const auto to = r.account(sink, n.target_account_id), from = r.account(sink, n.origin_account_id);
        const auto type = notification_type(n.notification_type);
        if (n.created_at < oldest || !to || !from || !type) return;
        NotificationRow row;
        row.id = sink.numbers.give("notification", n.id, time_of_ulid(n.id).value_or(n.created_at));
        row.account_id = *to;
        row.from_account_id = *from;
        row.type = *type;
        row.created_at = n.created_at;
        if (!n.status_id.empty()) {
            // It names the boost; ours names what was boosted.
            const auto id = r.status(sink, n.boost_of_id.empty() ? n.status_id : n.boost_of_id);
            if (!id) return;
            row.status_id = *id;
        }
        sink.put(std::move(row));
    });
}

// The newest that was read is where somebody stopped reading, where they have no marker.
void copy_markers(const Reading& r, const std::string&, Sink& sink) {
    std::map<std::string, bool> has_notifications;
    r.db.each<Marker>(
        "markers",
        "ORDER BY account_id, name",
        {},
        [&](const Marker& m) {
            const auto account = r.account(sink, m.account_id);
            const auto last = sink.numbers.find(m.name == "home" ? "status" : "notification", m.last_read_id);
            if (account && last && (m.name == "home" || m.name == "notifications")) {
                sink.put(MarkerRow{*account, m.name, *last, m.version, m.updated_at});
                if (m.name == "notifications") has_notifications[m.account_id] = true;
            }
            sink.done("");
        },
        r.refusing("marker", sink)
    );
    r.db.run(
        R"(SELECT target_account_id, max(id) FROM notifications WHERE "read" GROUP BY target_account_id ORDER BY 1)",
        {},
        [&](const db::Foreign::Row& row) {
            const std::string of(row[0].value_or(""));
            const auto account = r.account(sink, of);
            const auto last = sink.numbers.find("notification", row[1].value_or(""));
            if (account && last && !has_notifications.contains(of))
                sink.put(MarkerRow{*account, "notifications", *last, 1, r.choice.now});
        }
    );
}

}  // namespace takeover::gotosocial
