// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/account_list.hpp"
#include "social/moderation/admin_account.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct ById {
    AccountId id;
};
DESCRIBE(ById, id)

http::Page<AdminAccount> page(db::Read& db, const AccountFilter& filter, const base::Range& range) {
    auto ids = find_accounts(db, filter, range);
    http::Page<AdminAccount> out{admin_accounts(db, ids), {}};
    bool full = ids.size() == static_cast<std::size_t>(range.limit);
    if (!ids.empty()) out.cursors = base::cursors_of(ids.front().value, ids.back().value, full, false);
    return out;
}

// Whatever is given as a flag sets it, "false" too.
using Flag = std::string;

struct FormV1 {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 200> limit;
    Flag local, remote, active, pending, disabled, silenced, suspended, staff;
    std::string username, display_name, by_domain, email, ip;
};
DESCRIBE(
    FormV1, max_id, since_id, min_id, limit, local, remote, active, pending, disabled, silenced, suspended,
    staff, username, display_name, by_domain, email, ip
)

// Each comes after those that it overrides.
AccountState state_of(const FormV1& form) {
    auto state = AccountState::active;
    if (!form.pending.empty()) state = AccountState::pending;
    if (!form.disabled.empty()) state = AccountState::disabled;
    if (!form.silenced.empty()) state = AccountState::silenced;
    if (!form.suspended.empty()) state = AccountState::suspended;
    return state;
}

http::Page<AdminAccount> index_v1(db::Read& db, const Viewer&, const FormV1& form) {
    AccountFilter filter;
    filter.origin = form.remote.empty() ? AccountOrigin::local : AccountOrigin::remote;
    filter.state = state_of(form);
    filter.staff = !form.staff.empty();
    filter.username = form.username;
    filter.display_name = form.display_name;
    filter.by_domain = form.by_domain;
    filter.email = form.email;
    filter.ip = form.ip;
    return page(db, filter, http::range_of(form));
}

struct FormV2 {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<100, 200> limit;
    std::string origin, status, permissions;
    std::vector<base::RoleId> role_ids;
    std::string invited_by, username, display_name, by_domain, email, ip;
};
DESCRIBE(
    FormV2, max_id, since_id, min_id, limit, origin, status, permissions, role_ids, invited_by, username,
    display_name, by_domain, email, ip
)

template <class E>
std::optional<E> word_of(const std::string& text, const char* what) {
    if (text.empty()) return std::nullopt;
    std::optional<E> found;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto e) {
        if (text == base::wire_name(e.name)) found = e.value;
    });
    if (!found) throw base::BadRequest("Unknown " + std::string(what) + ": " + text);
    return found;
}

http::Page<AdminAccount> index_v2(db::Read& db, const Viewer&, const FormV2& form) {
    AccountFilter filter;
    filter.origin = word_of<AccountOrigin>(form.origin, "origin");
    filter.state = word_of<AccountState>(form.status, "status");
    filter.staff = form.permissions == "staff";
    filter.roles = form.role_ids;
    if (!form.invited_by.empty()) filter.invited_by = AccountId{http::form::integer(form.invited_by)};
    filter.username = form.username;
    filter.display_name = form.display_name;
    filter.by_domain = form.by_domain;
    filter.email = form.email;
    filter.ip = form.ip;
    return page(db, filter, http::range_of(form));
}

AdminAccount show(db::Read& db, const Viewer&, const ById& path) { return admin_account(db, path.id); }

template <void (*F)(db::Write&, const accounts::Actor&, AccountId)>
void change(db::Write& db, const Viewer& me, const ById& path) {
    F(db, accounts::actor(db, me.account), path.id);
}

struct ActionForm {
    AccountId id;
    std::string type, text;
    std::optional<std::int64_t> report_id, warning_preset_id;
    bool send_email_notification = true;
};
DESCRIBE(ActionForm, id, type, text, report_id, warning_preset_id, send_email_notification)

void take_action(db::Write& db, const Viewer& me, const ActionForm& form) {
    if (name_of(db, form.id).empty()) throw base::NotFound();
    AccountAction action;
    action.type = action_named(form.type);
    if (form.report_id) action.report = ReportId{*form.report_id};
    if (form.warning_preset_id) action.preset = PresetId{*form.warning_preset_id};
    action.text = form.text;
    action.tell = form.send_email_notification;
    act(db, accounts::actor(db, me.account), form.id, action);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index_v1>                     ("/api/v1/admin/accounts",                  "admin:read:accounts"),
    http::get<index_v2>                     ("/api/v2/admin/accounts",                  "admin:read:accounts"),
    http::get<show>                         ("/api/v1/admin/accounts/:id",              "admin:read:accounts"),
    http::del<change<destroy>>              ("/api/v1/admin/accounts/:id",              "admin:write:accounts"),
    http::post<change<approve>, show>       ("/api/v1/admin/accounts/:id/approve",      "admin:write:accounts"),
    http::post<change<reject>>              ("/api/v1/admin/accounts/:id/reject",       "admin:write:accounts"),
    http::post<change<enable>, show>        ("/api/v1/admin/accounts/:id/enable",       "admin:write:accounts"),
    http::post<change<unsensitive>, show>   ("/api/v1/admin/accounts/:id/unsensitive",  "admin:write:accounts"),
    http::post<change<unsilence>, show>     ("/api/v1/admin/accounts/:id/unsilence",    "admin:write:accounts"),
    http::post<change<unsuspend>, show>     ("/api/v1/admin/accounts/:id/unsuspend",    "admin:write:accounts"),
    http::post<take_action>                 ("/api/v1/admin/accounts/:id/action",       "admin:write:accounts"),
};
// clang-format on

}  // namespace

std::span<const http::Route> account_routes() { return table; }

}  // namespace moderation
