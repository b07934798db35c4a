// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account_list.hpp"
#include "social/discovery/suggestion.hpp"
#include "social/statuses/core/viewer_api.hpp"

#include <algorithm>

namespace discovery {
namespace {

using http::Viewer;

struct Form {
    http::Limit<40, 80> limit;
    std::int64_t offset = 0;
};
DESCRIBE(Form, limit, offset)

std::vector<Suggestion> chosen(db::Read& db, const Viewer& me, const Form& form) {
    auto all = suggestions(db, statuses::audience(db, me));
    auto size = static_cast<std::int64_t>(all.size());
    auto first = std::clamp<std::int64_t>(form.offset, 0, size);
    auto last = std::min<std::int64_t>(first + form.limit.value, size);
    return {all.begin() + first, all.begin() + last};
}

base::json::Raw v1(db::Read& db, const Viewer& me, const Form& form) {
    std::vector<accounts::ListedAccount> listed;
    for (const auto& s : chosen(db, me, form)) listed.push_back({0, s.account, s.version});
    return {accounts::render_list(db, listed, true)};
}

// The older API's single word for the source of a suggestion.
const char* legacy(Source source) {
    switch (source) {
        case Source::featured: return "staff";
        case Source::most_followed:
        case Source::most_interactions: return "global";
        case Source::similar_to_recently_followed:
        case Source::friends_of_friends: break;
    }
    return "past_interactions";
}

struct Entity {
    static constexpr std::string_view entity = "Suggestion";
    static constexpr base::json::RawMember raw_members[] = {{"account", "Account"}};
    std::string source;
    std::vector<Source> sources;
    base::json::Raw account;
};
DESCRIBE(Entity, source, sources, account)

std::vector<Entity> v2(db::Read& db, const Viewer& me, const Form& form) {
    auto all = chosen(db, me, form);
    std::vector<accounts::Version> versions;
    for (const auto& s : all) versions.push_back({s.account, s.version});
    auto rendered = accounts::render(db, versions);
    std::vector<Entity> out;
    for (auto& s : all)
        if (auto account = rendered.find(s.account); account != rendered.end())
            out.push_back({legacy(s.sources.front()), s.sources, {account->second->for_viewer(true)}});
    return out;
}

struct Unwanted {
    base::AccountId account_id;
};
DESCRIBE(Unwanted, account_id)

void remove(db::Write& db, const Viewer& me, const Unwanted& path) {
    dismiss(db, me.account, path.account_id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<v2>    ("/api/v2/suggestions",             "read:accounts"),
    http::get<v1>    ("/api/v1/suggestions",             "read:accounts").deprecated(1621123200).answering("Account[]"),
    http::del<remove>("/api/v1/suggestions/:account_id", "write:accounts"),
};
// clang-format on

}  // namespace

std::span<const http::Route> suggestion_routes() { return table; }

}  // namespace discovery
