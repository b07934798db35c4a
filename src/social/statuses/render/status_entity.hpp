// SPDX-License-Identifier: AGPL-3.0-or-later
// The Status entity. One entrance: facts of any number of statuses become JSON, one status being a list of one.
// What is the same for everybody is rendered once per (id, version) and kept; the account and the viewer's own
// marks are spliced in. The number of queries does not depend on the number of statuses.
#pragma once
#include "social/statuses/core/visibility.hpp"

#include <span>
#include <string>

namespace statuses {

// JSON array of Status, in the order given; the caller has decided visibility.
std::string json_list(db::Read&, const Audience&, std::span<const Facts>);
// JSON of each, in the order given, for entities that hold a status among other things.
std::vector<std::string> json_each(db::Read&, const Audience&, std::span<const Facts>);
std::string json(db::Read&, const Audience&, const Facts&);

// What it quotes: a Quote; nothing when it quotes nothing.
std::optional<std::string> quote_json(db::Read&, const Audience&, const Facts&);

// For delete and redraft: `text` with the source instead of `content`.
std::string json_with_source(db::Read&, const Audience&, const Facts&);

}  // namespace statuses
