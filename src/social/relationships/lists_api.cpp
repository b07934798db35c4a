// SPDX-License-Identifier: AGPL-3.0-or-later
// Lists of people: followers, blocks, mutes, follow requests, endorsements, familiar followers.
#include "http/route.hpp"
#include "social/accounts/account_list_api.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/relationships/relationship.hpp"

#include <algorithm>
#include <limits>

namespace relationships {
namespace {

using http::Viewer;

struct PageOf {
    AccountId id;
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(PageOf, id, max_id, since_id, limit)

template <auto List>
http::RawPage network(db::Read& db, const std::optional<Viewer>& me, const PageOf& form) {
    auto viewer = me ? me->account : AccountId{};
    auto account = accounts::account(db, form.id);
    if (!network_visible(db, account, viewer)) return {"[]", {}};
    auto listed = List(db, form.id, viewer, http::range_of(form));
    return accounts::page_of_accounts(db, listed, form.limit.value, me.has_value());
}

http::RawPage endorsed_by(db::Read& db, const std::optional<Viewer>& me, const PageOf& form) {
    auto account = accounts::account(db, form.id);
    bool refused = me && pair_state(db, form.id, me->account).blocking;
    if (account.suspended_at || refused) return {"[]", {}};
    auto listed = endorsements(db, form.id, http::range_of(form));
    return accounts::page_of_accounts(db, listed, form.limit.value, me.has_value());
}

struct OwnPage {
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(OwnPage, max_id, since_id, limit)

template <auto List>
http::RawPage own(db::Read& db, const Viewer& me, const OwnPage& form) {
    return accounts::page_of_accounts(db, List(db, me.account, http::range_of(form)), form.limit.value, true);
}

// Here a limit of 0 requests all of them.
http::RawPage own_endorsements(db::Read& db, const Viewer& me, const OwnPage& form) {
    if (form.limit.value > 0) return own<endorsements>(db, me, form);
    base::Range all;
    all.limit = std::numeric_limits<int>::max();
    return {accounts::render_list(db, endorsements(db, me.account, all), true), {}};
}

// An Account with an additional member at its end.
std::string muted_account(const accounts::RenderedAccount& account, const std::optional<base::Time>& until) {
    auto json = account.for_viewer(true);
    json.pop_back();
    json += ",\"mute_expires_at\":" + base::json::to_string(until) + "}";
    return json;
}

http::Page<base::json::Raw> muted(db::Read& db, const Viewer& me, const OwnPage& form) {
    auto listed = mutes(db, me.account, http::range_of(form));
    std::vector<accounts::Version> versions;
    for (const auto& row : listed) versions.push_back({row.account, row.version});
    auto rendered = accounts::render(db, versions);
    http::Page<base::json::Raw> page;
    for (const auto& row : listed)
        if (auto found = rendered.find(row.account); found != rendered.end())
            page.items.push_back({muted_account(*found->second, row.expires_at)});
    bool full = listed.size() == static_cast<std::size_t>(form.limit.value);
    if (!listed.empty())
        page.cursors = base::cursors_of(listed.front().cursor, listed.back().cursor, full, true);
    return page;
}

struct Many {
    std::vector<AccountId> id;
};
DESCRIBE(Many, id)

struct FamiliarFollowers {
    static constexpr base::json::RawMember raw_members[] = {{"accounts", "Account[]"}};
    AccountId id;
    base::json::Raw accounts;
};
DESCRIBE(FamiliarFollowers, id, accounts)

std::vector<FamiliarFollowers> familiar(db::Read& db, const Viewer& me, const Many& form) {
    auto ids = form.id;
    if (ids.size() > 1000) ids.resize(1000);
    std::unordered_map<AccountId, std::vector<ListedAccount>> found;
    for (const auto& row : familiar_followers(db, me.account, ids))
        found[row.of].push_back({0, row.account, row.version});
    std::vector<FamiliarFollowers> out;
    auto known = accounts::accounts(db, ids);
    for (auto id : ids) {
        auto account = std::ranges::find(known, id, &accounts::Account::id);
        if (account == known.end() || account->suspended_at) continue;
        out.push_back({id, {accounts::render_list(db, found[id], true)}});
    }
    return out;
}

// A discontinued API of Mastodon; the id is ignored.
base::json::Raw identity_proofs(db::Read&, const Viewer&) { return {"[]"}; }

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<network<followers>>   ("/api/v1/accounts/:id/followers",         "read:accounts").cached(Caching::if_anonymous).answering("Account[]"),
    http::get<network<following>>   ("/api/v1/accounts/:id/following",         "read:accounts").cached(Caching::if_anonymous).answering("Account[]"),
    http::get<endorsed_by>          ("/api/v1/accounts/:id/endorsements",      "read:accounts").cached(Caching::if_anonymous).answering("Account[]"),
    http::get<familiar>             ("/api/v1/accounts/familiar_followers",    "read:follows"),
    http::get<identity_proofs>      ("/api/v1/accounts/:account_id/identity_proofs").answering("object[]").deprecated(1648598400),
    http::get<own<follow_requests>> ("/api/v1/follow_requests",                "follow|read:follows").answering("Account[]"),
    http::get<own<blocks>>          ("/api/v1/blocks",                         "follow|read:blocks").answering("Account[]"),
    http::get<muted>                ("/api/v1/mutes",                          "follow|read:mutes"),
    http::get<own_endorsements>     ("/api/v1/endorsements",                   "read:accounts").answering("Account[]"),
};
// clang-format on

}  // namespace

std::span<const http::Route> list_routes() { return table; }

}  // namespace relationships
