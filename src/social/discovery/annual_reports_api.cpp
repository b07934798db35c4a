// SPDX-License-Identifier: AGPL-3.0-or-later
// Annual reports of the logged-in account.
#include "base/json_read.hpp"
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/discovery/annual_report.hpp"
#include "social/instance/async_refresh.hpp"
#include "social/statuses/render/status_entity.hpp"

namespace discovery {
namespace {

using http::Viewer, http::Response;

struct Entity {
    static constexpr std::string_view entity = "AnnualReport";

    std::int64_t year = 0;
    base::json::Raw data;
    int schema_version = 2;
    std::optional<std::string> share_url;
    AccountId account_id;
};
DESCRIBE(Entity, year, data, schema_version, share_url, account_id)

struct Envelope {
    std::vector<Entity> annual_reports;
    base::json::Raw accounts, statuses;
};
DESCRIBE(Envelope, annual_reports, accounts, statuses)

// The id of a report is its year.
struct OfYear {
    base::Id<struct YearTag> id;
};
DESCRIBE(OfYear, id)

// Numbers that are no years have no report.
std::int64_t year_of(const OfYear& path) {
    if (path.id.value < 2000 || path.id.value > 2999) throw base::NotFound();
    return path.id.value;
}

std::optional<std::string> share_url(db::Read& db, const Report& report) {
    if (!report.share_key) return std::nullopt;
    auto page = accounts::url_of(db.site(), accounts::account(db, report.account_id));
    return page + "/wrapstodon/" + std::to_string(report.year) + "/" + *report.share_key;
}

Envelope envelope(db::Read& db, const Viewer& me, const std::vector<Report>& reports) {
    Envelope out;
    std::vector<StatusId> top;
    for (const auto& report : reports) {
        out.annual_reports.push_back(
            {report.year, {report.figures}, 2, share_url(db, report), report.account_id}
        );
        auto figures = base::json::read<Figures>(report.figures);
        if (auto id = figures.top_statuses.by_reblogs) top.push_back(*id);
    }
    auto viewer = statuses::audience(db, me.account, me.relations_version);
    auto facts = statuses::visibility_facts(db, viewer, top);
    std::erase_if(facts, [&](const auto& f) { return !statuses::visible(f, viewer); });
    out.statuses.text = statuses::json_list(db, viewer, facts);
    std::vector<AccountId> accounts;
    if (!reports.empty()) accounts.push_back(me.account);
    out.accounts.text = accounts::render_list(db, accounts, true);
    return out;
}

Envelope index(db::Read& db, const Viewer& me) { return envelope(db, me, unread_reports(db, me.account)); }

Envelope show(db::Read& db, const Viewer& me, const OfYear& path) {
    auto report = find_report(db, me.account, year_of(path));
    if (!report) throw base::NotFound();
    return envelope(db, me, {*report});
}

struct State {
    ReportState state = ReportState::ineligible;
};
DESCRIBE(State, state)

Response state(db::Read& db, const Viewer& me, const OfYear& path) {
    auto state = report_state(db, me.account, year_of(path));
    Response response;
    response.body = base::json::to_string(State{state});
    if (auto refresh = instance::find_refresh(db, refresh_key(me.account, year_of(path)));
        refresh && state == ReportState::generating)
        response.headers.emplace_back("Mastodon-Async-Refresh", instance::refresh_header(*refresh, 2));
    return response;
}

Response generate(db::Write& db, const Viewer& me, const OfYear& path) {
    Response response;
    if (want_report(db, me.account, year_of(path))) response.status = 202;
    else response.body = "{}";
    return response;
}

void read(db::Write& db, const Viewer& me, const OfYear& path) { mark_read(db, me.account, year_of(path)); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>    ("/api/v1/annual_reports",              "read:accounts"),
    http::get<show>     ("/api/v1/annual_reports/:id",          "read:accounts"),
    http::get<state>    ("/api/v1/annual_reports/:id/state",    "read:accounts").answering("object"),
    http::post<generate>("/api/v1/annual_reports/:id/generate", "write:accounts").answering("object"),
    http::post<read>    ("/api/v1/annual_reports/:id/read",     "write:accounts"),
};
// clang-format on

}  // namespace

std::span<const http::Route> annual_report_routes() { return table; }

}  // namespace discovery
