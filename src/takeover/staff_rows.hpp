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
    std::string code;
    Id account_id = 0;
    std::optional<Time> expires_at;
    std::optional<std::int64_t> max_uses;
    std::int64_t uses = 0;
    bool autofollow = false;
    Time created_at;
};
struct AddressBlockRow {
    Id id = 0;
    std::string ip, first, last, severity, comment;
    std::optional<Time> expires_at;
    Time created_at;
};
struct NameBlockRow {
    Id id = 0;
    std::string name, plain;
    bool exact = false, allow_with_approval = false;
    Time created_at;
};
struct RelayRow {
    Id id = 0;
    std::string inbox, follow, state;
    Time created_at;
};
struct TermsRow {
    Id id = 0;
    std::string text, changelog, effective_date;
    std::optional<Time> published_at;
    Time created_at;
};
struct WarningPresetRow {
    Id id = 0;
    std::string title, text;
};
struct AnnouncementRow {
    Id id = 0;
    std::string text, html, statuses = "[]";
    Time published_at;
    std::optional<Time> starts_at, ends_at;
    bool all_day = false;
    Time created_at, updated_at;
};
struct DismissalRow {
    Id account_id = 0, announcement_id = 0;
};
struct ReactionRow {
    Id id = 0, announcement_id = 0, account_id = 0;
    std::string name;
    MaybeId custom_emoji_id;
};
struct StrikeRow {
    Id id = 0, account_id = 0, actor_id = 0;
    std::string action, text;
    MaybeId report_id;
    std::optional<std::string> status_ids;
    Time created_at;
    std::optional<Time> overruled_at;
};
struct AppealRow {
    Id id = 0, strike_id = 0, account_id = 0;
    std::string text, state;
    Time created_at;
    std::optional<Time> decided_at;
    MaybeId decided_by;
};
// What the team wrote about an account, or about the case of one that was reported.
struct StaffNoteRow {
    Id id = 0;
    std::string kind, subject;
    Id author_id = 0;
    std::string text;
    Time created_at;
};
// An account that its owner gave up, and when it is deleted.
struct DeletionRow {
    Id account_id = 0;
    Time due_at;
};

void write(db::Write&, const RoleRow&);
void write(db::Write&, const InviteRow&);
void write(db::Write&, const AddressBlockRow&);
void write(db::Write&, const NameBlockRow&);
void write(db::Write&, const RelayRow&);
void write(db::Write&, const TermsRow&);
void write(db::Write&, const WarningPresetRow&);
void write(db::Write&, const AnnouncementRow&);
void write(db::Write&, const DismissalRow&);
void write(db::Write&, const ReactionRow&);
void write(db::Write&, const StrikeRow&);
void write(db::Write&, const AppealRow&);
void write(db::Write&, const StaffNoteRow&);
void write(db::Write&, const DeletionRow&);

}  // namespace takeover
