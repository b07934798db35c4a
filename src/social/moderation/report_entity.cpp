// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/report_entity.hpp"

#include "social/accounts/account_entity.hpp"

namespace moderation {

std::vector<ReportEntity> entities(db::Read& db, const std::vector<Report>& found) {
    std::vector<AccountId> targets;
    for (const auto& report : found) targets.push_back(report.target_id);
    std::vector<accounts::Version> versions;
    for (const auto& account : accounts::accounts(db, targets))
        versions.push_back({account.id, account.version});
    auto rendered = accounts::render(db, versions);
    std::vector<ReportEntity> out;
    for (const auto& report : found) {
        auto target = rendered.find(report.target_id);
        if (target == rendered.end()) continue;
        std::optional<base::json::Raw> rules;
        if (report.rule_ids) rules = base::json::Raw{*report.rule_ids};
        out.push_back(
            {report.id,
             report.action_taken_at.has_value(),
             report.action_taken_at,
             report.category,
             report.comment,
             report.forwarded,
             report.created_at,
             {report.status_ids},
             std::move(rules),
             {report.collection_ids},
             {target->second->for_viewer(true)}}
        );
    }
    return out;
}

notifications::JsonById render_reports(
    db::Read& db, const statuses::Audience&, const std::vector<std::int64_t>& ids
) {
    std::vector<ReportId> wanted;
    for (auto id : ids) wanted.push_back({id});
    notifications::JsonById out;
    for (const auto& report : entities(db, reports(db, wanted)))
        out.emplace(report.id.value, base::json::to_string(report));
    return out;
}

}  // namespace moderation
