// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/moderation/report_entity.hpp"
#include "social/statuses/core/viewer_api.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct Form {
    AccountId account_id;
    std::vector<StatusId> status_ids;
    std::vector<CollectionId> collection_ids;
    std::vector<RuleId> rule_ids;
    std::string comment;
    Category category = Category::other;
    bool forward = false;
    std::vector<std::string> forward_to_domains;
};
DESCRIBE(
    Form, account_id, status_ids, collection_ids, rule_ids, comment, category, forward, forward_to_domains
)

ReportId file(db::Write& db, const Viewer& me, const Form& form) {
    Complaint complaint{form.account_id, form.category, form.comment};
    complaint.statuses = form.status_ids;
    complaint.collections = form.collection_ids;
    complaint.rules = form.rule_ids;
    complaint.forward = form.forward;
    complaint.forward_to = form.forward_to_domains;
    return report(db, statuses::audience(db, me.account), complaint);
}

struct Filed {
    ReportId id;
};
DESCRIBE(Filed, id)

ReportEntity show(db::Read& db, const Viewer&, const Filed& filed) {
    auto found = entities(db, reports(db, {filed.id}));
    if (found.empty()) throw base::NotFound();
    return found[0];
}

// clang-format off
constexpr http::Route table[] = {
    http::post<file, show>("/api/v1/reports", "write:reports").throttled(http::Throttle::reports_family),
};
// clang-format on

}  // namespace

std::span<const http::Route> report_routes() { return table; }

}  // namespace moderation
