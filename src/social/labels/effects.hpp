// SPDX-License-Identifier: AGPL-3.0-or-later
// What labels do for who looks: which of them apply to a status, its own, its author's and those of the author's server, and what the
// viewer wants of each. Apps are told as of a filter of the viewer's (Status.filtered), so that all of them know what to do.
#pragma once
#include "social/labels/label.hpp"

#include <span>
#include <unordered_map>

namespace labels {

struct Choice {
    LabelId label_id;
    LabelEffect effect = LabelEffect::none;
};
DESCRIBE(Choice, label_id, effect)

std::vector<Choice> choices_of(db::Read&, AccountId);
// None: what the label says by itself. Throws NotFound. It bumps the account's relations_version and tells its streams.
void choose(db::Write&, AccountId, LabelId, std::optional<LabelEffect>);
// Whether somebody sees other effects than most.
bool chooses(db::Read&, AccountId, std::int64_t relations_version);
extern const db::Command drop_own_label_choices;  // at most $2 rows of the account $1

struct Posted {
    StatusId status;
    AccountId author;
};
struct Applying {
    Label label;
    LabelEffect effect = LabelEffect::none;
};
// By the status; one to which none applies is missing, as are those of the viewer's own. What has the effect `none` is left out; what
// hides comes first, as some apps look at the first only.
// Nothing is asked where the viewer would not see an effect of any label.
std::unordered_map<StatusId, std::vector<Applying>>
applying(db::Read&, AccountId viewer, std::int64_t relations_version, std::span<const Posted>);

// The same as a JSON array of FilterResult. The id of such a filter is "label-" and that of the label: never one of a filter.
std::string filter_results(std::span<const Applying>);

}  // namespace labels
