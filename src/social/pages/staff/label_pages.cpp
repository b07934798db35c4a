// SPDX-License-Identifier: AGPL-3.0-or-later
// The labels of this site: which there are, what they do, and what bears them. Accounts and posts get them on their own pages.
#include "social/moderation/labels/label_act.hpp"
#include "social/pages/staff/sheet.hpp"

#include <algorithm>

namespace pages {
namespace {

using labels::BearerKind, labels::Label, labels::LabelEffect, labels::LabelId;

const std::string labels_path = address_of(labels_part);

std::string page_of(LabelId id) { return labels_path + "/" + std::to_string(id.value); }

struct EffectName {
    LabelEffect effect;
    std::string_view name;
};
constexpr EffectName effects[] = {
    {LabelEffect::none, "Shows the post as it is"},
    {LabelEffect::warn, "Warns before the post"},
    {LabelEffect::hide, "Hides the post"},
};

std::string_view name_of(LabelEffect effect) {
    return std::ranges::find(effects, effect, &EffectName::effect)->name;
}

struct LabelForm {
    std::string name, title, authenticity_token;
    LabelEffect effect = LabelEffect::none;
};
DESCRIBE(LabelForm, name, title, authenticity_token, effect)

Field title_field(const std::string& given, bool required) {
    return {Field::Kind::line, "title", "What people read", given, required};
}

Field effect_field(LabelEffect chosen) {
    Field out{Field::Kind::list, "effect", "What it does", std::string(base::word(chosen))};
    for (const auto& one : effects) out.options.push_back({std::string(base::word(one.effect)), one.name});
    return out;
}

// ---- the list ----

http::Response list_page(
    db::Read& db, const http::Request& request, const Member& who, const LabelForm& given,
    std::string_view problem = {}
) {
    Panel panel;
    panel.rows.emplace();
    for (const auto& one : labels::all_labels(db)) {
        Row row{one.name, page_of(one.id)};
        row.states.push_back(name_of(one.effect));
        row.facts.push_back({"What people read", one.title});
        panel.rows->push_back(std::move(row));
    }
    Panel adding{"Add"};
    Field name{
        Field::Kind::line, "name", "Name", given.name, true, "Rules know it by this name, which stays."
    };
    adding.forms.push_back(
        {labels_path, "Save", {name, title_field(given.title, false), effect_field(given.effect)}}
    );
    return sheet(db, request, who, labels_part, "Labels", {panel, adding}, problem);
}

http::Response list(db::Read& db, const http::Request& request) {
    auto who = member(db, request, labels_part.any_of);
    return who.answer() ? *who.answer() : list_page(db, request, who, {});
}

http::Response add(db::Write& db, const http::Request& request, const LabelForm& form) {
    auto who = member(db, request, labels_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return list_page(db, request, who, form, why); };
    return tried(labels_path, added, refused, [&] {
        const auto title = form.title.empty() ? std::nullopt : std::optional(form.title);
        moderation::create_label(db, who.actor, {form.name, title, form.effect});
    });
}

// ---- one ----

constexpr int a_page = 40;

// What it is of, and by which name of a form it is named.
struct Borne {
    std::string_view kind, field;
    std::string value, shown, url = {};
};

std::vector<Borne> borne_by(db::Read& db, const std::vector<labels::Use>& uses) {
    std::vector<base::AccountId> people;
    for (const auto& use : uses)
        if (use.subject == BearerKind::account) people.push_back({use.subject_id});
    auto names = handles(db, people);
    std::vector<Borne> out;
    for (const auto& use : uses) {
        auto number = std::to_string(use.subject_id);
        switch (use.subject) {
            case BearerKind::account:
                out.push_back(
                    {"Account",
                     "account_id",
                     number,
                     "@" + names[base::AccountId{use.subject_id}],
                     account_page({use.subject_id})}
                );
                break;
            case BearerKind::status:
                out.push_back({"Post", "status_id", number, "#" + number, post_page({use.subject_id})});
                break;
            case BearerKind::server: out.push_back({"Server", "domain", use.domain, use.domain}); break;
        }
    }
    return out;
}

Panel bearers(db::Read& db, const Member& who, LabelId id, const From& from) {
    Panel out{"What bears it"};
    const auto uses = labels::uses_of(db, id, from.range(a_page));
    const auto borne = borne_by(db, uses);
    out.rows.emplace();
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const auto& one = borne[i];
        Row row{one.shown, one.url};
        row.states.push_back(one.kind);
        row.hint = day_of(uses[i].created_at);
        if (who.actor.may(moderation::permissions_to_label(uses[i].subject)))
            row.forms.push_back({page_of(id) + "/take", "Remove", {}, {{one.field, one.value}}, "quiet"});
        out.rows->push_back(std::move(row));
    }
    out.older = older(page_of(id), uses, a_page);
    if (who.actor.may(moderation::permissions_to_label(BearerKind::server)))
        out.forms.push_back(
            {page_of(id) + "/put", "Add", {{Field::Kind::line, "domain", "Domain", {}, true}}, {}, "quiet"}
        );
    return out;
}

http::Response one_page(
    db::Read& db, const http::Request& request, const Member& who, const Label& known, const From& from,
    std::string_view problem = {}
) {
    Panel panel;
    panel.facts = {{"Name", known.name}};
    panel.forms = {
        {page_of(known.id), "Save", {title_field(known.title, true), effect_field(known.effect)}},
        {page_of(known.id) + "/remove", "Remove", {}, {}, "negative"}
    };
    return sheet(
        db, request, who, labels_part, "A label", {panel, bearers(db, who, known.id, from)}, problem
    );
}

struct ById {
    LabelId id;
};
DESCRIBE(ById, id)

http::Response look(db::Read& db, const http::Request& request, const ById& path, const From& from) {
    auto who = member(db, request, labels_part.any_of);
    if (who.answer()) return *who.answer();
    return one_page(db, request, who, labels::label(db, path.id), from);
}

http::Response change(db::Write& db, const http::Request& request, const ById& path, const LabelForm& form) {
    auto who = member(db, request, labels_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) {
        return one_page(db, request, who, labels::label(db, path.id), {}, why);
    };
    return tried(page_of(path.id), saved, refused, [&] {
        moderation::change_label(db, who.actor, path.id, form.title, form.effect);
    });
}

http::Response remove(db::Write& db, const http::Request& request, const One<LabelId>& form) {
    auto who = member(db, request, labels_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::delete_label(db, who.actor, form.id);
    return done(labels_path, removed);
}

using Act = void (*)(db::Write&, const accounts::Actor&, LabelId, const labels::Bearer&);

struct UseForm {
    std::optional<base::AccountId> account_id;
    std::optional<base::StatusId> status_id;
    std::optional<std::string> domain;
    std::string authenticity_token;
};
DESCRIBE(UseForm, account_id, status_id, domain, authenticity_token)

template <Act F>
http::Response label(db::Write& db, const http::Request& request, const ById& path, const UseForm& form) {
    auto who = member(db, request, labels_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) {
        return one_page(db, request, who, labels::label(db, path.id), {}, why);
    };
    return tried(page_of(path.id), F == moderation::put_label ? added : removed, refused, [&] {
        F(db, who.actor, path.id, moderation::bearer_of(db, {form.account_id, form.status_id, form.domain}));
    });
}

// clang-format off
constexpr http::Route table[] = {
    http::get<list>                     ("/settings/moderation/labels"),
    http::post<add>                     ("/settings/moderation/labels"),
    http::get<look>                     ("/settings/moderation/labels/:id"),
    http::post<change>                  ("/settings/moderation/labels/:id"),
    http::post<remove>                  ("/settings/moderation/labels/:id/remove"),
    http::post<label<moderation::put_label>> ("/settings/moderation/labels/:id/put"),
    http::post<label<moderation::take_label>>("/settings/moderation/labels/:id/take"),
};
// clang-format on

}  // namespace

std::span<const http::Route> label_pages() { return table; }

}  // namespace pages
