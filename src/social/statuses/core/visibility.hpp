// SPDX-License-Identifier: AGPL-3.0-or-later
// Who may see a status. The rule exists here only; routes, feeds, notifications, pages and exports use it
// (behaviours: section 10).
#pragma once
#include "social/relationships/viewer_relationships.hpp"
#include "social/statuses/core/status.hpp"

namespace statuses {

// Who views: nobody (anonymous) or an account with its relationships.
struct Audience {
    AccountId viewer;
    std::shared_ptr<const relationships::Relationships> relations;  // null for nobody
    Time now;

    bool anonymous() const { return !viewer; }
    bool hides(AccountId id) const { return relations && id != viewer && relations->hides(id, now); }
};

Audience nobody(db::Read&);
Audience audience(db::Read&, AccountId viewer, std::int64_t relations_version);
Audience audience(db::Read&, AccountId viewer);  // when the version is not known: one more query

// What the rule needs of a status, and what rendering it needs besides: the versions that key the caches. Of a reblog, `original_*` are the boosted status; otherwise they repeat the status itself.
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
    bool mentioned = false;  // the viewer, in a status that is not public; silently or not
    ConversationId conversation_id;
    bool local_only = false;      // for people of this site, so not for nobody in particular
    bool open_to_replies = true;  // everybody who sees it may answer (interactions/reply_approval.hpp)
    bool domain_hidden = false, original_domain_hidden = false;  // the viewer blocks the author's domain

    bool is_reblog() const { return original_id != id; }
};

// Of those that exist, in the order of the ids; two queries at most (listed.hpp).
std::vector<VisibilityFacts> visibility_facts(db::Read&, const Audience&, const std::vector<StatusId>& ids);
void expect_facts(db::Read&, StatusId);  // db::Read::expect, of one
void prefetch_facts(db::Read&, StatusId);
// The same of deleted ones, which moderators still may see.
std::vector<VisibilityFacts> deleted_visibility_facts(
    db::Read&, const Audience&, const std::vector<StatusId>& ids
);

// Sets what depends on the viewer. Asked are only statuses that not everybody may read, and authors when the viewer
// blocks domains; most pages have none.
void note_viewer(db::Read&, const Audience&, std::vector<VisibilityFacts>&);

bool visible(const VisibilityFacts&, const Audience&);

// The facts of one status this viewer may see, or throws NoSuchStatus.
VisibilityFacts visible_facts(db::Read&, const Audience&, StatusId);

// Whether a timeline shows it to this viewer: visible, and nobody involved is hidden from them.
bool shown(const VisibilityFacts&, const Audience&);

}  // namespace statuses
