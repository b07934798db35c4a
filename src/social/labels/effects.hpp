// SPDX-License-Identifier: AGPL-3.0-or-later
// The effects of labels for a viewer: which labels apply to a status (its own, its author's, and those of the
// author's server), and the effect that the viewer chose for each. The API presents them as filters of the
// viewer (Status.filtered), which all clients support.
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
// nullopt: the label's default effect. Throws NotFound. Increases the account's relations_version and
// notifies its streams.
void choose(db::Write&, AccountId, LabelId, std::optional<LabelEffect>);
// Whether the account has chosen effects that differ from the defaults.
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
// By status, without statuses that no label applies to and those of the viewer. Labels with the effect `none`
// are left out; those that hide come first, because some clients read only the first. Runs no query if no
// label has an effect for the viewer.
std::unordered_map<StatusId, std::vector<Applying>>
applying(db::Read&, AccountId viewer, std::int64_t relations_version, std::span<const Posted>);

// The same as a JSON array of FilterResult. The id of such a filter is "label-" and the label's id, so it
// never equals that of a filter.
std::string filter_results(std::span<const Applying>);

}  // namespace labels
