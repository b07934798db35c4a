// SPDX-License-Identifier: AGPL-3.0-or-later
// The instance endpoints are here, one layer above `instance`, because their entities show the contact's
// account.
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/instance/about.hpp"
#include "social/instance/instance_entity.hpp"

namespace accounts {
namespace {

std::optional<base::json::Raw> contact(db::Read& db) {
    const auto& name = db.site().contact_account;
    if (name.empty()) return std::nullopt;
    auto found = find_by_acct(db, name);
    if (!found) return std::nullopt;
    return base::json::Raw{render(db, *found)->for_viewer(false)};
}

base::json::Raw v2(db::Read& db) { return instance::instance_v2(db, contact); }

base::json::Raw v1(db::Read& db) { return instance::instance_v1(db, contact); }

std::vector<instance::Rule> rules(db::Read& db) { return instance::rules(db); }

using http::Caching;

// clang-format off
constexpr http::Route table[] = {
    http::get<v2>   ("/api/v2/instance").answering("Instance").cached(Caching::always).always_open(),
    http::get<v1>   ("/api/v1/instance").answering("V1::Instance").cached(Caching::always).always_open().deprecated(1668384000),
    http::get<rules>("/api/v1/instance/rules").cached(Caching::always).always_open(),
};
// clang-format on

}  // namespace

std::span<const http::Route> instance_routes() { return table; }

}  // namespace accounts
