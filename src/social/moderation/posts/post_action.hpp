// SPDX-License-Identifier: AGPL-3.0-or-later
// Moderation of reported posts: they are deleted or marked as sensitive, and their author gets the reasons.
// The posts are changed in the background, some at a time.
#pragma once
#include "social/moderation/account_action.hpp"

namespace moderation {

struct PostsAction {
    StrikeAction type = StrikeAction::delete_statuses;  // or mark_statuses_as_sensitive
    std::vector<StatusId> statuses;                     // of the report; empty: all that it names
    std::optional<PresetId> preset;                     // its text precedes the other one
    std::string text;
    bool tell = true;  // the author, unless they were reported as spam
};
bool is_about_posts(StrikeAction);

// Records the strike and resolves the report. Throws NotFound, Forbidden and Invalid (also when nothing is
// left to do) before any change.
StrikeId act_on_posts(db::Write&, const accounts::Actor&, ReportId, const PostsAction&);

// Events: some posts are deleted, or are to be sensitive or no more.
struct PostsToDelete {
    AccountId account;
    std::vector<StatusId> posts;
};
DESCRIBE(PostsToDelete, account, posts)
struct PostsToMark {
    std::vector<StatusId> posts;
    bool sensitive = true;
};
DESCRIBE(PostsToMark, posts, sensitive)

// Reactions
void delete_posts(db::Write&, const PostsToDelete&);
void mark_posts(db::Write&, const PostsToMark&);

}  // namespace moderation
