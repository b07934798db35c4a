// SPDX-License-Identifier: AGPL-3.0-or-later
// What becomes of every picture before anybody hears of it, whoever brought it.
#pragma once
#include "jobs/sessions.hpp"
#include "social/media/store.hpp"

namespace media {

// To be called once, before the store is used.
void watch_pictures(Store&, const jobs::Sessions&);

}  // namespace media
