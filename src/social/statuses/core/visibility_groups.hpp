// SPDX-License-Identifier: AGPL-3.0-or-later
// The groups of visibilities that rules ask for, in C++ and in SQL.
#pragma once
#include "social/statuses/core/status.hpp"

namespace statuses {

// For everybody to read. Only such answers and quotes are counted, since the numbers are shown to everybody.
constexpr bool open(Visibility v) { return v == Visibility::public_ || v == Visibility::unlisted; }
#define OPEN_VISIBILITIES "('public', 'unlisted')"

// One of the statuses that a profile counts.
constexpr bool counted(Visibility v) { return v != Visibility::direct && v != Visibility::limited; }

}  // namespace statuses
