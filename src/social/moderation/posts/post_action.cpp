// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/posts/post_action.hpp"

#include "base/json_read.hpp"
#include "jobs/turn.hpp"
#include "social/accounts/administering.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/statuses/core/status.hpp"
#include "social/statuses/writing/edit.hpp"

#include <algorithm>

namespace moderation {

// statuses belongs to statuses. Pictures and previews are what is covered.
const db::Query<StatusId> posts_to_delete{
    "posts_to_delete",
    "SELECT id FROM statuses WHERE id IN LIST($1) AND account_id = $2 AND deleted_at IS NULL ORDER BY id"
};
const db::Query<StatusId> posts_to_mark{
    "posts_to_mark",
    R"(SELECT id FROM statuses WHERE id IN LIST($1) AND account_id = $2 AND deleted_at IS NULL AND sensitive = FALSE
         AND (relations & 36) <> 0 ORDER BY id)"
};
const db::Query<std::string> decisions_about_posts{
    "decisions_about_posts",
    R"(SELECT status_ids FROM strikes WHERE account_id = $1 AND report_id = $2 AND action = $3 AND overruled_at IS NULL
         AND status_ids IS NOT NULL)"
};
static_assert((statuses::has_media | statuses::has_card) == 36);

namespace {

std::vector<StatusId> chosen(const AdminReportRow& report, const PostsAction& action) {
    auto named = base::json::read<std::vector<StatusId>>(report.status_ids);
    if (action.statuses.empty()) return named;
    for (auto id : action.statuses)
        if (std::ranges::find(named, id) == named.end())
            throw base::Invalid("Validation failed: Status ids are not of this report");
    return action.statuses;
}

// They change in the background: what was decided about is no other decision's, though nothing may be seen of it yet.
void leave_out_decided(
    db::Read& db, const AdminReportRow& report, StrikeAction type, std::vector<StatusId>& ids
) {
    for (const auto& before : db.all(decisions_about_posts, report.target_id, report.id, type)) {
        const auto named = base::json::read<std::vector<StatusId>>(before);
        std::erase_if(ids, [&](StatusId id) { return std::ranges::find(named, id) != named.end(); });
    }
}

std::vector<StatusId> concerned(db::Read& db, const AdminReportRow& report, const PostsAction& action) {
    auto ids = chosen(report, action);
    const bool deletes = action.type == StrikeAction::delete_statuses;
    if (!ids.empty()) ids = db.all(deletes ? posts_to_delete : posts_to_mark, ids, report.target_id);
    leave_out_decided(db, report, action.type, ids);
    if (ids.empty())
        throw base::Invalid(
            deletes ? "None of the reported posts is left"
                    : "None of the reported posts has media to be covered"
        );
    return ids;
}

std::string details(const AdminReportRow& report, const std::vector<StatusId>& posts) {
    return "{\"report\":\"" + std::to_string(report.id.value) +
           "\",\"statuses\":" + base::json::to_string(posts) + "}";
}

// The rest of them, when time is up.
template <class Each>
std::vector<StatusId> some_of(const std::vector<StatusId>& posts, const Each& each) {
    const jobs::Turn turn;
    for (auto at = posts.begin(); at != posts.end(); ++at) {
        if (at != posts.begin() && turn.over()) return {at, posts.end()};
        each(*at);
    }
    return {};
}

}  // namespace

bool is_about_posts(StrikeAction type) {
    return type == StrikeAction::delete_statuses || type == StrikeAction::mark_statuses_as_sensitive;
}

StrikeId act_on_posts(db::Write& db, const accounts::Actor& who, ReportId id, const PostsAction& action) {
    accounts::require(who, accounts::permission::manage_reports);
    const auto report = admin_report(db, id);
    require_impartial(who, report.account_id, report.target_id);
    if (!is_about_posts(action.type))
        throw base::Invalid("Validation failed: Type is not included in the list");
    accounts::require_above(db, who, report.target_id);
    const auto posts = concerned(db, report, action);
    Strike made;
    made.account_id = report.target_id;
    made.actor_id = who.account;
    made.action = action.type;
    made.text = words_to_owner(db, action.preset, action.text);
    made.status_ids = base::json::to_string(posts);
    answer(made, report);
    const auto out = strike(db, made, action.tell && report.category != Category::spam);
    log(db,
        who,
        base::word(action.type),
        {"Account", report.target_id.value, name_of(db, report.target_id)},
        details(report, posts));
    if (!report.action_taken_at) resolve(db, who, id);
    if (action.type == StrikeAction::delete_statuses) db.emit(PostsToDelete{report.target_id, posts});
    else db.emit(PostsToMark{posts, true});
    return out;
}

void delete_posts(db::Write& db, const PostsToDelete& e) {
    auto left = some_of(e.posts, [&](StatusId id) {
        auto status = statuses::find_status(db, id);
        if (status && status->account_id == e.account) statuses::remove(db, e.account, id, true);
    });
    if (!left.empty()) db.emit(PostsToDelete{e.account, std::move(left)});
}

void mark_posts(db::Write& db, const PostsToMark& e) {
    auto left = some_of(e.posts, [&](StatusId id) { statuses::set_sensitive(db, id, e.sensitive); });
    if (!left.empty()) db.emit(PostsToMark{std::move(left), e.sensitive});
}

}  // namespace moderation
