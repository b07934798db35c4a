// SPDX-License-Identifier: AGPL-3.0-or-later
// This site's rules about servers as a FIRES dataset for other servers, whose changes are recorded here. Who
// may read it is set as for GET /api/v1/instance/domain_blocks. Domains that are partly hidden there are left
// out here.
#pragma once
#include "jobs/reactions.hpp"
#include "social/instance/list_rule.hpp"

namespace moderation {

using PublishedRuleId = base::Id<struct PublishedRuleTag>;

struct PublishedRule {
    std::string domain;
    PublishedRuleId id;
    std::string rule;  // JSON of instance::ListRule
    bool withdrawn = false;
    base::Time changed_at;
};
DESCRIBE(PublishedRule, domain, id, rule, withdrawn, changed_at)

std::vector<PublishedRule> published_rules(db::Read&);  // the newest first, without those that are withdrawn
std::vector<PublishedRule> published_changes(db::Read&, PublishedRuleId after, int limit);
PublishedRule published_change(db::Read&, PublishedRuleId);  // throws NotFound
PublishedRuleId newest_published(db::Read&);                 // 0: there are none
base::Time published_since(db::Read&);

// Records the changes since the last run, some at a time. Periodic.
jobs::Change note_published_rules(db::Read&);

}  // namespace moderation
