// SPDX-License-Identifier: AGPL-3.0-or-later
// Strikes and appeals: what somebody is told about their own account, and what staff decides.
#include "http/route.hpp"
#include "social/moderation/account_action.hpp"
#include "social/moderation/posts/statement.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct PageForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(PageForm, max_id, since_id, min_id, limit)

template <class Row, class Entity>
http::Page<Entity> page(const std::vector<Row>& rows, std::vector<Entity> shown, int limit) {
    http::Page<Entity> out{std::move(shown), {}};
    bool full = rows.size() == static_cast<std::size_t>(limit);
    if (!rows.empty())
        out.cursors = base::cursors_of(rows.front().id.value, rows.back().id.value, full, false);
    return out;
}

http::Page<StrikeEntity> own(db::Read& db, const Viewer& me, const PageForm& form) {
    auto rows = strikes_of(db, me.account, http::range_of(form));
    return page(rows, entities(db, rows), form.limit.value);
}

struct ByStrike {
    StrikeId id;
};
DESCRIBE(ByStrike, id)

StrikeEntity show_own(db::Read& db, const Viewer& me, const ByStrike& path) {
    auto found = strike(db, path.id);
    if (found.account_id != me.account) throw base::NotFound();
    auto shown = entities(db, std::vector{found});
    if (shown.empty()) throw base::NotFound();
    return std::move(shown[0]);
}

Statement show_statement(db::Read& db, const Viewer& me, const ByStrike& path) {
    auto found = strike(db, path.id);
    if (found.account_id != me.account) throw base::NotFound();
    return std::move(statements(db, {found})[0]);
}

struct AppealForm {
    StrikeId id;
    std::string text;
};
DESCRIBE(AppealForm, id, text)

void make_appeal(db::Write& db, const Viewer& me, const AppealForm& form) {
    appeal_against(db, me.account, form.id, form.text);
}

// ---- for staff ----

struct ByAccount {
    AccountId id;
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
};
DESCRIBE(ByAccount, id, max_id, since_id, min_id, limit)

http::Page<StrikeEntity> of_account(db::Read& db, const Viewer&, const ByAccount& form) {
    if (name_of(db, form.id).empty()) throw base::NotFound();
    auto rows = strikes_of(db, form.id, http::range_of(form));
    return page(rows, entities(db, rows), form.limit.value);
}

struct StaffAppeal {
    AppealId id;
    std::string text;
    AppealState state = AppealState::pending;
    Time created_at;
    StrikeEntity strike;
};
DESCRIBE(StaffAppeal, id, text, state, created_at, strike)

std::vector<StaffAppeal> shown(db::Read& db, const std::vector<Appeal>& rows) {
    std::vector<StrikeId> ids;
    for (const auto& row : rows) ids.push_back(row.strike_id);
    auto known = entities(db, strikes(db, ids));
    std::vector<StaffAppeal> out;
    for (const auto& row : rows)
        for (const auto& one : known)
            if (one.id == row.strike_id) out.push_back({row.id, row.text, row.state, row.created_at, one});
    return out;
}

struct AppealsForm {
    std::optional<std::int64_t> max_id, since_id, min_id;
    http::Limit<40, 80> limit;
    AppealState state = AppealState::pending;
};
DESCRIBE(AppealsForm, max_id, since_id, min_id, limit, state)

http::Page<StaffAppeal> list_appeals(db::Read& db, const Viewer&, const AppealsForm& form) {
    auto rows = appeals(db, form.state, http::range_of(form));
    return page(rows, shown(db, rows), form.limit.value);
}

struct ByAppeal {
    AppealId id;
};
DESCRIBE(ByAppeal, id)

StaffAppeal show_appeal(db::Read& db, const Viewer&, const ByAppeal& path) {
    auto found = shown(db, std::vector{appeal(db, path.id)});
    if (found.empty()) throw base::NotFound();
    return std::move(found[0]);
}

template <bool Approve>
void decide(db::Write& db, const Viewer& me, const ByAppeal& path) {
    decide_appeal(db, accounts::actor(db, me.account), path.id, Approve);
}

std::vector<WarningPreset> list_presets(db::Read& db, const Viewer&) { return warning_presets(db); }

struct PresetForm {
    std::string title, text;
};
DESCRIBE(PresetForm, title, text)
struct ByPreset {
    PresetId id;
};
DESCRIBE(ByPreset, id)

WarningPreset show_preset(db::Read& db, const Viewer&, const ByPreset& path) {
    return warning_preset(db, path.id);
}
PresetId add_preset(db::Write& db, const Viewer& me, const PresetForm& form) {
    return put_warning_preset(db, accounts::actor(db, me.account), {{}, form.title, form.text});
}
PresetId change_preset(db::Write& db, const Viewer& me, const ByPreset& path, const PresetForm& form) {
    warning_preset(db, path.id);
    return put_warning_preset(db, accounts::actor(db, me.account), {path.id, form.title, form.text});
}
void remove_preset(db::Write& db, const Viewer& me, const ByPreset& path) {
    remove_warning_preset(db, accounts::actor(db, me.account), path.id);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<own>                       ("/api/dunlin/v1/strikes",                         "read:accounts"),
    http::get<show_own>                  ("/api/dunlin/v1/strikes/:id",                     "read:accounts"),
    http::get<show_statement>            ("/api/dunlin/v1/strikes/:id/statement",           "read:accounts"),
    http::post<make_appeal, show_own>    ("/api/dunlin/v1/strikes/:id/appeal",              "write:accounts"),
    http::get<of_account>                ("/api/dunlin/v1/moderation/accounts/:id/strikes", "admin:read:accounts"),
    http::get<list_appeals>              ("/api/dunlin/v1/moderation/appeals",              "admin:read"),
    http::get<show_appeal>               ("/api/dunlin/v1/moderation/appeals/:id",          "admin:read"),
    http::post<decide<true>, show_appeal>("/api/dunlin/v1/moderation/appeals/:id/approve",  "admin:write"),
    http::post<decide<false>, show_appeal>("/api/dunlin/v1/moderation/appeals/:id/reject",  "admin:write"),
    http::get<list_presets>              ("/api/dunlin/v1/moderation/presets",              "admin:read"),
    http::post<add_preset, show_preset>  ("/api/dunlin/v1/moderation/presets",              "admin:write"),
    http::put<change_preset, show_preset>("/api/dunlin/v1/moderation/presets/:id",          "admin:write"),
    http::del<remove_preset>             ("/api/dunlin/v1/moderation/presets/:id",          "admin:write"),
};
// clang-format on

}  // namespace

std::span<const http::Route> strike_routes() { return table; }

}  // namespace moderation
