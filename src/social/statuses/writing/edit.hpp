// SPDX-License-Identifier: AGPL-3.0-or-later
// Editing a published status, and its previous versions.
#pragma once
#include "social/media/media_use.hpp"
#include "social/statuses/polls/poll.hpp"

namespace statuses {

// A status as its author may edit it.
struct Editable {
    StatusId id;
    AccountId account_id;
    Visibility visibility = Visibility::public_;
    QuotePolicy quote_policy = QuotePolicy::public_;
    std::int64_t relations = 0;
    bool sensitive = false;
    Time created_at;
    std::optional<Time> edited_at;
    std::optional<std::string> language;
    std::string content_type, spoiler_text, text, content;
};
DESCRIBE(
    Editable, id, account_id, visibility, quote_policy, relations, sensitive, created_at, edited_at, language,
    content_type, spoiler_text, text, content
)

// Throws NoSuchStatus unless it is the account's own and no boost.
Editable editable(db::Read&, AccountId me, StatusId);

// The complete new state; only the language and the policies stay unchanged if they are not given.
struct Edit {
    StatusId id;
    AccountId account;
    std::string text, spoiler_text, content_type;
    bool sensitive = false;
    std::optional<std::string> language;
    std::optional<QuotePolicy> quote_policy;
    std::optional<ReplyPolicy> reply_policy;
    std::vector<MediaId> media;
    std::vector<media::Change> media_changes;
    std::optional<PollDraft> poll;  // checked()
    Content content;
    std::shared_ptr<const Verdict> verdict;  // as in Draft
};

// Nothing is recorded if nothing changes. Throws NoSuchStatus and Invalid (blank, too long, media).
void edit(db::Write&, const Edit&);

// By the team, for any author. A local status counts as edited. Returns false if it is so already, is
// deleted, or has neither media nor a preview.
bool set_sensitive(db::Write&, StatusId, bool sensitive);

// One entry of the history.
struct SnapshotMedia {
    MediaId id;
    std::string description;
};
DESCRIBE(SnapshotMedia, id, description)
struct Snapshot {
    Time created_at;
    bool sensitive = false;
    std::string spoiler_text, text, content;
    std::vector<SnapshotMedia> media;
    std::vector<std::string> poll_options;
};

// Oldest first, the present version last; a status that was never edited has one.
std::vector<Snapshot> history(db::Read&, StatusId);

// Accounts that boosted the status, by id, starting after `after`.
std::vector<AccountId> rebloggers(db::Read&, StatusId, AccountId after, int limit);

// Recording previous versions. Private to the slice.
Snapshot snapshot(db::Read&, const Editable&);  // the present version
void record(db::Write&, StatusId, const Snapshot&);
bool was_edited(db::Read&, StatusId);

}  // namespace statuses
