// SPDX-License-Identifier: AGPL-3.0-or-later
// GET /api/v2/search: accounts and hashtags by name. Statuses are not searched yet: that section is empty.
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/accounts/search.hpp"
#include "social/discovery/routes.hpp"
#include "social/tags/tag_entity.hpp"

namespace discovery {
namespace {

using http::Viewer;

BOOST_DEFINE_ENUM_CLASS(Type, accounts, hashtags, statuses)

struct Form {
    http::Param<std::string> q;
    std::optional<Type> type;
    bool resolve = false, following = false;
    std::int64_t limit = 20, offset = 0;
};
DESCRIBE(Form, q, type, resolve, following, limit, offset)

struct Found {
    base::json::Raw accounts{"[]"}, statuses{"[]"};
    std::vector<tags::TagEntity> hashtags;
};
DESCRIBE(Found, accounts, statuses, hashtags)

constexpr std::int64_t most = 40, farthest = 10'000;

void refuse(const std::optional<Viewer>& me, const Form& form) {
    if (form.limit < 0 || form.offset < 0)
        throw base::BadRequest("Pagination values for `offset` and `limit` must be positive");
    if (me) return;
    if (form.resolve)
        throw base::Unauthorized(
            "Search queries that resolve remote resources are not supported without authentication"
        );
    if (form.offset > 0)
        throw base::Unauthorized("Search queries pagination is not supported without authentication");
}

Found search(db::Read& db, const std::optional<Viewer>& me, const Form& form) {
    refuse(me, form);
    auto limit = static_cast<int>(std::min(form.limit, most));
    auto offset = form.type ? static_cast<int>(std::min(form.offset, farthest)) : 0;
    auto wants = [&](Type type) { return !form.type || *form.type == type; };
    Found found;
    if (wants(Type::accounts)) {
        accounts::Search asked{*form.q, limit, offset, form.following && me};
        // Without a login a short query finds the account of that very name only.
        asked.exact = !me && asked.query.size() < 3;
        auto ids = accounts::search(db, me ? me->account : base::AccountId{}, asked);
        found.accounts.text = accounts::render_list(db, ids, me.has_value());
    }
    if (wants(Type::hashtags))
        found.hashtags = tags::entities(
            db, tags::starting_with(db, *form.q, limit, offset), me ? me->account : base::AccountId{}
        );
    return found;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<search>("/api/v2/search", "read:search"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace discovery
