// SPDX-License-Identifier: AGPL-3.0-or-later
// Entity Report, for the reporter and, in notifications, for moderators.
#pragma once
#include "base/schema.hpp"
#include "social/moderation/report.hpp"
#include "social/notifications/attachment.hpp"

namespace moderation {

struct ReportEntity {
    static constexpr std::string_view entity = "Report";
    static constexpr base::json::RawMember raw_members[] = {{"target_account", "Account"}};
    ReportId id;
    bool action_taken = false;
    std::optional<Time> action_taken_at;
    Category category = Category::other;
    std::string comment;
    bool forwarded = false;
    Time created_at;
    base::json::Raw status_ids;
    std::optional<base::json::Raw> rule_ids;
    base::json::Raw collection_ids, target_account;
};
DESCRIBE(
    ReportEntity, id, action_taken, action_taken_at, category, comment, forwarded, created_at, status_ids,
    rule_ids, collection_ids, target_account
)

// In the order of the reports, without those on deleted accounts.
std::vector<ReportEntity> entities(db::Read&, const std::vector<Report>&);

// In notifications.
notifications::JsonById render_reports(
    db::Read&, const statuses::Audience&, const std::vector<std::int64_t>& ids
);

}  // namespace moderation
