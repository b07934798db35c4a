// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/text/languages.hpp"
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/relationships/follow_lists.hpp"
#include "social/relationships/relationship.hpp"
#include "social/relationships/relationship_entity.hpp"
#include "social/relationships/routes.hpp"

namespace relationships {
namespace {

using http::Viewer;

struct ById {
    AccountId id;
};
DESCRIBE(ById, id)

Relationship show(db::Read& db, const Viewer& me, const ById& path) {
    return relationship(db, me.account, path.id);
}

struct FollowForm {
    AccountId id;
    std::optional<bool> reblogs, notify;
    std::optional<std::vector<std::string>> languages;
};
DESCRIBE(FollowForm, id, reblogs, notify, languages)

http::Made<AccountId> begin(db::Write& db, const Viewer& me, const FollowForm& form) {
    for (const auto& code : form.languages.value_or(std::vector<std::string>{}))
        if (!base::text::known_language(code))
            throw base::Invalid("Validation failed: Languages contains an unknown language");
    return {form.id, follow(db, me.account, form.id, {form.reblogs, form.notify, form.languages})};
}

AccountId end(db::Write& db, const Viewer& me, const ById& path) {
    accounts::account(db, path.id);
    unfollow(db, me.account, path.id);
    return path.id;
}

AccountId drop_follower(db::Write& db, const Viewer& me, const ById& path) {
    accounts::account(db, path.id);
    remove_follower(db, me.account, path.id);
    return path.id;
}

AccountId begin_block(db::Write& db, const Viewer& me, const ById& path) {
    block(db, me.account, path.id);
    return path.id;
}

AccountId end_block(db::Write& db, const Viewer& me, const ById& path) {
    unblock(db, me.account, path.id);
    return path.id;
}

struct MuteForm {
    AccountId id;
    bool notifications = true;
    std::int64_t duration = 0;
};
DESCRIBE(MuteForm, id, notifications, duration)

AccountId begin_mute(db::Write& db, const Viewer& me, const MuteForm& form) {
    mute(db, me.account, form.id, form.notifications, form.duration);
    return form.id;
}

AccountId end_mute(db::Write& db, const Viewer& me, const ById& path) {
    unmute(db, me.account, path.id);
    return path.id;
}

AccountId authorize(db::Write& db, const Viewer& me, const ById& path) {
    authorize_request(db, me.account, path.id);
    return path.id;
}

AccountId reject(db::Write& db, const Viewer& me, const ById& path) {
    reject_request(db, me.account, path.id);
    return path.id;
}

struct Many {
    std::vector<AccountId> id;
    bool with_suspended = false;
};
DESCRIBE(Many, id, with_suspended)

std::vector<Relationship> index(db::Read& db, const Viewer& me, const Many& form) {
    auto ids = form.id;
    if (ids.size() > 1000) ids.resize(1000);
    return relationships(db, me.account, ids, form.with_suspended);
}

struct PageOf {
    AccountId id;
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(PageOf, id, max_id, since_id, limit)

http::RawPage page(db::Read& db, const std::vector<ListedAccount>& listed, int limit, bool logged_in) {
    std::vector<AccountId> ids;
    for (const auto& row : listed) ids.push_back(row.account);
    http::RawPage page{accounts::render_list(db, ids, logged_in), {}};
    if (!listed.empty())
        page.cursors = base::cursors_of(
            listed.front().cursor,
            listed.back().cursor,
            listed.size() == static_cast<std::size_t>(limit),
            true
        );
    return page;
}

template <auto List>
http::RawPage network(db::Read& db, const std::optional<Viewer>& me, const PageOf& form) {
    auto viewer = me ? me->account : AccountId{};
    auto account = accounts::account(db, form.id);
    if (!network_visible(db, account, viewer)) return {"[]", {}};
    return page(db, List(db, form.id, viewer, http::range_of(form)), form.limit.value, me.has_value());
}

struct RequestsPage {
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(RequestsPage, max_id, since_id, limit)

http::RawPage requests(db::Read& db, const Viewer& me, const RequestsPage& form) {
    return page(db, follow_requests(db, me.account, http::range_of(form)), form.limit.value, true);
}

using http::Caching, http::Throttle;

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                 ("/api/v1/accounts/relationships",             "read:follows"),
    http::get<network<followers>>    ("/api/v1/accounts/:id/followers",             "read:accounts").cached(Caching::if_anonymous),
    http::get<network<following>>    ("/api/v1/accounts/:id/following",             "read:accounts").cached(Caching::if_anonymous),
    http::post<begin, show>          ("/api/v1/accounts/:id/follow",                "follow|write:follows").throttled(Throttle::follows_family),
    http::post<end, show>            ("/api/v1/accounts/:id/unfollow",              "follow|write:follows"),
    http::post<drop_follower, show>  ("/api/v1/accounts/:id/remove_from_followers", "follow|write:follows"),
    http::post<begin_block, show>    ("/api/v1/accounts/:id/block",                 "follow|write:blocks"),
    http::post<end_block, show>      ("/api/v1/accounts/:id/unblock",               "follow|write:blocks"),
    http::post<begin_mute, show>     ("/api/v1/accounts/:id/mute",                  "follow|write:mutes"),
    http::post<end_mute, show>       ("/api/v1/accounts/:id/unmute",                "follow|write:mutes"),
    http::get<requests>              ("/api/v1/follow_requests",                    "follow|read:follows"),
    http::post<authorize, show>      ("/api/v1/follow_requests/:id/authorize",      "follow|write:follows"),
    http::post<reject, show>         ("/api/v1/follow_requests/:id/reject",         "follow|write:follows"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace relationships
