// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team has to do with: reports, what was decided, what it wrote down and told everybody.
#include "base/json.hpp"
#include "base/text/html/html.hpp"
#include "takeover/compose.hpp"
#include "takeover/mastodon/reading.hpp"

namespace takeover::mastodon {

void copy_reports(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Report>("report", "reports", position, sink, [&](const Report& p) {
        constexpr std::pair<std::int64_t, const char*> categories[] = {
            {1000, "spam"}, {1500, "legal"}, {2000, "violation"}
        };
        if (!r.account(sink, p.account_id) || !r.account(sink, p.target_account_id))
            return sink.refuse("report", std::to_string(p.id), "one of the two did not come along");
        ReportRow row;
        row.id = p.id;
        row.account_id = p.account_id;
        row.target_id = p.target_account_id;
        row.comment = p.comment;
        for (const auto& [number, word] : categories)
            if (p.category == number) row.category = word;
        std::vector<base::StatusId> shown;
        for (const auto id : ids_of(p.status_ids))
            if (r.status(sink, id)) {
                row.statuses.push_back(id);
                shown.push_back({id});
            }
        row.status_ids = base::json::to_string(shown);
        std::vector<base::RuleId> rules;
        for (const auto id : ids_of(p.rule_ids)) rules.push_back({id});
        if (!rules.empty()) row.rule_ids = base::json::to_string(rules);
        row.forwarded = p.forwarded;
        row.action_taken_at = p.action_taken_at;
        row.action_taken_by = r.account(sink, p.action_taken_by_account_id);
        row.assigned_to = r.account(sink, p.assigned_account_id);
        row.created_at = p.created_at;
        row.updated_at = p.updated_at;
        sink.put(std::move(row));
    });
}

namespace {

std::string action_of(std::int64_t number) {
    constexpr std::pair<std::int64_t, const char*> actions[] = {
        {1000, "disable"},
        {1250, "mark_statuses_as_sensitive"},
        {1500, "delete_statuses"},
        {2000, "sensitive"},
        {3000, "silence"},
        {4000, "suspend"}
    };
    for (const auto& [known, word] : actions)
        if (number == known) return word;
    return "none";
}

// Notes of a report are about who was reported; their numbers are those of another table.
void put_notes(const Reading& r, Sink& sink) {
    auto put = [&](const StaffNote& n, Id id) {
        if (r.account(sink, n.account_id) && r.account(sink, n.target_account_id))
            sink.put(StaffNoteRow{
                id, "account", std::to_string(n.target_account_id), n.account_id, n.content, n.created_at
            });
        sink.done("");
    };
    r.all<StaffNote>("note of the team", "account_moderation_notes", sink, [&](const StaffNote& n) {
        put(n, n.id);
    });
    if (!r.has("report_notes")) return;
    r.db.each<StaffNote>(
        "(SELECT n.id, n.account_id, p.target_account_id, n.content, n.created_at FROM report_notes n JOIN "
        "reports p ON p.id = n.report_id) AS x",
        "",
        {},
        [&](const StaffNote& n) { put(n, n.created_at.ms << 16 | (n.id & 0xffff)); },
        r.refusing("note of the team", sink)
    );
}

// Mastodon deletes after thirty days what its owner gave up or the team suspended. Whom their own server suspended are its
// to delete, and may come back.
void put_deletions(const Reading& r, Sink& sink) {
    if (!r.has("account_deletion_requests")) return;
    constexpr std::int64_t days = 30, seconds_a_day = 86'400;
    r.db.each<DeletionRequest>(
        "(SELECT d.id, d.account_id, d.created_at FROM account_deletion_requests d JOIN accounts a ON a.id = "
        "d.account_id WHERE COALESCE(a.suspension_origin, 0) <> 1) AS x",
        "",
        {},
        [&](const DeletionRequest& d) {
            if (r.account(sink, d.account_id))
                sink.put(DeletionRow{d.account_id, d.created_at.plus_seconds(days * seconds_a_day)});
            sink.done("");
        },
        r.refusing("deletion", sink)
    );
}

}  // namespace

// Few rows: at once, and again if it was cut off.
void copy_strikes(const Reading& r, const std::string&, Sink& sink) {
    r.all<Warning>("strike", "account_warnings", sink, [&](const Warning& w) {
        if (!r.account(sink, w.target_account_id)) return;
        StrikeRow row;
        row.id = w.id;
        row.account_id = w.target_account_id;
        row.actor_id = r.account(sink, w.account_id).value_or(0);
        row.action = action_of(w.action);
        row.text = w.text;
        if (w.report_id != 0 && !sink.is_refused("report", std::to_string(w.report_id)))
            row.report_id = w.report_id;
        if (w.status_ids) {
            std::vector<base::StatusId> about;
            for (const auto id : ids_of(*w.status_ids)) about.push_back({id});
            row.status_ids = base::json::to_string(about);
        }
        row.created_at = w.created_at;
        row.overruled_at = w.overruled_at;
        sink.put(std::move(row));
        sink.done("");
    });
    r.all<Appeal>("appeal", "appeals", sink, [&](const Appeal& a) {
        if (!r.account(sink, a.account_id)) return;
        AppealRow row;
        row.id = a.id;
        row.strike_id = a.account_warning_id;
        row.account_id = a.account_id;
        row.text = a.text;
        row.state = a.approved_at ? "approved" : a.rejected_at ? "rejected" : "pending";
        row.created_at = a.created_at;
        row.decided_at = a.approved_at ? a.approved_at : a.rejected_at;
        row.decided_by_id =
            r.account(sink, a.approved_at ? a.approved_by_account_id : a.rejected_by_account_id);
        sink.put(std::move(row));
    });
    put_notes(r, sink);
    put_deletions(r, sink);
}

void copy_announcements(const Reading& r, const std::string&, Sink& sink) {
    r.all<Announcement>("announcement", "announcements", sink, [&](const Announcement& a) {
        const auto at = a.published ? a.published_at : a.scheduled_at;
        if (!at) return;  // a draft
        AnnouncementRow row;
        row.id = a.id;
        row.text = a.text;
        row.html = html_of(r.site, a.text, "text/plain", {});
        row.published_at = *at;
        row.starts_at = a.starts_at;
        row.ends_at = a.ends_at;
        row.all_day = a.all_day;
        row.created_at = a.created_at;
        row.updated_at = a.updated_at;
        sink.put(std::move(row));
    });
    r.all<AnnouncementReaction>(
        "reaction",
        "announcement_reactions",
        sink,
        [&](const AnnouncementReaction& a) {
            if (!r.account(sink, a.account_id)) return;
            const auto emoji = a.custom_emoji_id != 0 ? MaybeId(a.custom_emoji_id) : std::nullopt;
            if (emoji && sink.is_refused("emoji", std::to_string(*emoji))) return;
            sink.put(ReactionRow{a.id, a.announcement_id, a.account_id, a.name, emoji});
            sink.done("");
        }
    );
    r.all<AnnouncementMute>("dismissal", "announcement_mutes", sink, [&](const AnnouncementMute& m) {
        if (r.account(sink, m.account_id)) sink.put(DismissalRow{m.account_id, m.announcement_id});
        sink.done("");
    });
}

void copy_tombstones(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Tombstone>("tombstone", "tombstones", position, sink, [&](const Tombstone& t) {
        if (r.account(sink, t.account_id) && is_address(t.uri) && !r.is_here(t.uri))
            sink.put(TombstoneRow{t.uri, t.account_id, t.created_at});
    });
}

}  // namespace takeover::mastodon
