// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/discovery/search.hpp"
#include "social/instance/settings.hpp"

#include <algorithm>

namespace discovery {
namespace {

struct Form {
    Order order = Order::active;
    bool local = false;
    http::Limit<40, 80> limit;
    std::int64_t offset = 0;
};
DESCRIBE(Form, order, local, limit, offset)

constexpr std::int64_t farthest = 100'000;

base::json::Raw show(db::Read& db, const std::optional<http::Viewer>& me, const Form& form) {
    if (instance::setting(db, "profile_directory") == "false") throw base::NotFound("Not Found");
    auto offset = static_cast<int>(std::clamp<std::int64_t>(form.offset, 0, farthest));
    auto viewer = me ? me->account : base::AccountId{};
    auto listed = directory(db, viewer, {form.order, form.local, form.limit.value, offset});
    return {accounts::render_list(db, listed, me.has_value())};
}

// clang-format off
constexpr http::Route table[] = {
    http::get<show>("/api/v1/directory").cached(http::Caching::if_anonymous).answering("Account[]"),
};
// clang-format on

}  // namespace

std::span<const http::Route> directory_routes() { return table; }

}  // namespace discovery
