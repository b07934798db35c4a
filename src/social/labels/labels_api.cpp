// SPDX-License-Identifier: AGPL-3.0-or-later
// The labels of this site, and the user's choice of their effects.
#include "http/route.hpp"
#include "social/labels/effects.hpp"

#include <algorithm>

namespace labels {
namespace {

using http::Viewer;

// `effect`: the default; `chosen`: by the user.
struct LabelToChoose {
    LabelId id;
    std::string name, title;
    LabelEffect effect = LabelEffect::none;
    std::optional<LabelEffect> chosen;
};
DESCRIBE(LabelToChoose, id, name, title, effect, chosen)

LabelToChoose to_choose(const Label& label, const std::vector<Choice>& choices) {
    LabelToChoose out{label.id, label.name, label.title, label.effect, {}};
    const auto found = std::ranges::find(choices, label.id, &Choice::label_id);
    if (found != choices.end()) out.chosen = found->effect;
    return out;
}

std::vector<LabelToChoose> index(db::Read& db, const Viewer& me) {
    const auto choices = choices_of(db, me.account);
    std::vector<LabelToChoose> out;
    for (const auto& one : all_labels(db)) out.push_back(to_choose(one, choices));
    return out;
}

struct ChoiceForm {
    LabelId id;
    std::optional<LabelEffect> effect;
};
DESCRIBE(ChoiceForm, id, effect)

// Without an effect, the default applies again.
LabelId begin(db::Write& db, const Viewer& me, const ChoiceForm& form) {
    choose(db, me.account, form.id, form.effect);
    return form.id;
}

struct ById {
    LabelId id;
};
DESCRIBE(ById, id)

LabelToChoose show(db::Read& db, const Viewer& me, const ById& path) {
    return to_choose(label(db, path.id), choices_of(db, me.account));
}

// clang-format off
constexpr http::Route served[] = {
    http::get<index>      ("/api/dunlin/v1/labels",     "read:filters"),
    http::put<begin, show>("/api/dunlin/v1/labels/:id", "write:filters"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return served; }

}  // namespace labels
