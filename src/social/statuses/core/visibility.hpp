// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may see a status. This is the only implementation of the rule; routes, feeds, notifications, pages and
// exports use it (behaviours: section 10).
#pragma once
#include "social/relationships/viewer_relationships.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// The viewer: nobody (anonymous) or an account with its relationships.
struct Audience {
    AccountId viewer;
    std::shared_ptr<const relationships::Relationships> relations;  // null for nobody
    Time now;

    bool anonymous() const { return !viewer; }
    bool hides(AccountId id) const { return relations && id != viewer && relations->hides(id, now); }
};

Audience nobody(db::Read&);
Audience audience(db::Read&, AccountId viewer, std::int64_t relations_version);
Audience audience(db::Read&, AccountId viewer);  // one more query to read the version

// What the rule needs to know of a status, and the versions that rendering needs as cache keys. For a reblog,
// `original_*` describe the boosted status; otherwise they repeat the status itself.
struct VisibilityFacts {
    StatusId id;
    std::int64_t version = 0;
    AccountId account_id;
    std::int64_t account_version = 0;
    Visibility visibility = Visibility::public_;
    AccountId in_reply_to_account_id;
    StatusId original_id;
    std::int64_t original_version = 0;
    AccountId original_account_id;
    std::int64_t original_account_version = 0;
    Visibility original_visibility = Visibility::public_;
    bool gone = false;       // an author is suspended, or the original is deleted
    bool mentioned = false;  // the viewer, in a status that is not open; silently or not
    ConversationId conversation_id;
    bool local_only = false;      // only for accounts of this site, so not for anonymous viewers
    bool open_to_replies = true;  // everybody who sees it may reply (interactions/reply_approval.hpp)
    bool domain_hidden = false, original_domain_hidden = false;  // the viewer blocks the author's domain

    bool is_reblog() const { return original_id != id; }
};

// Of the existing statuses, in the order of the ids; at most two queries (listed.hpp).
std::vector<VisibilityFacts> visibility_facts(db::Read&, const Audience&, const std::vector<StatusId>& ids);
void expect_facts(db::Read&, StatusId);  // db::Read::expect, of one
void prefetch_facts(db::Read&, StatusId);
// The same for deleted statuses, which moderators may still see.
std::vector<VisibilityFacts> deleted_visibility_facts(
    db::Read&, const Audience&, const std::vector<StatusId>& ids
);

// Sets what depends on the viewer. Queries only statuses that are not readable by everybody, and authors if
// the viewer blocks domains; most pages need no query.
void note_viewer(db::Read&, const Audience&, std::vector<VisibilityFacts>&);

bool visible(const VisibilityFacts&, const Audience&);

// The facts of one status that this viewer may see; otherwise throws NoSuchStatus.
VisibilityFacts visible_facts(db::Read&, const Audience&, StatusId);

// Whether a timeline shows it to this viewer: it is visible, and the viewer hides nobody involved.
bool shown(const VisibilityFacts&, const Audience&);

}  // namespace statuses
