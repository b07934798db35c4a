// SPDX-License-Identifier: AGPL-3.0-or-later
// Changing a status after it was published, and what it said before.
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

// Own and no boost, or throws NoSuchStatus.
Editable editable(db::Read&, AccountId me, StatusId);

// All that the status shall be; only the language and the policies stay where nothing is said of them.
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

// Nothing is recorded when nothing changes. Throws NoSuchStatus and Invalid (blank, too long, media).
void edit(db::Write&, const Edit&);

// By the team; whoever wrote it. One of this site is edited by that. False: it is so already, is gone, or shows neither media nor a
// preview.
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

// Oldest first, the present one last; one that was never edited has one.
std::vector<Snapshot> history(db::Read&, StatusId);

// Who boosted the status, by id; those behind `after`.
std::vector<AccountId> rebloggers(db::Read&, StatusId, AccountId after, int limit);

// Keeping what a status said. Private to the slice.
Snapshot snapshot(db::Read&, const Editable&);  // what it says now
void record(db::Write&, StatusId, const Snapshot&);
bool was_edited(db::Read&, StatusId);

}  // namespace statuses
