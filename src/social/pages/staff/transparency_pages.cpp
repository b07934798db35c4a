// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team did in a time, in numbers that can be published.
#include "social/insight/transparency.hpp"
#include "social/pages/staff/sheet.hpp"

namespace pages {
namespace {

const std::string path = address_of(transparency_part);

struct RangeForm {
    std::string from, to;
};
DESCRIBE(RangeForm, from, to)

// Without days: the last thirty.
insight::Days days_of(db::Read& db, const RangeForm& form) {
    auto given = [](const std::string& text, base::Time otherwise) {
        if (text.empty()) return otherwise;
        auto time = base::parse_time(text);
        if (!time) throw base::Invalid("A day is written 2026-12-24.");
        return *time;
    };
    auto to = given(form.to, db.now());
    return insight::days_between(given(form.from, to.plus_seconds(-29 * 86'400)), to);
}

Row row(const std::string& name, std::int64_t count) {
    Row out{name};
    out.hint = std::to_string(count);
    return out;
}

Panel reports_of(const insight::Transparency& found) {
    Panel out{"Reports"};
    out.facts.push_back({"Resolved", std::to_string(found.reports_resolved)});
    if (found.report_median_hours)
        out.facts.push_back({"Hours that half of them took", std::to_string(*found.report_median_hours)});
    out.rows.emplace();
    for (const auto& one : found.reports)
        out.rows->push_back(row(one.category + ", " + one.sender, one.count));
    return out;
}

Panel acts_of(const insight::Transparency& found) {
    Panel out{"Decisions about accounts"};
    out.facts = {
        {"By rules", std::to_string(found.acts_automated)},
        {"taken back", std::to_string(found.acts_overruled)},
    };
    out.rows.emplace();
    for (const auto& one : found.acts) out.rows->push_back(row(one.action + ", " + one.ground, one.count));
    return out;
}

Panel appeals_of(const insight::Transparency& found) {
    Panel out{"Appeals"};
    if (found.appeal_median_hours)
        out.facts.push_back({"Hours that half of them took", std::to_string(*found.appeal_median_hours)});
    out.rows.emplace();
    for (const auto& one : found.appeals) out.rows->push_back(row(one.state, one.count));
    return out;
}

Panel rules_of(const insight::Transparency& found) {
    Panel out{"Rules about posts"};
    out.facts = {
        {"Marked", std::to_string(found.posts_marked_by_rules)},
        {"Held back", std::to_string(found.posts_held_by_rules)},
        {"Refused", std::to_string(found.posts_refused_by_rules)},
    };
    return out;
}

Panel log_of(const insight::Transparency& found) {
    Panel out{"Log"};
    out.rows.emplace();
    for (const auto& one : found.log) out.rows->push_back(row(one.target + ", " + one.action, one.count));
    return out;
}

http::Response look(db::Read& db, const http::Request& request, const RangeForm& form) {
    auto who = member(db, request, transparency_part.any_of);
    if (who.answer()) return *who.answer();
    auto shown = [&](const insight::Days& days, std::string_view problem = {}) {
        auto found = insight::transparency(db, days);
        Panel range;
        auto from = day_of(found.start), to = day_of(found.end);
        range.forms.push_back(
            {path,
             "Show",
             {{Field::Kind::day, "from", "From this day", from}, {Field::Kind::day, "to", "To this day", to}},
             {},
             "quiet"}
        );
        range.forms.back().asks = true;
        range.link = {path + "/file?from=" + from + "&to=" + to, "Download"};
        return sheet(
            db,
            request,
            who,
            transparency_part,
            "Transparency report",
            {range, reports_of(found), acts_of(found), appeals_of(found), rules_of(found), log_of(found)},
            problem
        );
    };
    try {
        return shown(days_of(db, form));
    } catch (const base::Invalid& refused) {
        return shown(days_of(db, {}), sentence_of(refused));
    }
}

http::Response file(db::Read& db, const http::Request& request, const RangeForm& form) {
    auto who = member(db, request, transparency_part.any_of);
    if (who.answer()) return *who.answer();
    http::Response out;
    out.content_type = "text/markdown; charset=utf-8";
    out.headers.emplace_back("Content-Disposition", "attachment; filename=\"transparency.md\"");
    out.headers.emplace_back("Cache-Control", "private, no-store");
    out.body = insight::markdown(insight::transparency(db, days_of(db, form)), db.site());
    return out;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>("/settings/moderation/transparency"),
    http::get<file>("/settings/moderation/transparency/file"),
};
// clang-format on

}  // namespace

std::span<const http::Route> transparency_pages() { return table; }

}  // namespace pages
