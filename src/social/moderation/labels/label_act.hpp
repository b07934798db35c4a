// SPDX-License-Identifier: AGPL-3.0-or-later
// Staff's acts on labels. Creating labels and choosing their effect on timelines needs manage_taxonomies, as
// for hashtags and trends. Labelling needs the permission to moderate the target: accounts manage_users,
// posts that or manage_reports, servers manage_federation. Each act is logged.
#pragma once
#include "social/accounts/users/role.hpp"
#include "social/labels/use.hpp"
#include "social/statuses/core/status.hpp"

namespace moderation {

// All throw Forbidden, Invalid and NotFound.
labels::LabelId create_label(db::Write&, const accounts::Actor&, const labels::LabelForm&);
void change_label(db::Write&, const accounts::Actor&, labels::LabelId, const std::optional<std::string>& title, std::optional<labels::LabelEffect>);
void delete_label(db::Write&, const accounts::Actor&, labels::LabelId);

// One of the three is set. For a boost, the boosted post is labelled.
struct BearerForm {
    std::optional<base::AccountId> account_id;
    std::optional<base::StatusId> status_id;
    std::optional<std::string> domain;
};
DESCRIBE(BearerForm, account_id, status_id, domain)
labels::Bearer bearer_of(db::Read&, const BearerForm&);

std::int64_t permissions_to_label(labels::BearerKind);  // any of them
void put_label(db::Write&, const accounts::Actor&, labels::LabelId, const labels::Bearer&);
void take_label(db::Write&, const accounts::Actor&, labels::LabelId, const labels::Bearer&);

void forget_labels_of(db::Write&, const statuses::Deleted&);  // reaction

}  // namespace moderation
