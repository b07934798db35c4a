// SPDX-License-Identifier: AGPL-3.0-or-later
// How the team works: its roles, the texts that it warns with, and who is told by webhooks.
#include "social/moderation/team.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/pages/staff/sheet.hpp"

#include <algorithm>

namespace pages {
namespace {

using accounts::Role, base::RoleId, moderation::PresetId, moderation::WebhookId;

// ---- texts for warnings ----

const std::string presets_path = address_of(presets_part);

struct PresetForm {
    std::string title, text, authenticity_token;
};
DESCRIBE(PresetForm, title, text, authenticity_token)

Form preset_form(const std::string& action, const PresetForm& given) {
    return {
        action,
        "Save",
        {{Field::Kind::line, "title", "What you call it", given.title},
         {Field::Kind::area, "text", "Your words to them", given.text, true}}
    };
}

http::Response presets_page(
    db::Read& db, const http::Request& request, const Member& who, const PresetForm& given,
    std::string_view problem = {}
) {
    Panel panel;
    panel.hint = "Texts for warnings, written once";
    panel.forms.push_back(preset_form(presets_path, given));
    panel.rows.emplace();
    for (const auto& one : moderation::warning_presets(db)) {
        Row row{one.title, presets_path + "/" + std::to_string(one.id.value)};
        row.words = one.text;
        panel.rows->push_back(std::move(row));
    }
    return sheet(db, request, who, presets_part, "Warnings", {panel}, problem);
}

http::Response presets(db::Read& db, const http::Request& request) {
    auto who = member(db, request, presets_part.any_of);
    return who.answer() ? *who.answer() : presets_page(db, request, who, {});
}

http::Response preset_page(
    db::Read& db, const http::Request& request, const Member& who, PresetId id, const PresetForm& given,
    std::string_view problem = {}
) {
    auto where = presets_path + "/" + std::to_string(id.value);
    Panel panel;
    panel.forms.push_back(preset_form(where, given));
    panel.forms.push_back({where + "/remove", "Remove", {}, {}, "negative"});
    return sheet(db, request, who, presets_part, "A text written before", {panel}, problem);
}

http::Response preset(db::Read& db, const http::Request& request, const One<PresetId>& path) {
    auto who = member(db, request, presets_part.any_of);
    if (who.answer()) return *who.answer();
    auto known = moderation::warning_preset(db, path.id);
    return preset_page(db, request, who, path.id, {known.title, known.text, {}});
}

http::Response add_preset(db::Write& db, const http::Request& request, const PresetForm& form) {
    auto who = member(db, request, presets_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return presets_page(db, request, who, form, why); };
    return tried(presets_path, added, refused, [&] {
        moderation::put_warning_preset(db, who.actor, {{}, form.title, form.text});
    });
}

struct ByPreset {
    PresetId id;
};
DESCRIBE(ByPreset, id)

http::Response change_preset(
    db::Write& db, const http::Request& request, const ByPreset& path, const PresetForm& form
) {
    auto who = member(db, request, presets_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return preset_page(db, request, who, path.id, form, why); };
    return tried(presets_path, saved, refused, [&] {
        moderation::put_warning_preset(db, who.actor, {path.id, form.title, form.text});
    });
}

constexpr auto end_preset = act_on<presets_part, moderation::remove_warning_preset, PresetId, removed>;

// ---- roles ----

const std::string roles_path = address_of(roles_part);

std::string path_of(const Role& role) { return roles_path + "/" + std::to_string(role.id.value); }

struct RoleFields {
    std::string name, color, authenticity_token;
    std::int64_t position = 0, collection_limit = 10;
    bool highlighted = false, require_2fa = false;
    std::vector<std::string> permissions;
};
DESCRIBE(
    RoleFields, name, color, authenticity_token, position, collection_limit, highlighted, require_2fa,
    permissions
)

accounts::RoleForm form_of(const RoleFields& given) {
    return {
        given.name,
        given.color,
        given.position,
        moderation::permissions_named(given.permissions),
        given.collection_limit,
        given.highlighted,
        given.require_2fa
    };
}

RoleFields fields_of(const Role& role) {
    RoleFields out{role.name, role.color, {}, role.position, role.collection_limit};
    out.highlighted = role.highlighted, out.require_2fa = role.require_2fa;
    out.permissions = moderation::names_of_permissions(role.permissions);
    return out;
}

// The permissions by the words that the API has for them, as everything else about them does.
Form role_form(const std::string& action, const RoleFields& given, bool of_everybody) {
    Form form{action, "Save"};
    if (!of_everybody)
        form.fields = {
            {Field::Kind::line, "name", "Name", given.name, true},
            {Field::Kind::number,
             "position",
             "Position",
             std::to_string(given.position),
             true,
             "Who has a role acts only on who stands below it"},
            {Field::Kind::line, "color", "Colour", given.color, false, "Like #2a7ae2"},
            {Field::Kind::box, "highlighted", "Shown on profiles", given.highlighted ? "1" : ""},
            {Field::Kind::box, "require_2fa", "Needs a second step", given.require_2fa ? "1" : ""},
        };
    form.fields.push_back(
        {Field::Kind::number, "collection_limit", "Collections", std::to_string(given.collection_limit), true}
    );
    Field permissions{Field::Kind::boxes, "permissions[]", "What they may do here"};
    for (const auto& word : moderation::names_of_permissions(accounts::all_permissions)) {
        bool has = std::ranges::find(given.permissions, word) != given.permissions.end();
        permissions.options.push_back({word, {}, word, {}, has});
    }
    form.fields.push_back(std::move(permissions));
    return form;
}

http::Response roles(db::Read& db, const http::Request& request) {
    auto who = member(db, request, roles_part.any_of);
    if (who.answer()) return *who.answer();
    Panel panel;
    panel.link = {roles_path + "/add", "Add a role"};
    panel.rows.emplace();
    for (const auto& role : accounts::roles(db)) {
        Row row{role.name, path_of(role)};
        if (role.id == accounts::everyone) row.said = "Everybody";
        if (role.require_2fa) row.states.push_back("Needs a second step");
        if (role.id != accounts::everyone) row.facts.push_back({"Position", std::to_string(role.position)});
        for (const auto& word : moderation::names_of_permissions(role.permissions))
            row.words += (row.words.empty() ? "" : ", ") + word;
        panel.rows->push_back(std::move(row));
    }
    return sheet(db, request, who, roles_part, "Roles", {panel});
}

// `id`: none yet where it is to be added.
http::Response role_page(
    db::Read& db, const http::Request& request, const Member& who, const RoleFields& given,
    std::optional<RoleId> id, std::string_view problem = {}
) {
    Panel panel;
    auto where = id ? roles_path + "/" + std::to_string(id->value) : roles_path;
    bool of_everybody = id == accounts::everyone;
    panel.forms.push_back(role_form(where, given, of_everybody));
    if (id && !of_everybody) panel.forms.push_back({where + "/remove", "Remove", {}, {}, "negative"});
    return sheet(db, request, who, roles_part, id ? "Role" : "Add a role", {panel}, problem);
}

// The role of everybody has the one number that is below zero.
struct ByRole {
    std::string id, authenticity_token;
};
DESCRIBE(ByRole, id, authenticity_token)

RoleId role_id(const ByRole& path) {
    if (path.id == std::to_string(accounts::everyone.value)) return accounts::everyone;
    auto number = http::form::path_id(&path.id);
    if (!number) throw base::NotFound();
    return {*number};
}

http::Response look_new_role(db::Read& db, const http::Request& request) {
    auto who = member(db, request, roles_part.any_of);
    return who.answer() ? *who.answer() : role_page(db, request, who, {}, {});
}

http::Response role(db::Read& db, const http::Request& request, const ByRole& path) {
    auto who = member(db, request, roles_part.any_of);
    if (who.answer()) return *who.answer();
    auto known = accounts::role(db, role_id(path));
    return role_page(db, request, who, fields_of(known), known.id);
}

http::Response add_role(db::Write& db, const http::Request& request, const RoleFields& form) {
    auto who = member(db, request, roles_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return role_page(db, request, who, form, {}, why); };
    return tried(roles_path, added, refused, [&] { moderation::add_role(db, who.actor, form_of(form)); });
}

http::Response change_role(
    db::Write& db, const http::Request& request, const ByRole& path, const RoleFields& form
) {
    auto who = member(db, request, roles_part.any_of, path.authenticity_token);
    if (who.answer()) return *who.answer();
    auto id = role_id(path);
    auto refused = [&](std::string_view why) { return role_page(db, request, who, form, id, why); };
    auto wanted = form_of(form);
    if (id == accounts::everyone) {
        wanted = {};
        wanted.permissions = moderation::permissions_named(form.permissions);
        wanted.collection_limit = form.collection_limit;
    }
    return tried(roles_path, saved, refused, [&] { moderation::edit_role(db, who.actor, id, wanted); });
}

http::Response end_role(db::Write& db, const http::Request& request, const ByRole& form) {
    auto who = member(db, request, roles_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    moderation::end_role(db, who.actor, role_id(form));
    return done(roles_path, removed);
}

// ---- webhooks ----

const std::string hooks_path = address_of(webhooks_part);

struct HookFields {
    std::string url, template_, authenticity_token;
    std::vector<std::string> events;
    bool enabled = false;
};
DESCRIBE(HookFields, url, template_, authenticity_token, events, enabled)

moderation::WebhookForm form_of(const HookFields& given) {
    return {given.url, {}, given.template_, given.events, given.enabled};
}

Form hook_form(const std::string& action, const HookFields& given) {
    Field events{Field::Kind::boxes, "events[]", "What it is told"};
    for (auto name : moderation::webhook_events()) {
        std::string word(name);
        bool has = std::ranges::find(given.events, word) != given.events.end();
        events.options.push_back({word, {}, word, {}, has});
    }
    return {
        action,
        "Save",
        {{Field::Kind::line, "url", "Address", given.url, true, "It is told by POST, and each call is signed"
         },
         std::move(events),
         {Field::Kind::area, "template", "What is sent instead of JSON", given.template_},
         {Field::Kind::box, "enabled", "Active", given.enabled ? "1" : ""}}
    };
}

http::Response hooks(db::Read& db, const http::Request& request) {
    auto who = member(db, request, webhooks_part.any_of);
    if (who.answer()) return *who.answer();
    Panel panel;
    panel.link = {hooks_path + "/add", "Add a webhook"};
    panel.rows.emplace();
    for (const auto& one : moderation::webhooks(db)) {
        Row row{one.url, hooks_path + "/" + std::to_string(one.id.value)};
        row.states.push_back(one.enabled ? "Active" : "Stopped");
        for (const auto& event : base::json::read<std::vector<std::string>>(one.events))
            row.words += (row.words.empty() ? "" : ", ") + event;
        panel.rows->push_back(std::move(row));
    }
    return sheet(db, request, who, webhooks_part, "Webhooks", {panel});
}

http::Response hook_page(
    db::Read& db, const http::Request& request, const Member& who, const HookFields& given,
    std::optional<WebhookId> id, std::string_view problem = {}
) {
    Panel panel;
    auto where = id ? hooks_path + "/" + std::to_string(id->value) : hooks_path;
    if (id) panel.facts.push_back({"Secret", moderation::webhook(db, *id).secret});
    panel.forms.push_back(hook_form(where, given));
    if (id) {
        panel.forms.push_back({where + "/rotate", "Make a new secret", {}, {}, "quiet"});
        panel.forms.push_back({where + "/remove", "Remove", {}, {}, "negative"});
    }
    return sheet(db, request, who, webhooks_part, id ? "A webhook" : "Add a webhook", {panel}, problem);
}

http::Response look_new_hook(db::Read& db, const http::Request& request) {
    auto who = member(db, request, webhooks_part.any_of);
    if (who.answer()) return *who.answer();
    HookFields given;
    given.enabled = true;
    return hook_page(db, request, who, given, {});
}

http::Response hook(db::Read& db, const http::Request& request, const One<WebhookId>& path) {
    auto who = member(db, request, webhooks_part.any_of);
    if (who.answer()) return *who.answer();
    auto known = moderation::webhook(db, path.id);
    HookFields given{known.url, known.body_template, {}, {}, known.enabled};
    given.events = base::json::read<std::vector<std::string>>(known.events);
    return hook_page(db, request, who, given, path.id);
}

http::Response add_hook(db::Write& db, const http::Request& request, const HookFields& form) {
    auto who = member(db, request, webhooks_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return hook_page(db, request, who, form, {}, why); };
    return tried(hooks_path, added, refused, [&] { moderation::add_webhook(db, who.actor, form_of(form)); });
}

struct ByHook {
    WebhookId id;
};
DESCRIBE(ByHook, id)

http::Response change_hook(
    db::Write& db, const http::Request& request, const ByHook& path, const HookFields& form
) {
    auto who = member(db, request, webhooks_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return hook_page(db, request, who, form, path.id, why); };
    return tried(hooks_path, saved, refused, [&] {
        moderation::edit_webhook(db, who.actor, path.id, form_of(form));
    });
}

constexpr auto rotate_hook = act_on<webhooks_part, moderation::renew_secret, WebhookId, saved>;
constexpr auto end_hook = act_on<webhooks_part, moderation::remove_webhook, WebhookId, removed>;

// clang-format off
constexpr http::Route table[] = {
    http::get<presets>       ("/settings/moderation/presets"),
    http::post<add_preset>   ("/settings/moderation/presets"),
    http::get<preset>        ("/settings/moderation/presets/:id"),
    http::post<change_preset>("/settings/moderation/presets/:id"),
    http::post<end_preset>   ("/settings/moderation/presets/:id/remove"),
    http::get<roles>         ("/settings/moderation/roles"),
    http::post<add_role>     ("/settings/moderation/roles"),
    http::get<look_new_role> ("/settings/moderation/roles/add"),
    http::get<role>          ("/settings/moderation/roles/:id"),
    http::post<change_role>  ("/settings/moderation/roles/:id"),
    http::post<end_role>     ("/settings/moderation/roles/:id/remove"),
    http::get<hooks>         ("/settings/moderation/webhooks"),
    http::post<add_hook>     ("/settings/moderation/webhooks"),
    http::get<look_new_hook> ("/settings/moderation/webhooks/add"),
    http::get<hook>          ("/settings/moderation/webhooks/:id"),
    http::post<change_hook>  ("/settings/moderation/webhooks/:id"),
    http::post<rotate_hook>  ("/settings/moderation/webhooks/:id/rotate"),
    http::post<end_hook>     ("/settings/moderation/webhooks/:id/remove"),
};
// clang-format on

}  // namespace

std::span<const http::Route> team_pages() { return table; }

}  // namespace pages
