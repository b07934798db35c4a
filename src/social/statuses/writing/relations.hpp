// SPDX-License-Identifier: AGPL-3.0-or-later
// What writing and editing a status have in common: checks of the text, mentions and tags. Private to the
// slice, except for the last function.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// Throws Invalid: blank although nothing else is shown, or too long.
void check_text(
    const base::Site&, const std::string& text, const std::string& spoiler_text, bool may_be_blank
);

// In the order of the text.
void put_mentions(db::Write&, StatusId, const std::vector<AccountId>&);
// Tags of public statuses count as used.
using NamedTags = std::vector<std::pair<std::string, std::string>>;
void put_tags(db::Write&, StatusId, AccountId author, Visibility, const NamedTags&);
// For a status that has no tags yet.
void put_first_tags(db::Write&, StatusId, AccountId author, Visibility, std::vector<base::TagId>);

// Whether it names others than these now, or stands under other tags.
bool names_others(db::Read&, StatusId, std::vector<AccountId>, const NamedTags&);
// Who is named no longer may still read the status, silently. Answers who is named now and was not before.
std::vector<AccountId> replace_mentions(db::Write&, StatusId, const std::vector<AccountId>&);
void replace_tags(db::Write&, StatusId, AccountId author, Visibility, const NamedTags&);

// Removes deleted statuses from their tags, whose timelines would otherwise scan them forever. Must run after
// the change that deletes them, because streams of a tag are notified of the deletion by the post's tags.
void leave_tags(db::Write&, const std::vector<StatusId>&);

}  // namespace statuses
