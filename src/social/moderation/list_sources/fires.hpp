// SPDX-License-Identifier: AGPL-3.0-or-later
// FIRES, a protocol for moderation advice (https://fires.fedimod.org): a dataset is read once as a snapshot, from then on by what has
// changed. Only translates; who asks and when is list_sources/source_jobs.cpp. Names are read as all versions of the reference server wrote
// them.
#pragma once
#include "social/moderation/list_sources/advice.hpp"

#include <stdexcept>

namespace moderation {

constexpr std::string_view fires_types = "application/ld+json, application/json";

// What is wrong with an answer, as a sentence for staff.
struct Unreadable : std::runtime_error {
    using runtime_error::runtime_error;
};

// What a dataset says of itself.
struct FiresDataset {
    std::string snapshot, changes;  // addresses
};
FiresDataset read_fires_dataset(std::string_view);  // throws Unreadable

struct FiresChange {
    bool withdraws = false;  // a retraction or a tombstone
    Advice advice;           // of a tombstone nothing but `change`, perhaps
};

struct FiresPage {
    std::vector<FiresChange> changes;  // as they come: the later one counts
    std::string first, next;           // addresses; of a page that has no next one, empty
    std::string goes_on;               // of a snapshot: where what changes from then on is read
    std::int64_t refused = 0;          // of kinds that are not known, or about no valid name
};
// `own`: this server's domain, of which nothing is heard. Throws Unreadable.
FiresPage read_fires_page(std::string_view, std::string_view own);

void apply_changes(Copy&, const std::vector<FiresChange>&);  // throws Unreadable: they are too many

}  // namespace moderation
