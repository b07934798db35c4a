// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits for somebody to read it, and what the team has.
#include "base/json.hpp"
#include "takeover/hollo/reading.hpp"

namespace takeover::hollo {

// That a poll has ended is told by who asked.
void copy_notifications(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT n.id, n.account_owner_id AS owner, n.type, COALESCE(n.actor_account_id, p.actor_id) AS "
        "actor, "
        "n.target_post_id AS post, n.created FROM notifications n "
        "LEFT JOIN posts p ON p.id = n.target_post_id) AS x";
    r.each<Notification>("notification", from, position, sink, [&](const Notification& n) {
        put_notification(
            {n.id, r.account(sink, n.owner), r.account(sink, n.actor), r.status(sink, n.post), n.created},
            notification_kind(n.type),
            r.choice,
            sink
        );
    });
}

void copy_markers(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT m.account_owner_id || ' ' || m.type AS id, m.account_owner_id AS owner, m.type, "
        "m.last_read_id, m.version, m.updated, COALESCE(p.published, p.updated) AS made FROM markers m "
        "LEFT JOIN posts p ON CAST(p.id AS text) = m.last_read_id) AS x";
    r.each<Marker>("marker", from, position, sink, [&](const Marker& m) {
        const auto account = r.account(sink, m.owner);
        // A notification is called DATE/TYPE/UUID by the older API.
        const auto bare = m.last_read_id.substr(m.last_read_id.rfind('/') + 1);
        const auto last =
            m.type == "home" ? read_until(sink, bare, m.made) : sink.numbers.find("notification", bare);
        if (account && last) sink.put(MarkerRow{*account, m.type, *last, m.version, m.updated});
    });
}

void copy_site(const Reading& r, const std::string& position, Sink& sink) {
    const char* from = "(SELECT e.shortcode AS id, e.url, e.category, e.created FROM custom_emojis e) AS x";
    r.each<Emoji>("emoji", from, position, sink, [&](const Emoji& e) {
        if (!is_shortcode(e.id)) return sink.refuse("emoji", e.id, "its name is none");
        EmojiRow row;
        row.file = row.static_file = take_address(r, e.url, ":" + e.id + ":", sink);
        if (row.file.empty()) return;
        row.id = sink.numbers.give("emoji", e.id, e.created);
        row.shortcode = e.id;
        row.category = e.category;
        row.created_at = e.created;
        sink.put(std::move(row));
    });
}

void copy_reports(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT p.id, p.account_id AS account, p.target_account_id AS target, p.comment, p.posts, p.created "
        "FROM reports p) AS x";
    r.each<Report>("report", from, position, sink, [&](const Report& p) {
        const auto by = r.account(sink, p.account), about = r.account(sink, p.target);
        if (!by || !about) return sink.refuse("report", p.id, "one of the two did not come along");
        ReportRow row;
        std::vector<base::StatusId> shown;
        for (const auto& post : p.posts.items)
            if (const auto id = r.status(sink, post)) {
                row.statuses.push_back(*id);
                shown.push_back({*id});
            }
        row.id = sink.numbers.give("report", p.id, p.created);
        row.account_id = *by;
        row.target_id = *about;
        row.comment = p.comment;
        row.status_ids = base::json::to_string(shown);
        row.created_at = row.updated_at = p.created;
        sink.put(std::move(row));
    });
}

}  // namespace takeover::hollo
