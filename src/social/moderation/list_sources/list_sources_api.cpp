// SPDX-License-Identifier: AGPL-3.0-or-later
// Subscribed lists of servers, as staff adds them, looks at what they suggest and decides about it.
#include "http/route.hpp"
#include "social/moderation/list_sources/group.hpp"
#include "social/moderation/list_sources/standing.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct ById {
    ListSourceId id;
};
DESCRIBE(ById, id)

std::vector<ListSource> index(db::Read& db, const Viewer&) { return list_sources(db); }
ListSource show(db::Read& db, const Viewer&, const ById& path) { return list_source(db, path.id); }

std::vector<ListSource> members(db::Read& db, const Viewer&, const ById& path) {
    return members_of_group(db, list_source(db, path.id).id);
}

ListSourceId add(db::Write& db, const Viewer& me, const SourceForm& form) {
    return add_list_source(db, accounts::actor(db, me.account), form);
}

struct ChangeForm {
    ListSourceId id;
    std::optional<std::string> name;
    std::optional<SourceMode> mode;
    std::optional<Ceiling> ceiling;
    std::optional<Retractions> retractions;
    std::optional<std::int64_t> agree;
    std::optional<std::vector<ListSourceId>> members;
    std::optional<std::string> label;
    std::optional<std::int64_t> priority;
};
DESCRIBE(ChangeForm, id, name, mode, ceiling, retractions, agree, members, label, priority)

ListSourceId change(db::Write& db, const Viewer& me, const ChangeForm& form) {
    change_list_source(
        db,
        accounts::actor(db, me.account),
        form.id,
        {form.name,
         {},
         {},
         {},
         form.mode,
         form.ceiling,
         form.retractions,
         form.agree,
         form.members,
         form.label,
         form.priority}
    );
    return form.id;
}

struct RemoveForm {
    ListSourceId id;
    bool lift = false;
};
DESCRIBE(RemoveForm, id, lift)

void remove(db::Write& db, const Viewer& me, const RemoveForm& form) {
    remove_list_source(db, accounts::actor(db, me.account), form.id, form.lift);
}

ListSourceId read_now(db::Write& db, const Viewer& me, const ById& path) {
    read_list_source_now(db, accounts::actor(db, me.account), path.id);
    return path.id;
}

struct EntriesForm {
    ListSourceId id;
    std::optional<AdviceAbout> about;
    std::optional<AdviceState> state;
    std::string after;
    http::Limit<100, 500> limit;
};
DESCRIBE(EntriesForm, id, about, state, after, limit)

// The next ones come `after` the last.
std::vector<StandingAdvice> entries(db::Read& db, const Viewer&, const EntriesForm& form) {
    return standing_advice(
        db, list_source(db, form.id), {form.about, form.state, form.after, form.limit.value}
    );
}

// What it would do to apply what is suggested, or to give it another priority.
struct PreviewForm {
    ListSourceId id;
    std::vector<std::string> domains;
    std::optional<std::int64_t> priority;
};
DESCRIBE(PreviewForm, id, domains, priority)

ListPreview show_before(db::Read& db, const Viewer&, const PreviewForm& form) {
    const auto source = list_source(db, form.id);
    if (form.priority) return preview_priority(db, source, *form.priority);
    return preview_source(db, standing_of(db, source), form.domains);
}

struct DomainsForm {
    ListSourceId id;
    std::vector<std::string> domains;
};
DESCRIBE(DomainsForm, id, domains)

struct ApplyForm {
    ListSourceId id;
    std::vector<std::string> domains;
    bool dry_run = false;
};
DESCRIBE(ApplyForm, id, domains, dry_run)

PreparedSource prepare(db::Read& db, const Viewer&, const ApplyForm& form) {
    return prepare_source(db, list_source(db, form.id), form.domains);
}

AppliedList apply(db::Write& db, const Viewer& me, const ApplyForm& form, const PreparedSource& prepared) {
    return apply_source(db, accounts::actor(db, me.account), form.id, prepared, form.dry_run);
}

