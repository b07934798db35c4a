// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows that ended together, for who lost them: what they were, as files that other programs read, and again.
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
    return http::page_by_id(severances_of(db, me.account, http::range_of(form)), form.limit.value);
}

struct ById {
    SeveranceId id;
};
DESCRIBE(ById, id)

Severance show(db::Read& db, const Viewer& me, const ById& path) {
    return severance_of(db, me.account, path.id);
}

std::string handle(const db::Read& db, const SeveredFollow& one) {
    return one.acct.find('@') == std::string::npos ? one.acct + "@" + db.site().domain : one.acct;
}

std::string languages(const SeveredFollow& one) {
    if (!one.languages) return {};
    std::string out;
    for (const auto& code : base::json::read<std::vector<std::string>>(*one.languages))
        out += (out.empty() ? "" : ", ") + code;
    return out.find(',') == std::string::npos ? out : '"' + out + '"';
}

// With the columns that the reference writes.
template <bool Theirs>
http::Response file(db::Read& db, const Viewer& me, const ById& path) {
    auto event = severance_of(db, me.account, path.id);
    http::Response out;
    out.content_type = "text/csv; charset=utf-8";
    auto name =
        std::string(Theirs ? "followers" : "following") + "-" + std::to_string(event.id.value) + ".csv";
    out.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
    out.body = Theirs ? "Account address\n" : "Account address,Show boosts,Notify on new posts,Languages\n";
    for (const auto& one : severed_follows(db, event.id, Theirs)) {
        out.body += handle(db, one);
        if (!Theirs)
            out.body += std::string(one.show_reblogs ? ",true" : ",false") +
                        (one.notify ? ",true," : ",false,") + languages(one);
        out.body += '\n';
    }
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
