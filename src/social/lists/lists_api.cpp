// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/lists/list.hpp"

namespace lists {
namespace {

using http::Viewer;

struct ById {
    ListId id;
};
DESCRIBE(ById, id)

std::vector<List> index(db::Read& db, const Viewer& me) { return lists_of(db, me.account); }

List show(db::Read& db, const Viewer& me, const ById& path) { return list(db, me.account, path.id); }

struct Form {
    std::optional<std::string> title;
    std::optional<RepliesPolicy> replies_policy;
    std::optional<bool> exclusive;
};
DESCRIBE(Form, title, replies_policy, exclusive)

ListId begin(db::Write& db, const Viewer& me, const Form& form) {
    return create(db, me.account, {form.title, form.replies_policy, form.exclusive});
}

ListId update(db::Write& db, const Viewer& me, const ById& path, const Form& form) {
    change(db, me.account, path.id, {form.title, form.replies_policy, form.exclusive});
    return path.id;
}

void destroy(db::Write& db, const Viewer& me, const ById& path) { remove(db, me.account, path.id); }

struct MembersPage {
    ListId id;
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(MembersPage, id, max_id, since_id, limit)

http::RawPage show_members(db::Read& db, const Viewer& me, const MembersPage& form) {
    list(db, me.account, form.id);
    auto range = http::range_of(form);
    bool all = form.limit.value == 0;
    if (all) range.limit = std::numeric_limits<int>::max();
    auto found = members(db, form.id, range);
    http::RawPage page{accounts::render_list(db, found, true), {}};
    if (!found.empty() && !all)
        page.cursors = base::cursors_of(
            found.front().value,
            found.back().value,
            found.size() == static_cast<std::size_t>(range.limit),
            true
        );
    return page;
}

struct MembersForm {
    ListId id;
    std::vector<AccountId> account_ids;
};
DESCRIBE(MembersForm, id, account_ids)

void add(db::Write& db, const Viewer& me, const MembersForm& form) {
    add_members(db, me.account, form.id, form.account_ids);
}

void take_out(db::Write& db, const Viewer& me, const MembersForm& form) {
    remove_members(db, me.account, form.id, form.account_ids);
}

struct ByAccount {
    AccountId id;
};
DESCRIBE(ByAccount, id)

std::vector<List> with_account(db::Read& db, const Viewer& me, const ByAccount& path) {
    if (accounts::account(db, path.id).suspended_at) return {};
    return lists_with(db, me.account, path.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>          ("/api/v1/lists",              "read:lists"),
    http::post<begin, show>   ("/api/v1/lists",              "write:lists"),
    http::get<show>           ("/api/v1/lists/:id",          "read:lists"),
    http::put<update, show>   ("/api/v1/lists/:id",          "write:lists"),
    http::patch<update, show> ("/api/v1/lists/:id",          "write:lists"),
    http::del<destroy>        ("/api/v1/lists/:id",          "write:lists"),
    http::get<show_members>   ("/api/v1/lists/:id/accounts", "read:lists").answering("Account[]"),
    http::post<add>           ("/api/v1/lists/:id/accounts", "write:lists"),
    http::del<take_out>       ("/api/v1/lists/:id/accounts", "write:lists"),
    http::get<with_account>   ("/api/v1/accounts/:id/lists", "read:lists"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace lists
