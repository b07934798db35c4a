// SPDX-License-Identifier: AGPL-3.0-or-later
// Follows that were lost because a server was blocked or somebody suspended: taking them along, and asking for them again.
#include "http/route.hpp"
#include "social/pages/settings/settings_page.hpp"
#include "social/relationships/severed_follow.hpp"

namespace pages {

namespace {

using relationships::Severance, relationships::SeveranceId, relationships::SeveranceType;

const std::string path = hub + "/severed";

std::string cause(const Severance& one) {
    switch (one.type) {
        case SeveranceType::domain_block: return "This server blocked " + one.target_name;
        case SeveranceType::user_domain_block: return "You blocked " + one.target_name;
        case SeveranceType::account_suspension: return one.target_name + " was suspended here";
    }
    return {};
}

http::Response severed_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    base::Range newest;
    newest.limit = 80;
    instance::View view;
    auto all = relationships::severances_of(db, who.user.account_id, newest);
    view.show_if(all.empty(), "NONE");
    for (const auto& one : all) {
        auto& row = view.add("EVENT").say("CAUSE", cause(one)).set("DAY", day_of(one.created_at));
        row.count("FOLLOWING", one.following_count).count("FOLLOWERS", one.followers_count);
        if (one.purged) {
            row.add("GONE");
            continue;
        }
        const auto id = std::to_string(one.id.value);
        if (one.following_count > 0) row.add("FOLLOWED").set("ID", id).say("CAUSE", cause(one));
        if (one.followers_count > 0) row.add("FOLLOWED_BY").set("ID", id).say("CAUSE", cause(one));
    }
    return settings_page(db, request, who, "settings_severed", "Lost connections", problem, std::move(view));
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : severed_page(db, request, who);
}

struct ById {
    SeveranceId id;
    std::string authenticity_token;
};
DESCRIBE(ById, id, authenticity_token)

template <bool Theirs>
http::Response file(db::Read& db, const http::Request& request, const ById& given) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    auto event = relationships::severance_of(db, who.user.account_id, given.id);
    http::Response out;
    out.content_type = "text/csv; charset=utf-8";
    out.headers.emplace_back(
        "Content-Disposition",
        "attachment; filename=\"" + std::string(Theirs ? "followers.csv\"" : "following.csv\"")
    );
    out.headers.emplace_back("Cache-Control", "private, no-store");
    out.body = relationships::severed_csv(db, event.id, Theirs);
    return out;
}

http::Response restore(db::Write& db, const http::Request& request, const ById& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    try {
        relationships::restore_severed(db, who.user.account_id, form.id);
    } catch (const base::Invalid& error) {
        return severed_page(db, request, who, error.what());
    }
    return done(path, "asked_again");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>       ("/settings/account/severed"),
    http::get<file<false>>("/settings/account/severed/:id/following.csv"),
    http::get<file<true>> ("/settings/account/severed/:id/followers.csv"),
    http::post<restore>   ("/settings/account/severed/:id/restore"),
};
// clang-format on

}  // namespace

std::span<const http::Route> severed_settings() { return table; }

}  // namespace pages
