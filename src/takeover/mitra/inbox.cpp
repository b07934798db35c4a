// SPDX-License-Identifier: AGPL-3.0-or-later
// What waits for somebody to read it.
#include "takeover/mitra/reading.hpp"

#include <algorithm>

namespace takeover::mitra {

namespace {

// As it is stored here, and whether it names a post; nothing for those that exist there alone.
struct Type {
    std::int64_t there;
    const char* here;
    bool of_post;
};
constexpr Type types[] = {
    {1, "follow", false},
    {2, "follow_request", false},
    {3, "mention", true},  // an answer
    {4, "favourite", true},
    {5, "mention", true},
    {6, "reblog", true},
};

}  // namespace

void copy_notifications(const Reading& r, const std::string& position, Sink& sink) {
    const auto oldest = r.choice.now.plus_seconds(-r.choice.notification_days * 86'400);
    const char* from =
        "(SELECT n.id, n.sender_id AS sender, n.recipient_id AS recipient, n.post_id AS post, n.event_type, "
        "n.created_at FROM notification n) AS x";
    r.each<Notification>("notification", from, position, sink, [&](const Notification& n) {
        const auto to = r.account(sink, n.recipient), by = r.account(sink, n.sender);
        const auto* type = std::ranges::find(types, n.event_type, &Type::there);
        if (n.created_at < oldest || !to || !by || type == std::end(types)) return;
        NotificationRow row;
        if (type->of_post) {
            const auto status = r.status(sink, n.post);
            if (!status) return;
            row.status_id = *status;
        }
        row.id = sink.numbers.give("notification", n.id, n.created_at);
        row.account_id = *to;
        row.from_account_id = *by;
        row.type = type->here;
        row.created_at = n.created_at;
        sink.put(std::move(row));
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
