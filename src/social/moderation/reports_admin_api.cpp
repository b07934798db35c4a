// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/moderation/posts/post_action.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct ById {
    ReportId id;
};
DESCRIBE(ById, id)

struct ListForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 200> limit;
    bool resolved = false, unresolved = false;
    std::optional<std::int64_t> account_id, target_account_id;
};
DESCRIBE(ListForm, max_id, since_id, min_id, limit, resolved, unresolved, account_id, target_account_id)

http::Page<AdminReport> index(db::Read& db, const Viewer& me, const ListForm& form) {
    ReportFilter filter;
    if (form.resolved) filter.state = form.unresolved ? ReportState::all : ReportState::resolved;
    filter.account = {form.account_id.value_or(0)};
    filter.target = {form.target_account_id.value_or(0)};
    auto range = http::range_of(form);
    auto rows = admin_reports(db, filter, range);
    http::Page<AdminReport> out{entities(db, rows, me.account), {}};
    bool full = rows.size() == static_cast<std::size_t>(range.limit);
    if (!rows.empty())
        out.cursors = base::cursors_of(rows.front().id.value, rows.back().id.value, full, false);
    return out;
}

AdminReport show(db::Read& db, const Viewer& me, const ById& path) {
    return std::move(entities(db, std::vector{admin_report(db, path.id)}, me.account)[0]);
}

template <void (*F)(db::Write&, const accounts::Actor&, ReportId)>
void change(db::Write& db, const Viewer& me, const ById& path) {
    F(db, accounts::actor(db, me.account), path.id);
}

struct EditForm {
    ReportId id;
    std::optional<Category> category;
    std::optional<std::vector<RuleId>> rule_ids;
};
DESCRIBE(EditForm, id, category, rule_ids)

void update(db::Write& db, const Viewer& me, const EditForm& form) {
    edit(db, accounts::actor(db, me.account), form.id, {form.category, form.rule_ids});
}

struct PostsForm {
    ReportId id;
    StrikeAction type = StrikeAction::none;
    std::vector<StatusId> status_ids;
    std::optional<PresetId> warning_preset_id;
    std::string text;
    bool send_email_notification = true;
};
DESCRIBE(PostsForm, id, type, status_ids, warning_preset_id, text, send_email_notification)

void deal_with_posts(db::Write& db, const Viewer& me, const PostsForm& form) {
    PostsAction action{form.type, form.status_ids, form.warning_preset_id, form.text};
    action.tell = form.send_email_notification;
    act_on_posts(db, accounts::actor(db, me.account), form.id, action);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                  ("/api/v1/admin/reports",                    "admin:read:reports"),
    http::get<show>                   ("/api/v1/admin/reports/:id",                "admin:read:reports"),
    http::put<update, show>           ("/api/v1/admin/reports/:id",                "admin:write:reports"),
    http::patch<update, show>         ("/api/v1/admin/reports/:id",                "admin:write:reports"),
    http::post<change<assign>, show>  ("/api/v1/admin/reports/:id/assign_to_self", "admin:write:reports"),
    http::post<change<unassign>, show>("/api/v1/admin/reports/:id/unassign",       "admin:write:reports"),
    http::post<change<reopen>, show>  ("/api/v1/admin/reports/:id/reopen",         "admin:write:reports"),
    http::post<change<resolve>, show> ("/api/v1/admin/reports/:id/resolve",        "admin:write:reports"),
    http::post<deal_with_posts, show> ("/api/dunlin/v1/moderation/reports/:id/posts", "admin:write:reports"),
};
// clang-format on

}  // namespace

std::span<const http::Route> admin_report_routes() { return table; }

}  // namespace moderation
