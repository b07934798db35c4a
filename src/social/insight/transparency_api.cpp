// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/insight/transparency.hpp"

namespace insight {
namespace {

struct RangeForm {
    http::Param<base::Time> start_at, end_at;
};
DESCRIBE(RangeForm, start_at, end_at)

Transparency report(db::Read& db, const RangeForm& form) {
    return transparency(db, days_between(*form.start_at, *form.end_at));
}

Transparency show(db::Read& db, const http::Viewer&, const RangeForm& form) { return report(db, form); }

http::Response file(std::string body, const std::string& name, std::string type) {
    http::Response out;
    out.content_type = std::move(type);
    out.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
    out.body = std::move(body);
    return out;
}

http::Response as_csv(db::Read& db, const http::Viewer&, const RangeForm& form) {
    return file(csv(report(db, form)), "transparency.csv", "text/csv; charset=utf-8");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<show>       ("/api/dunlin/v1/moderation/transparency",     "admin:read"),
    http::get<as_csv>     ("/api/dunlin/v1/moderation/transparency.csv", "admin:read").answering("string"),
};
// clang-format on

}  // namespace

std::span<const http::Route> transparency_routes() { return table; }

}  // namespace insight
