// SPDX-License-Identifier: AGPL-3.0-or-later
// Labels, as staff makes them, changes them, puts them on something and takes them off.
#include "http/route.hpp"
#include "social/moderation/labels/label_act.hpp"

#include <algorithm>

namespace moderation {
namespace {

using http::Viewer;
using labels::Label, labels::LabelEffect, labels::LabelId;

bool names_any(const BearerForm& form) { return form.account_id || form.status_id || form.domain; }

// All; or those that the account, post or server bears itself.
std::vector<Label> index(db::Read& db, const Viewer&, const BearerForm& form) {
    auto all = labels::all_labels(db);
    if (!names_any(form)) return all;
    const auto borne = labels::labels_on(db, bearer_of(db, form));
    std::erase_if(all, [&](const Label& one) { return std::ranges::find(borne, one.id) == borne.end(); });
    return all;
}

struct ById {
    LabelId id;
};
DESCRIBE(ById, id)

Label show(db::Read& db, const Viewer&, const ById& path) { return labels::label(db, path.id); }

struct NewForm {
    std::string name;
    std::optional<std::string> title;
    LabelEffect effect = LabelEffect::none;
};
DESCRIBE(NewForm, name, title, effect)

LabelId create(db::Write& db, const Viewer& me, const NewForm& form) {
    return create_label(db, accounts::actor(db, me.account), {form.name, form.title, form.effect});
}

struct ChangeForm {
    LabelId id;
    std::optional<std::string> title;
    std::optional<LabelEffect> effect;
};
DESCRIBE(ChangeForm, id, title, effect)

LabelId change(db::Write& db, const Viewer& me, const ChangeForm& form) {
    change_label(db, accounts::actor(db, me.account), form.id, form.title, form.effect);
    return form.id;
}

void destroy(db::Write& db, const Viewer& me, const ById& path) {
    delete_label(db, accounts::actor(db, me.account), path.id);
}

// ---- what bears one ----

// Of account_id, status_id and domain one is there, and source_id is that of the account, the rule or the subscribed list; of the
// operator there is none.
struct UseEntity {
    static constexpr std::string_view entity = "LabelUse";
    labels::UseId id;
    LabelId label_id;
    std::optional<base::AccountId> account_id;
    std::optional<base::StatusId> status_id;
    std::optional<std::string> domain;
    labels::UseSource source = labels::UseSource::staff;
    std::optional<labels::UseId> source_id;
    base::Time created_at;
};
DESCRIBE(UseEntity, id, label_id, account_id, status_id, domain, source, source_id, created_at)

UseEntity entity(const labels::Use& use) {
    UseEntity out{use.id, use.label_id, {}, {}, {}, use.source, {}, use.created_at};
    switch (use.subject) {
        case labels::BearerKind::account: out.account_id = {use.subject_id}; break;
        case labels::BearerKind::status: out.status_id = {use.subject_id}; break;
        case labels::BearerKind::server: out.domain = use.domain; break;
    }
    if (use.source_id != 0) out.source_id = {use.source_id};
    return out;
}

struct UsesForm {
    LabelId id;
    std::optional<std::int64_t> max_id, since_id;
    http::Limit<40, 200> limit;
};
DESCRIBE(UsesForm, id, max_id, since_id, limit)

http::Page<UseEntity> uses(db::Read& db, const Viewer&, const UsesForm& form) {
    labels::label(db, form.id);
    std::vector<UseEntity> out;
    for (const auto& one : labels::uses_of(db, form.id, http::range_of(form))) out.push_back(entity(one));
    return http::page_by_id(std::move(out), form);
}

void put(db::Write& db, const Viewer& me, const ById& path, const BearerForm& form) {
    labels::label(db, path.id);
    put_label(db, accounts::actor(db, me.account), path.id, bearer_of(db, form));
}

void take(db::Write& db, const Viewer& me, const ById& path, const BearerForm& form) {
    labels::label(db, path.id);
    take_label(db, accounts::actor(db, me.account), path.id, bearer_of(db, form));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>        ("/api/dunlin/v1/moderation/labels",          "admin:read"),
    http::post<create, show>("/api/dunlin/v1/moderation/labels",          "admin:write"),
    http::get<show>         ("/api/dunlin/v1/moderation/labels/:id",      "admin:read"),
    http::put<change, show> ("/api/dunlin/v1/moderation/labels/:id",      "admin:write"),
    http::del<destroy>      ("/api/dunlin/v1/moderation/labels/:id",      "admin:write"),
    http::get<uses>         ("/api/dunlin/v1/moderation/labels/:id/uses", "admin:read"),
    http::post<put>         ("/api/dunlin/v1/moderation/labels/:id/uses", "admin:write"),
    http::del<take>         ("/api/dunlin/v1/moderation/labels/:id/uses", "admin:write"),
};
// clang-format on

}  // namespace

std::span<const http::Route> label_routes() { return table; }

}  // namespace moderation