Standing stand_of(db::Read& db, const Viewer&, const ById& path) {
    return standing_of(db, list_source(db, path.id));
}

ListSourceId accept(db::Write& db, const Viewer& me, const ById& path, const Standing& standing) {
    accept_source(db, accounts::actor(db, me.account), path.id, standing);
    return path.id;
}

struct ActForm {
    ListSourceId id;
    std::string key;
};
DESCRIBE(ActForm, id, key)

Advice find(db::Read& db, const Viewer&, const ActForm& form) { return advice_about(db, form.id, form.key); }

ListSourceId act_on(db::Write& db, const Viewer& me, const ActForm& form, const Advice& advice) {
    act_on_advice(db, accounts::actor(db, me.account), form.id, advice);
    return form.id;
}

struct DismissForm {
    ListSourceId id;
    std::vector<std::string> domains;
    bool all = false;
};
DESCRIBE(DismissForm, id, domains, all)

struct Suggested {
    Standing standing;
    std::vector<std::string> domains;
};

Suggested suggested(db::Read& db, const Viewer&, const DismissForm& form) {
    Suggested out;
    out.standing = standing_of(db, list_source(db, form.id));
    if (form.all) out.domains = suggested_domains(RulesNow(db), out.standing);
    return out;
}

ListSourceId dismiss(db::Write& db, const Viewer& me, const DismissForm& form, const Suggested& now) {
    const auto who = accounts::actor(db, me.account);
    if (form.all) dismiss_all(db, who, form.id, now.domains);
    else dismiss_advice(db, who, form.id, form.domains, now.standing);
    return form.id;
}

Standing stand(db::Read& db, const Viewer&, const DomainsForm& form) {
    return standing_of(db, list_source(db, form.id));
}

ListSourceId lift(db::Write& db, const Viewer& me, const DomainsForm& form, const Standing& standing) {
    lift_withdrawn(db, accounts::actor(db, me.account), form.id, form.domains, standing);
    return form.id;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>                ("/api/dunlin/v1/moderation/list_sources",             "admin:read:domain_blocks"),
    http::post<add, show>           ("/api/dunlin/v1/moderation/list_sources",             "admin:write:domain_blocks"),
    http::get<show>                 ("/api/dunlin/v1/moderation/list_sources/:id",         "admin:read:domain_blocks"),
    http::put<change, show>         ("/api/dunlin/v1/moderation/list_sources/:id",         "admin:write:domain_blocks"),
    http::del<remove>               ("/api/dunlin/v1/moderation/list_sources/:id",         "admin:write:domain_blocks"),
    http::get<members>              ("/api/dunlin/v1/moderation/list_sources/:id/members", "admin:read:domain_blocks"),
    http::post<read_now, show>      ("/api/dunlin/v1/moderation/list_sources/:id/sync",    "admin:write:domain_blocks"),
    http::get<entries>              ("/api/dunlin/v1/moderation/list_sources/:id/entries", "admin:read:domain_blocks"),
    http::get<show_before>          ("/api/dunlin/v1/moderation/list_sources/:id/preview", "admin:read:domain_blocks"),
    http::post<prepare, apply>      ("/api/dunlin/v1/moderation/list_sources/:id/apply",   "admin:write:domain_blocks"),
    http::post<find, act_on, show>  ("/api/dunlin/v1/moderation/list_sources/:id/act",     "admin:write:domain_blocks"),
    http::post<stand_of, accept, show>("/api/dunlin/v1/moderation/list_sources/:id/accept", "admin:write:domain_blocks"),
    http::post<suggested, dismiss, show>("/api/dunlin/v1/moderation/list_sources/:id/dismiss", "admin:write:domain_blocks"),
    http::post<stand, lift, show>   ("/api/dunlin/v1/moderation/list_sources/:id/lift",    "admin:write:domain_blocks"),
};
// clang-format on

}  // namespace

std::span<const http::Route> list_source_routes() { return table; }

}  // namespace moderation
