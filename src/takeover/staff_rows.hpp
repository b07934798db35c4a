// SPDX-License-Identifier: AGPL-3.0-or-later
// Rows of what a team has to do with: roles, what was decided about people, who may sign up, and what it tells them.
#pragma once
#include "takeover/rows.hpp"

namespace takeover {

struct RoleRow {
    Id id = 0;
    std::string name, color;
    std::int64_t position = 0, permissions = 0, collection_limit = 10;
    bool highlighted = false, require_2fa = false;
};
struct InviteRow {
    static constexpr auto table = "invites";
    std::string code;
    Id account_id = 0;
    std::optional<Time> expires_at;
    std::optional<std::int64_t> max_uses;
    std::int64_t uses = 0;
    bool autofollow = false;
    Time created_at;
};
DESCRIBE(InviteRow, code, account_id, expires_at, max_uses, uses, autofollow, created_at)
struct AddressBlockRow {
    static constexpr auto table = "ip_blocks";
    Id id = 0;
    std::string ip, first, last, severity, comment;
    std::optional<Time> expires_at;
    Time created_at;
};
DESCRIBE(AddressBlockRow, id, ip, first, last, severity, comment, expires_at, created_at)
struct NameBlockRow {
    static constexpr auto table = "username_blocks";
    Id id = 0;
    std::string username, plain;
    bool exact = false, allow_with_approval = false;
    Time created_at;
};
DESCRIBE(NameBlockRow, id, username, plain, exact, allow_with_approval, created_at)
struct RelayRow {
    Id id = 0;
    std::string inbox, follow, state;
    Time created_at;
};
struct TermsRow {
    static constexpr auto table = "terms_of_service";
    Id id = 0;
    std::string text, changelog, effective_date;
    std::optional<Time> published_at;
    Time created_at;
};
DESCRIBE(TermsRow, id, text, changelog, effective_date, published_at, created_at)
struct WarningPresetRow {
    static constexpr auto table = "warning_presets";
    Id id = 0;
    std::string title, text;
};
DESCRIBE(WarningPresetRow, id, title, text)
struct AnnouncementRow {
    static constexpr auto table = "announcements";
    Id id = 0;
    std::string text, html, statuses = "[]";
    Time published_at;
    std::optional<Time> starts_at, ends_at;
    bool all_day = false;
    Time created_at, updated_at;
};
DESCRIBE(
    AnnouncementRow, id, text, html, statuses, published_at, starts_at, ends_at, all_day, created_at,
    updated_at
)
struct DismissalRow {
    static constexpr auto table = "announcement_dismissals";
    Id account_id = 0, announcement_id = 0;
};
DESCRIBE(DismissalRow, account_id, announcement_id)
struct ReactionRow {
    static constexpr auto table = "announcement_reactions";
    Id id = 0, announcement_id = 0, account_id = 0;
    std::string name;
    MaybeId custom_emoji_id;
};
DESCRIBE(ReactionRow, id, announcement_id, account_id, name, custom_emoji_id)
struct StrikeRow {
    static constexpr auto table = "strikes";
    Id id = 0, account_id = 0, actor_id = 0;
    std::string action, text;
    MaybeId report_id;
    std::optional<std::string> status_ids;
    Time created_at;
    std::optional<Time> overruled_at;
};
DESCRIBE(StrikeRow, id, account_id, actor_id, action, text, report_id, status_ids, created_at, overruled_at)
struct AppealRow {
    static constexpr auto table = "appeals";
    Id id = 0, strike_id = 0, account_id = 0;
    std::string text, state;
    Time created_at;
    std::optional<Time> decided_at;
    MaybeId decided_by_id;
};
DESCRIBE(AppealRow, id, strike_id, account_id, text, state, created_at, decided_at, decided_by_id)
// What the team wrote about an account, or about the case of one that was reported.
struct StaffNoteRow {
    static constexpr auto table = "notes";
    Id id = 0;
    std::string kind, subject;
    Id author_id = 0;
    std::string text;
    Time created_at;
};
DESCRIBE(StaffNoteRow, id, kind, subject, author_id, text, created_at)
// An account that its owner gave up, and when it is deleted.
struct DeletionRow {
    static constexpr auto table = "deletions";
    Id account_id = 0;
    Time due_at;
};
DESCRIBE(DeletionRow, account_id, due_at)

void write(db::Write&, const RoleRow&);
void write(db::Write&, const RelayRow&);

}  // namespace takeover
