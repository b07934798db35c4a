// SPDX-License-Identifier: AGPL-3.0-or-later
// What one wants of the labels of this site, as a form.
#include "http/route.hpp"
#include "social/labels/effects.hpp"
#include "social/pages/settings/settings_page.hpp"

#include <algorithm>

namespace pages {

namespace {

using labels::LabelEffect;

const std::string path = hub + "/labels";

constexpr std::string_view unchosen = "site";  // what the label says by itself

struct Effect {
    std::string_view word, said;
};
constexpr Effect possible[] = {
    {unchosen, "As the site has it"},
    {"none", "Shows the post as it is"},
    {"warn", "Warns before the post"},
    {"hide", "Hides the post"},
};

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    const auto all = labels::all_labels(db);
    const auto choices = labels::choices_of(db, who.user.account_id);
    instance::View view;
    view.show_if(all.empty(), "NONE");
    auto* form = all.empty() ? nullptr : &view.add("CHOOSING");
    for (const auto& one : all) {
        auto& shown = form->add("LABEL");
        shown.set("LABEL_ID", std::to_string(one.id.value)).set("TITLE", one.title);
        const auto chosen = std::ranges::find(choices, one.id, &labels::Choice::label_id);
        const auto now = chosen == choices.end() ? unchosen : base::word(chosen->effect);
        for (const auto& effect : possible) {
            auto& choice = shown.add("EFFECT").set("WORD", effect.word).say("SAID", effect.said);
            choice.show_if(effect.word == now, "CHOSEN");
        }
    }
    return settings_page(db, request, who, "settings_labels", "Labels", {}, std::move(view));
}

struct Form {
    std::map<std::string, std::string> effects;  // by the number of the label
    std::string authenticity_token;
};
DESCRIBE(Form, effects, authenticity_token)

std::optional<LabelEffect> effect_called(std::string_view word) {
    for (const auto one : {LabelEffect::none, LabelEffect::warn, LabelEffect::hide})
        if (word == base::word(one)) return one;
    return std::nullopt;
}

http::Response choose(db::Write& db, const http::Request& request, const Form& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    const auto me = who.user.account_id;
    const auto before = labels::choices_of(db, me);
    for (const auto& one : labels::all_labels(db)) {
        const auto given = form.effects.find(std::to_string(one.id.value));
        if (given == form.effects.end()) continue;
        const auto known = std::ranges::find(before, one.id, &labels::Choice::label_id);
        const auto now = known == before.end() ? std::nullopt : std::optional(known->effect);
        if (const auto wanted = effect_called(given->second); wanted != now)
            labels::choose(db, me, one.id, wanted);
    }
    return done(path, "saved");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>   ("/settings/account/labels"),
    http::post<choose>("/settings/account/labels"),
};
// clang-format on

}  // namespace

std::span<const http::Route> label_settings() { return table; }

}  // namespace pages
