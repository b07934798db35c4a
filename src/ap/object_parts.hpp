// SPDX-License-Identifier: AGPL-3.0-or-later
// The parts of a post. Only for this folder.
#pragma once
#include "ap/object.hpp"

namespace ap {

// Media and links of a post. Only for this folder.
void read_attachments(Object&, Node);

// ISO 8601 as durations are written there: PT1H2M3.5S, P1DT2H.
std::optional<double> read_duration(std::string_view);

// base83, at most 5 × 5 components, of the length that these take.
bool is_blurhash(std::string_view);

// The poll in a Question. Only for this folder.

// Nothing when there is no option that can be chosen.
std::optional<Poll> read_poll(Node, Time now);

}  // namespace ap
