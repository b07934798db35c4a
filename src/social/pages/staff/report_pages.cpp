// SPDX-License-Identifier: AGPL-3.0-or-later
// Reports, one of them with what it is about, and what is done about it.
#include "base/json_read.hpp"
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/notices/notice.hpp"
#include "social/moderation/posts/post_action.hpp"
#include "social/pages/shown.hpp"
#include "social/pages/staff/acting.hpp"

namespace pages {
namespace {

using instance::View;
using moderation::AdminReport, moderation::ReportId, moderation::ReportState;

const std::string reports_path = address_of(reports_part);

std::string path_of(ReportId id) { return reports_path + "/" + std::to_string(id.value); }

// ---- the list ----

constexpr int a_page = 20;

struct ListForm {
    ReportState state = ReportState::open;
    std::string about, by;
    std::optional<std::int64_t> max_id;
};
DESCRIBE(ListForm, state, about, by, max_id)

struct StateName {
    ReportState state;
    std::string_view name;
};
constexpr StateName states[] = {
    {ReportState::open, "Open"}, {ReportState::resolved, "Resolved"}, {ReportState::all, "All"}
};

std::string_view without_at(std::string_view handle) {
    return handle.starts_with('@') ? handle.substr(1) : handle;
}

// Nobody is called 0: an unknown name finds nothing, and none at all asks for nothing.
base::AccountId named(db::Read& db, std::string_view handle, bool& known) {
    if (handle.empty()) return {};
    auto found = accounts::find_by_acct(db, without_at(handle));
    known = known && found.has_value();
    return found ? found->id : base::AccountId{};
}

std::vector<moderation::AdminReportRow> find(db::Read& db, const ListForm& form) {
    moderation::ReportFilter filter;
    filter.state = form.state;
    bool known = true;
    filter.target = named(db, form.about, known);
    filter.account = named(db, form.by, known);
    base::Range range;
    range.limit = a_page;
    if (form.max_id) range.below = *form.max_id;
    return known ? moderation::admin_reports(db, filter, range) : std::vector<moderation::AdminReportRow>{};
}

void add_filters(View& view, const ListForm& form) {
    view.set("ABOUT", form.about).set("BY", form.by);
    for (const auto& one : states)
        view.add("STATE_CHOICE")
            .set("WORD", base::word(one.state))
            .say("NAME", one.name)
            .show_if(one.state == form.state, "CHOSEN");
}

http::Response list(db::Read& db, const http::Request& request, const ListForm& form) {
    auto who = member(db, request, reports_part.any_of);
    if (who.answer()) return *who.answer();
    auto rows = find(db, form);
    View view;
    add_filters(view, form);
    view.show_if(rows.empty(), "NONE");
    for (const auto& report : moderation::entities(db, rows, who.actor.account)) {
        auto& shown = view.add("REPORT");
        shown.set("URL", path_of(report.id))
            .say("CATEGORY", moderation::name(report.category))
            .set("DAY", day_of(report.created_at))
            .set("COMMENT", report.comment);
        set_person(shown, report.target_account);
        shown.show_if(report.action_taken, "RESOLVED");
        if (report.assigned_account) shown.add("ASSIGNED").set("HANDLE", report.assigned_account->username);
    }
    if (rows.size() == a_page)
        view.add("OLDER").set(
            "URL",
            reports_path + "?state=" + std::string(base::word(form.state)) +
                "&about=" + http::percent_encoded(form.about) + "&by=" + http::percent_encoded(form.by) +
                "&max_id=" + std::to_string(rows.back().id.value)
        );
    return staff_page(db, request, who, &reports_part, "staff_reports", "Reports", {}, std::move(view));
}

// ---- one ----

// Whether there are any.
bool add_posts(db::Read& db, View& view, const AdminReport& report) {
    auto posts = base::json::read<std::vector<Shown>>(report.statuses.text);
    view.show_if(posts.empty(), "NO_POSTS");
    add_covered(db, view, posts, true);
    return !posts.empty();
}

http::Response report_page(
    db::Read& db, const http::Request& request, const Member& who, ReportId id, const ActForm& given,
    std::string_view problem = {}
) {
    auto report = std::move(
        moderation::entities(db, std::vector{moderation::admin_report(db, id)}, who.actor.account)[0]
    );
    View view;
    view.set("ID", std::to_string(report.id.value))
        .say("CATEGORY", moderation::name(report.category))
        .set("DAY", minute_of(report.created_at));
    set_person(view.add("TARGET"), report.target_account);
    if (auto notice = moderation::find_notice(db, id))
        view.add("STRANGER").set("NAME", notice->name).set("EMAIL", notice->email);
    else set_person(view.add("REPORTER"), report.account);
    if (!report.comment.empty()) view.add("SAID").set("COMMENT", report.comment);
    for (const auto& rule : report.rules) view.add("RULE").set("TEXT", rule.text);
    view.show_if(report.forwarded, "FORWARDED");
    if (report.target_account && who.actor.may(accounts_part.any_of))
        view.add("ALL_OF_IT").set("URL", account_page(report.target_account->id));
    if (report.target_account)
        view.add("OTHERS").set(
            "URL",
            reports_path + "?state=all&about=" +
                http::percent_encoded(base::json::read<ShownAuthor>(report.target_account->account.text).acct)
        );
    bool mine = report.assigned_account && report.assigned_account->id == who.actor.account;
    if (report.assigned_account) view.add("ASSIGNED").set("HANDLE", report.assigned_account->username);
    view.add(mine ? "MINE" : "NOT_MINE");
    view.add(report.action_taken ? "RESOLVED" : "OPEN");
    const bool posts = add_posts(db, view, report);
    add_acts(
        db,
        view,
        who,
        report.target_account,
        given,
        path_of(report.id),
        posts ? ActsOn::report_with_posts : ActsOn::report
    );
    return staff_page(db, request, who, &reports_part, "staff_report", "A report", problem, std::move(view));
}

struct ByReport {
    ReportId id;
    std::string authenticity_token;
};
DESCRIBE(ByReport, id, authenticity_token)

http::Response look(db::Read& db, const http::Request& request, const ByReport& path) {
    auto who = member(db, request, reports_part.any_of);
    if (who.answer()) return *who.answer();
    return report_page(db, request, who, path.id, {});
}

template <void (*F)(db::Write&, const accounts::Actor&, ReportId), const char* What>
http::Response change(db::Write& db, const http::Request& request, const ByReport& form) {
    auto who = member(db, request, reports_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    F(db, who.actor, form.id);
    return done(path_of(form.id), What);
}

http::Response act(db::Write& db, const http::Request& request, const ByReport& path, const ActForm& form) {
    auto who = member(db, request, reports_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    try {
        if (auto posts = posts_action_of(form)) {
            moderation::act_on_posts(db, who.actor, path.id, *posts);
            return done(path_of(path.id), "acted");
        }
        auto wanted = action_of(form);
        wanted.report = path.id;
        moderation::act(db, who.actor, moderation::admin_report(db, path.id).target_id, wanted);
    } catch (const base::Invalid& refused) {
        return report_page(db, request, who, path.id, form, sentence_of(refused));
    }
    return done(path_of(path.id), "acted");
}

template <void (*F)(db::Write&, const accounts::Actor&, base::AccountId)>
http::Response undo(db::Write& db, const http::Request& request, const ByReport& form) {
    auto who = member(db, request, reports_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    F(db, who.actor, moderation::admin_report(db, form.id).target_id);
    return done(path_of(form.id), "undone");
}

constexpr char assigned[] = "assigned", unassigned[] = "unassigned", resolved[] = "resolved",
               reopened[] = "reopened";

// clang-format off
constexpr http::Route table[] = {
    http::get<list>                                      ("/settings/moderation/reports"),
    http::get<look>                                      ("/settings/moderation/reports/:id"),
    http::post<change<moderation::assign, assigned>>     ("/settings/moderation/reports/:id/assign"),
    http::post<change<moderation::unassign, unassigned>> ("/settings/moderation/reports/:id/unassign"),
    http::post<change<moderation::resolve, resolved>>    ("/settings/moderation/reports/:id/resolve"),
    http::post<change<moderation::reopen, reopened>>     ("/settings/moderation/reports/:id/reopen"),
    http::post<act>                                      ("/settings/moderation/reports/:id/act"),
    http::post<undo<moderation::unsuspend>>              ("/settings/moderation/reports/:id/unsuspend"),
    http::post<undo<moderation::unsilence>>              ("/settings/moderation/reports/:id/unsilence"),
    http::post<undo<moderation::unsensitive>>            ("/settings/moderation/reports/:id/unsensitive"),
    http::post<undo<moderation::enable>>                 ("/settings/moderation/reports/:id/enable"),
};
// clang-format on

}  // namespace

std::span<const http::Route> report_pages() { return table; }

}  // namespace pages
