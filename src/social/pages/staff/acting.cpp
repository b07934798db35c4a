// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/staff/acting.hpp"

#include <span>

namespace pages {

namespace {

using moderation::StrikeAction;

struct Act {
    StrikeAction action;
    std::string_view name, meaning;
};
constexpr Act acts[] = {
    {StrikeAction::none, "Warn", "Say something, and nothing else"},
    {StrikeAction::sensitive, "Mark as sensitive", "All media of this account, from now on"},
    {StrikeAction::silence, "Limit", "Only who follows sees the posts"},
    {StrikeAction::disable, "Freeze", "The account stays, and nobody can use it"},
    {StrikeAction::suspend, "Suspend", "Nothing of it is shown; it is deleted after 30 days"},
};

constexpr Act acts_on_posts[] = {
    {StrikeAction::mark_statuses_as_sensitive,
     "Cover the posts",
     "Media of these posts are marked as sensitive"},
    {StrikeAction::delete_statuses, "Delete the posts", "All that is shown here; the team can still read them"
    },
};

std::vector<Act> offered(const Member& who, const moderation::AdminAccount& target, bool posts) {
    std::vector<Act> out;
    if (posts && who.actor.may(accounts::permission::manage_reports))
        out.assign(std::begin(acts_on_posts), std::end(acts_on_posts));
    for (const auto& act : acts) {
        bool needs_users = act.action == StrikeAction::disable;
        if (needs_users && (target.domain || !who.actor.may(accounts::permission::manage_users))) continue;
        out.push_back(act);
    }
    return out;
}

std::string name_of(const moderation::WarningPreset& preset) {
    return preset.title.empty() ? preset.text.substr(0, preset.text.find('\n')) : preset.title;
}

// What can be taken back, by the word of its address.
struct Undoing {
    std::string_view word, name;
    bool holds;
};

}  // namespace

std::string_view name_of(StrikeAction action) {
    for (const auto& some : {std::span<const Act>(acts), std::span<const Act>(acts_on_posts)})
        for (const auto& act : some)
            if (act.action == action) return act.name;
    return {};
}

void add_acts(
    db::Read& db, instance::View& view, const Member& who,
    const std::optional<moderation::AdminAccount>& target, const ActForm& given, const std::string& where,
    ActsOn on
) {
    view.set("WHERE", where);
    if (!target || !accounts::stands_above(db, who.actor, target->id)) return void(view.add("MAY_NOT"));
    bool local = !target->domain;
    auto& form = view.add("ACT_FORM").set("TEXT", given.text);
    form.add(on == ActsOn::account ? "OF_ACCOUNT" : "OF_REPORT");
    for (const auto& act : offered(who, *target, on == ActsOn::report_with_posts))
        form.add("ACT")
            .set("WORD", base::word(act.action))
            .say("NAME", act.name)
            .say("MEANING", act.meaning)
            .show_if(given.type == base::word(act.action), "CHOSEN");
    auto presets = moderation::warning_presets(db);
    if (!presets.empty()) {
        auto& choice = form.add("PRESETS");
        for (const auto& preset : presets)
            choice.add("PRESET").set("ID", std::to_string(preset.id.value)).set("NAME", name_of(preset));
    }
    form.show_if(local, "LOCAL");
    if (!who.actor.may(accounts::permission::manage_users)) return;
    for (const auto& undoing :
         {Undoing{"unsuspend", "Suspended", target->suspended},
          Undoing{"unsilence", "Limited", target->silenced},
          Undoing{"unsensitive", "Media are sensitive", target->sensitized},
          Undoing{"enable", "Frozen", target->disabled.value_or(false)}})
        if (undoing.holds) view.add("UNDO").set("WORD", undoing.word).say("NAME", undoing.name);
}

std::optional<Form> act_form(
    db::Read& db, const Member& who, const std::optional<moderation::AdminAccount>& target,
    const ActForm& given, const std::string& where, bool posts
) {
    if (!target || !accounts::stands_above(db, who.actor, target->id)) return {};
    Form form{where + "/act", "Do it"};
    Field act{Field::Kind::radios, "type", "What to do", given.type};
    for (const auto& one : offered(who, *target, posts))
        act.options.push_back({std::string(base::word(one.action)), one.name, {}, one.meaning});
    form.fields.push_back(std::move(act));
    auto presets = moderation::warning_presets(db);
    if (!presets.empty()) {
        Field chosen{Field::Kind::list, "preset", "A text written before"};
        chosen.options.push_back({"", "None"});
        for (const auto& one : presets)
            chosen.options.push_back({std::to_string(one.id.value), {}, name_of(one)});
        form.fields.push_back(std::move(chosen));
    }
    form.fields.push_back({Field::Kind::area, "text", "Your words to them", given.text});
    if (!target->domain)
        form.fields.push_back({Field::Kind::box, "tell", "Tell them by a letter and a notification", "1"});
    return form;
}

std::optional<moderation::PostsAction> posts_action_of(const ActForm& form) {
    for (const auto& act : acts_on_posts) {
        if (form.type != base::word(act.action)) continue;
        moderation::PostsAction out{act.action};
        if (form.preset) out.preset = moderation::PresetId{*form.preset};
        out.text = form.text;
        out.tell = form.tell;
        return out;
    }
    return {};
}

moderation::AccountAction action_of(const ActForm& form) {
    moderation::AccountAction out;
    out.type = moderation::action_named(form.type);
    if (form.preset) out.preset = moderation::PresetId{*form.preset};
    out.text = form.text;
    out.tell = form.tell;
    return out;
}

}  // namespace pages
