// SPDX-License-Identifier: AGPL-3.0-or-later
// What the pages about subscribed lists are made of (source_pages.cpp).
#pragma once
#include "social/moderation/list_sources/accepted.hpp"
#include "social/moderation/list_sources/group.hpp"
#include "social/moderation/list_sources/standing.hpp"
#include "social/pages/staff/list_rows.hpp"

namespace pages {

using moderation::ListSource, moderation::ListSourceId;

constexpr std::size_t decided_at_once = 50;  // as many boxes a form has

std::string path_of(ListSourceId);

struct SourceGiven {
    std::string name, url, authenticity_token;
    moderation::SourceKind kind = moderation::SourceKind::fires;
    moderation::SourceRole role = moderation::SourceRole::block;
    moderation::SourceMode mode = moderation::SourceMode::suggest;
    moderation::Ceiling ceiling = moderation::Ceiling::suspend;
    moderation::Retractions retractions = moderation::Retractions::ask;
    std::int64_t agree = 2;
    std::vector<ListSourceId> members;
    std::int64_t priority = 0;
    bool seen = false;  // what the priority would change
};
DESCRIBE(
    SourceGiven, name, url, authenticity_token, kind, role, mode, ceiling, retractions, agree, members,
    priority, seen
)

SourceGiven given_of(db::Read&, const ListSource&);
moderation::SourceForm form_of(const SourceGiven&);

Form subscribing(const SourceGiven&);
Form grouping(db::Read&, const SourceGiven&);
Form button(
    const std::string& action, std::string_view name, std::vector<Hidden> = {},
    std::string_view look = "quiet"
);
Row source_row(db::Read&, const moderation::RulesNow&, const ListSource&);  // among all of them

// Panels of the page of one
Panel state_panel(db::Read&, const ListSource&);
Panel suggestions(const ListSource&, moderation::ListPreview, const moderation::AcceptedDomains&);
Panel taken_back(const ListSource&, const moderation::Standing&);
Panel others(db::Read&, const ListSource&);  // accounts and mail providers
Panel brought(db::Read&, const ListSource&);
Panel change_panel(db::Read&, const ListSource&, const SourceGiven&);
// The same form, to be sent once more by whoever has seen what it would change.
Form confirming(const ListSource&, const SourceGiven&);

}  // namespace pages
