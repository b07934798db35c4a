// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/staff_routes.hpp"

#include "server/tables.hpp"
#include "social/accounts/users/role.hpp"

#include <algorithm>
#include <stdexcept>

namespace server {

namespace {

namespace permission = accounts::permission;
using http::Method;

// Applies below its path, unless a longer path matches; with a method, only to that one.
struct Need {
    std::string_view path;
    std::int64_t permissions;
    std::optional<Method> method = {};
};

constexpr std::int64_t label_bearers =
    permission::manage_users | permission::manage_reports | permission::manage_federation;

// clang-format off
constexpr Need needs[] = {
    {"/api/v1/admin/accounts",                          permission::manage_users},
    {"/api/v1/admin/accounts/:id",                      permission::delete_user_data, Method::delete_},
    {"/api/v2/admin/accounts",                          permission::manage_users},
    {"/api/v1/admin/reports",                           permission::manage_reports},
    {"/api/v1/admin/domain_blocks",                     permission::manage_federation},
    {"/api/v1/admin/domain_allows",                     permission::manage_federation},
    {"/api/v1/admin/email_domain_blocks",               permission::manage_blocks},
    {"/api/v1/admin/canonical_email_blocks",            permission::manage_blocks},
    {"/api/v1/admin/ip_blocks",                         permission::manage_blocks},
    {"/api/v1/admin/measures",                          permission::view_dashboard},
    {"/api/v1/admin/dimensions",                        permission::view_dashboard},
    {"/api/v1/admin/retention",                         permission::view_dashboard},
    {"/api/v1/admin/tags",                              permission::manage_taxonomies},
    {"/api/v1/admin/trends",                            permission::manage_taxonomies},
    {"/api/v1/admin/trends/tags",                       0, Method::get},  // public
    {"/api/v1/admin/trends/links",                      0, Method::get},
    {"/api/v1/admin/trends/statuses",                   0, Method::get},
    {"/api/dunlin/v1/moderation/username_blocks",       permission::manage_blocks},
    {"/api/dunlin/v1/moderation/accounts/:id/strikes",  permission::manage_users | permission::manage_reports},
    {"/api/dunlin/v1/moderation/accounts/:id/role",     permission::manage_roles},
    {"/api/dunlin/v1/moderation/appeals",               permission::manage_appeals},
    {"/api/dunlin/v1/moderation/presets",               permission::manage_settings},
    {"/api/dunlin/v1/moderation/roles",                 permission::manage_roles},
    {"/api/dunlin/v1/moderation/audit",                 permission::view_audit_log},
    {"/api/dunlin/v1/moderation/webhooks",              permission::manage_webhooks},
    {"/api/dunlin/v1/moderation/severed",               permission::manage_federation},
    {"/api/dunlin/v1/moderation/lists",                 permission::manage_federation},
    {"/api/dunlin/v1/moderation/list_sources",          permission::manage_federation},
    // Those who may apply labels may also see them; managing them requires manage_taxonomies.
    {"/api/dunlin/v1/moderation/labels",                permission::manage_taxonomies | label_bearers},
    {"/api/dunlin/v1/moderation/labels",                permission::manage_taxonomies, Method::post},
    {"/api/dunlin/v1/moderation/labels/:id",            permission::manage_taxonomies, Method::put},
    {"/api/dunlin/v1/moderation/labels/:id",            permission::manage_taxonomies, Method::delete_},
    {"/api/dunlin/v1/moderation/labels/:id/uses",       label_bearers, Method::post},
    {"/api/dunlin/v1/moderation/labels/:id/uses",       label_bearers, Method::delete_},
    {"/api/dunlin/v1/moderation/clusters",              permission::manage_blocks},
    {"/api/dunlin/v1/moderation/held",                  permission::manage_blocks},
    {"/api/dunlin/v1/moderation/rules",                 permission::manage_blocks},
    {"/api/dunlin/v1/moderation/transparency",          permission::view_dashboard},
    {"/api/dunlin/v1/moderation/transparency.csv",      permission::view_dashboard},
    {"/api/dunlin/v1/moderation/word_lists",            permission::manage_blocks},
    {"/api/dunlin/v1/moderation/hash_lists",            permission::manage_blocks},
    {"/api/dunlin/v1/moderation/quarantine",            permission::manage_blocks},
    {"/api/dunlin/v1/moderation/media/purge",           permission::manage_blocks},
    {"/api/dunlin/v1/moderation/domain_blocks.csv",     permission::manage_federation},
    {"/api/dunlin/v1/moderation/exceptions",            permission::manage_federation},
    {"/api/dunlin/v1/moderation/reports",               permission::manage_reports},
    {"/api/dunlin/v1/moderation/cases",                 permission::manage_reports},
    {"/api/dunlin/v1/moderation/accounts/:id/notes",    permission::manage_users | permission::manage_reports},
    {"/api/dunlin/v1/moderation/servers/:domain/notes", permission::manage_federation},
    {"/api/dunlin/v1/moderation/notes",                 permission::manage_users | permission::manage_reports | permission::manage_federation},
    {"/api/dunlin/v1/moderation/registrations",         permission::manage_settings},
};
// clang-format on

bool is_below(std::string_view path, std::string_view above) {
    return path.starts_with(above) && (path.size() == above.size() || path[above.size()] == '/');
}

}  // namespace

bool is_for_staff(std::string_view path) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{
            "/api/v1/admin", "/api/v2/admin", "/api/dunlin/v1/moderation"
        },
        [&](std::string_view above) { return is_below(path, above); }
    );
}

std::int64_t permissions_for(const http::Route& route) {
    const Need* found = nullptr;
    for (const auto& need : needs) {
        bool applies = need.method ? route.path == need.path && route.method == *need.method
                                   : is_below(route.path, need.path);
        bool nearer = !found || need.path.size() > found->path.size() || need.method;
        if (applies && nearer) found = &need;
    }
    if (!found) throw std::logic_error("nobody is named who may use " + std::string(route.path));
    return found->permissions;
}

std::unordered_set<const http::Route*> routes_of_suspended() {
    std::unordered_set<const http::Route*> out;
    for (auto slice : routes())
        for (const auto& route : slice)
            if (is_below(route.path, "/api/dunlin/v1/strikes")) out.insert(&route);
    return out;
}

std::unordered_map<const http::Route*, std::int64_t> staff_routes() {
    std::unordered_map<const http::Route*, std::int64_t> out;
    for (auto slice : routes())
        for (const auto& route : slice)
            if (is_for_staff(route.path)) out.emplace(&route, permissions_for(route));
    return out;
}

}  // namespace server
