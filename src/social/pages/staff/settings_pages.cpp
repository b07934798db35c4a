// SPDX-License-Identifier: AGPL-3.0-or-later
// What the site is, changed while it is served, and what was changed.
#include "social/instance/registrations.hpp"
#include "social/moderation/site/site_acts.hpp"
#include "social/pages/staff/sheet.hpp"

#include <algorithm>

namespace pages {
namespace {

using instance::SettingKind, instance::SiteSetting;

const std::string settings_path = address_of(settings_part);

constexpr std::pair<std::string_view, std::string_view> labels[] = {
    {"title", "Name of the site"},
    {"description", "In one or two sentences"},
    {"contact_email", "Address people may write to"},
    {"contact_account", "Account people may talk to"},
    {"language", "Main language"},
    {"registrations", "Who may sign up"},
    {"confirmation", "Who signs up must follow a link sent by e-mail"},
    {"min_age", "Age that must be stated to sign up; 0: none"},
    {"restricted", "Apps get nothing without a login"},
    {"email_subscriptions", "People may have their public posts sent by e-mail to others"},
    {"weekly_digest", "A letter a week to those who look after the server"},
    {"appeal_days", "Days for which a decision of the team can be appealed"},
    {"max_characters", "Longest post, in characters"},
    {"max_media", "Media in one post"},
    {"max_poll_options", "Options of a poll"},
    {"authorized_fetch", "Other servers must sign what they read"},
    {"limited_federation", "Only allowed servers are talked to"},
    {"allowed_servers", "Allowed servers"},
    {"trends", "Show what trends"},
    {"trendable_by_default", "What nobody has decided about may trend"},
    {"profile_directory", "Show a list of the people here"},
    {"noindex", "Ask search engines to stay away"},
    {"show_domain_blocks", "Who sees which servers are limited"},
    {"show_domain_blocks_rationale", "Who sees why they are"},
};

std::string_view label_of(std::string_view name) {
    const auto found = std::ranges::find(labels, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(labels) ? std::string_view() : found->second;
}

// The words of choices.
constexpr std::pair<std::string_view, std::string_view> choices[] = {
    {"open", "Everybody"},
    {"approval", "Whoever a moderator approves"},
    {"closed", "Nobody, unless invited"},
    {"disabled", "Nobody"},
    {"users", "People of this server"},
    {"all", "Everybody"},
};

std::string_view said_of(const SiteSetting& one, std::string_view value) {
    if (one.kind == SettingKind::yes_or_no) return value == "true" ? "Yes" : "No";
    if (one.kind != SettingKind::choice) return {};
    const auto found =
        std::ranges::find(choices, value, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(choices) ? std::string_view() : found->second;
}

struct SettingsForm {
    std::string title, description, contact_email, contact_account, language, registrations;
    bool confirmation = false, restricted = false, email_subscriptions = false, weekly_digest = false;
    std::string min_age, appeal_days, max_characters, max_media, max_poll_options;
    bool authorized_fetch = false, limited_federation = false;
    std::string allowed_servers, authenticity_token;
    std::optional<std::int64_t> version;  // of what the form showed
};
DESCRIBE(
    SettingsForm, title, description, contact_email, contact_account, language, registrations, confirmation,
    restricted, email_subscriptions, weekly_digest, min_age, appeal_days, max_characters, max_media,
    max_poll_options, authorized_fetch, limited_federation, allowed_servers, authenticity_token, version
)

// What a form says of a setting; nothing where it has no field for it.
std::optional<std::string> given(const SettingsForm& form, std::string_view name) {
    std::optional<std::string> out;
    base::for_each_member<SettingsForm>([&](auto member) {
        if (member.name != name) return;
        const auto& value = form.*member.pointer;
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) out = value ? "true" : "false";
        else if constexpr (std::is_same_v<Value, std::string>) out = value;
    });
    return out;
}

Field field_of(const SiteSetting& one, const std::string& value) {
    using enum Field::Kind;
    Field field{line, one.name, label_of(one.name), value};
    switch (one.kind) {
        case SettingKind::number: field.kind = number; break;
        case SettingKind::yes_or_no:
            field.kind = box;
            field.value = value == "true" ? "1" : "";
            break;
        case SettingKind::choice:
            field.kind = list;
            for (const auto& word : one.choices) field.options.push_back({word, said_of(one, word)});
            break;
        case SettingKind::list:
        case SettingKind::text:
            if (one.name == "description" || one.kind == SettingKind::list) field.kind = area;
            break;
    }
    return field;
}

// Which of them the form has.
std::vector<const SiteSetting*> changed_here() {
    std::vector<const SiteSetting*> out;
    for (const auto& one : instance::site_settings())
        if (one.option && one.set_at.empty() && given({}, one.name)) out.push_back(&one);
    return out;
}

// Of who may sign up: what holds, where sign-ups wait for approval although everybody may.
std::string holds_now(db::Read& db, const SiteSetting& one) {
    auto value = instance::value_of(db, one);
    if (one.name == "registrations" && value == "open" && instance::approval_required(db)) return "approval";
    return value;
}

Fact fact_of(const SiteSetting& one, std::string_view label, const std::optional<std::string>& value) {
    if (!value) return {label, {}, "As configured"};
    return {label, *value, said_of(one, *value)};
}

Panel fixed_panel() {
    Panel panel{"Set in the configuration of the server"};
    panel.hint = "It wins: who looks after the server changes these there.";
    panel.rows.emplace();
    for (const auto& one : instance::site_settings()) {
        if (one.set_at.empty()) continue;
        Row row{{}};
        row.said = label_of(one.name);
        row.facts.push_back(fact_of(one, "Value", one.value));
        row.hint = one.set_at;
        panel.rows->push_back(std::move(row));
    }
    return panel;
}

Panel changes_panel(db::Read& db, const From& from) {
    constexpr int limit = 20;
    const auto changes = instance::setting_changes(db, from.range(limit));
    std::vector<base::AccountId> actors;
    for (const auto& one : changes) actors.push_back(one.actor_id);
    const auto names = handles(db, actors);
    Panel panel{"Changes"};
    panel.rows.emplace();
    for (const auto& one : changes) {
        const auto& all = instance::site_settings();
        const auto setting = std::ranges::find(all, one.name, &SiteSetting::name);
        if (setting == all.end()) continue;  // of another version
        const auto by = names.find(one.actor_id);
        Row row{{}};
        row.said = label_of(one.name);
        row.hint = day_of(one.at) + (by == names.end() ? "" : " · " + by->second);
        row.facts = {
            fact_of(*setting, "Before", one.before_value), fact_of(*setting, "After", one.after_value)
        };
        const bool latest = instance::setting_changes(db, one.name, 1).front().id == one.id;
        if (latest && setting->set_at.empty())
            row.forms.push_back(
                {settings_path + "/" + std::to_string(one.id.value) + "/undo", "Take back", {}, {}, "quiet"}
            );
        panel.rows->push_back(std::move(row));
    }
    panel.older = older(settings_path, changes, limit);
    return panel;
}

http::Response settings_page(
    db::Read& db, const http::Request& request, const Member& who, const From& from,
    const SettingsForm* form = nullptr, std::string_view problem = {}
) {
    Form fields{settings_path, "Save"};
    for (const auto* one : changed_here())
        fields.fields.push_back(field_of(*one, form ? *given(*form, one->name) : holds_now(db, *one)));
    // What is refused as others changed it meanwhile stays so, until it was looked at anew.
    const auto version = form && form->version ? *form->version : instance::version_of_options(db);
    fields.hidden.push_back({"version", std::to_string(version)});
    std::vector<Panel> panels{{"What this site is"}};
    panels.front().hint = "Everybody sees it within seconds, on all servers of the site.";
    if (!fields.fields.empty()) panels.front().forms.push_back(std::move(fields));
    if (auto fixed = fixed_panel(); !fixed.rows->empty()) panels.push_back(std::move(fixed));
    panels.push_back(changes_panel(db, from));
    return sheet(db, request, who, settings_part, "Settings of the site", panels, problem);
}

http::Response look_at_settings(db::Read& db, const http::Request& request, const From& from) {
    auto who = member(db, request, settings_part.any_of);
    return who.answer() ? *who.answer() : settings_page(db, request, who, from);
}

http::Response change_settings(db::Write& db, const http::Request& request, const SettingsForm& form) {
    auto who = member(db, request, settings_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return settings_page(db, request, who, {}, &form, why); };
    return tried(settings_path, saved, refused, [&] {
        if (form.version && *form.version != instance::version_of_options(db))
            throw base::Invalid("Somebody else has changed these settings meanwhile: open this page anew");
        moderation::WantedSettings wanted;
        for (const auto* one : changed_here())
            if (const auto value = *given(form, one->name); value != holds_now(db, *one))
                wanted.emplace_back(one->name, value);
        moderation::change_settings(db, who.actor, wanted);
    });
}

struct ByChange {
    instance::SettingChangeId id;
    std::string authenticity_token;
};
DESCRIBE(ByChange, id, authenticity_token)

http::Response undo_change(db::Write& db, const http::Request& request, const ByChange& form) {
    auto who = member(db, request, settings_part.any_of, form.authenticity_token);
    if (who.answer()) return *who.answer();
    auto refused = [&](std::string_view why) { return settings_page(db, request, who, {}, nullptr, why); };
    return tried(settings_path, undone, refused, [&] { moderation::undo_setting(db, who.actor, form.id); });
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look_at_settings>("/settings/moderation/settings"),
    http::post<change_settings>("/settings/moderation/settings"),
    http::post<undo_change>    ("/settings/moderation/settings/:id/undo"),
};
// clang-format on

}  // namespace

std::span<const http::Route> settings_of_site_pages() { return table; }

}  // namespace pages
