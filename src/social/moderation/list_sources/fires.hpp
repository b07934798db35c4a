// SPDX-License-Identifier: AGPL-3.0-or-later
// FIRES, a protocol for moderation advice (https://fires.fedimod.org): a dataset is read once as a snapshot,
// then by its changes. Only parses; list_sources/source_jobs.cpp fetches. Accepts the property names of all
// versions of the reference server.
#pragma once
#include "social/moderation/list_sources/advice.hpp"

#include <stdexcept>

namespace moderation {

constexpr std::string_view fires_types = "application/ld+json, application/json";

// What is wrong with a response, as a sentence for staff.
struct Unreadable : std::runtime_error {
    using runtime_error::runtime_error;
};

// The metadata of a dataset.
struct FiresDataset {
    std::string snapshot, changes;  // addresses
};
FiresDataset read_fires_dataset(std::string_view);  // throws Unreadable

struct FiresChange {
    bool withdraws = false;  // a retraction or a tombstone
    Advice advice;           // for a tombstone possibly only `change`
};

struct FiresPage {
    std::vector<FiresChange> changes;  // in order: later ones override
    std::string first, next;           // addresses; empty if there is no next page
    std::string goes_on;               // of a snapshot: the address of the changes since then
    std::int64_t refused = 0;          // of unknown kinds, or with invalid names
};
// `own`: this server's domain, entries about which are ignored. Throws Unreadable.
FiresPage read_fires_page(std::string_view, std::string_view own);

void apply_changes(Copy&, const std::vector<FiresChange>&);  // throws Unreadable: they are too many

}  // namespace moderation
