// SPDX-License-Identifier: AGPL-3.0-or-later
// What writing and editing a status share: the rule of its text, whom it names and its tags. Private to the slice, but for the last.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// Throws Invalid: blank with nothing else to show, or too long.
void check_text(
    const base::Site&, const std::string& text, const std::string& spoiler_text, bool may_be_blank
);

// In the order of the text.
void put_mentions(db::Write&, StatusId, const std::vector<AccountId>&);
// Tags of public statuses are noted as used.
using NamedTags = std::vector<std::pair<std::string, std::string>>;
void put_tags(db::Write&, StatusId, AccountId author, Visibility, const NamedTags&);
// Of a status that has none yet.
void put_first_tags(db::Write&, StatusId, AccountId author, Visibility, std::vector<base::TagId>);

// Whether it names others than these now, or stands under other tags.
bool names_others(db::Read&, StatusId, std::vector<AccountId>, const NamedTags&);
// Who is named no longer may still read the status, silently. Answers who is named now and was not before.
std::vector<AccountId> replace_mentions(db::Write&, StatusId, const std::vector<AccountId>&);
void replace_tags(db::Write&, StatusId, AccountId author, Visibility, const NamedTags&);

// Those of them that are deleted stand under no tag any more: its timeline would go through them for ever. Not in the change that
// deletes: who listens to a tag is told by what the post stood under.
void leave_tags(db::Write&, const std::vector<StatusId>&);

}  // namespace statuses
