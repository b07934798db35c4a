// SPDX-License-Identifier: AGPL-3.0-or-later
// How lists of servers are shown to the team, and what one would do: the same of a file and of a list that is subscribed to.
#pragma once
#include "social/moderation/server_lists/batch.hpp"
#include "social/moderation/server_lists/preview.hpp"
#include "social/pages/staff/sheet.hpp"

namespace pages {

// Of those that are applied once, and of those that are subscribed to: to the team they are one part.
inline const std::string server_lists_path = address_of(lists_part);
inline const std::string sources_path = desk + "/sources";

std::string_view name_of(instance::Severity);
Row row_of(const moderation::ListBatch&);  // with a button that takes it back
Row row_of(const moderation::PreviewedDomain&);
std::vector<Fact> facts_of(const moderation::ListPreview&);  // in sum
// Two panels: who loses most, and the servers, those that hurt first.
std::vector<Panel> panels_of(moderation::ListPreview);

}  // namespace pages
