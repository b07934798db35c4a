// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits for somebody to read it.
#include "takeover/mitra/reading.hpp"

namespace takeover::mitra {

namespace {

// As Mastodon's API calls it; empty for those that exist there alone.
std::string_view word_of(std::int64_t event) {
    switch (event) {
        case 1: return "follow";
        case 2: return "follow_request";
        case 3:  // an answer
        case 5: return "mention";
        case 4: return "favourite";
        case 6: return "reblog";
        default: return {};
    }
}

}  // namespace

void copy_notifications(const Reading& r, const std::string& position, Sink& sink) {
    const char* from =
        "(SELECT n.id, n.sender_id AS sender, n.recipient_id AS recipient, n.post_id AS post, n.event_type, "
        "n.created_at FROM notification n) AS x";
    r.each<Notification>("notification", from, position, sink, [&](const Notification& n) {
        put_notification(
            {n.id,
             r.account(sink, n.recipient),
             r.account(sink, n.sender),
             r.status(sink, n.post),
             n.created_at},
            notification_kind(word_of(n.event_type)),
            r.choice,
            sink
        );
    });
}

void copy_markers(const Reading& r, const std::string& position, Sink& sink) {
    constexpr std::int64_t home = 1;
    const char* from =
        "(SELECT m.id, m.user_id AS owner, m.last_read_id, m.timeline, m.updated_at, p.created_at AS made "
        "FROM timeline_marker m LEFT JOIN post p ON CAST(p.id AS text) = m.last_read_id) AS x";
    r.each<Marker>("marker", from, position, sink, [&](const Marker& m) {
        const auto account = r.account(sink, m.owner);
        const bool of_home = m.timeline == home;
        const auto last = of_home ? read_until(sink, m.last_read_id, m.made)
                                  : sink.numbers.find("notification", m.last_read_id);
        if (account && last)
            sink.put(MarkerRow{*account, of_home ? "home" : "notifications", *last, 1, m.updated_at});
    });
}

}  // namespace takeover::mitra
