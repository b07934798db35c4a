// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows that ended together, for those who lost them: lists, CSV files, and requesting them again.
#include "base/json_read.hpp"
#include "http/route.hpp"
#include "social/relationships/severed_follow.hpp"

namespace relationships {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

http::Page<Severance> index(db::Read& db, const Viewer& me, const PageForm& form) {
    return http::page_by_id(severances_of(db, me.account, http::range_of(form)), form);
}

struct ById {
    SeveranceId id;
};
DESCRIBE(ById, id)

Severance show(db::Read& db, const Viewer& me, const ById& path) {
    return severance_of(db, me.account, path.id);
}

template <bool Theirs>
http::Response file(db::Read& db, const Viewer& me, const ById& path) {
    auto event = severance_of(db, me.account, path.id);
    http::Response out;
    out.content_type = "text/csv; charset=utf-8";
    auto name =
        std::string(Theirs ? "followers" : "following") + "-" + std::to_string(event.id.value) + ".csv";
    out.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
    out.body = severed_csv(db, event.id, Theirs);
    return out;
}

void restore(db::Write& db, const Viewer& me, const ById& path) { restore_severed(db, me.account, path.id); }

// clang-format off
constexpr http::Route table[] = {
    http::get<index>         ("/api/dunlin/v1/severed",                    "read:follows"),
    http::get<show>          ("/api/dunlin/v1/severed/:id",                "read:follows"),
    http::get<file<false>>   ("/api/dunlin/v1/severed/:id/following.csv",  "read:follows").answering("string"),
    http::get<file<true>>    ("/api/dunlin/v1/severed/:id/followers.csv",  "read:follows").answering("string"),
    http::post<restore, show>("/api/dunlin/v1/severed/:id/restore",        "write:follows"),
};
// clang-format on

}  // namespace

std::span<const http::Route> severance_routes() { return table; }

}  // namespace relationships
