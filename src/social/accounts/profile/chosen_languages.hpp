// SPDX-License-Identifier: AGPL-3.0-or-later
// The languages that a user wants to see public statuses in.
#pragma once
#include "db/session.hpp"

namespace accounts {

std::vector<std::string> chosen_languages(db::Read&, base::UserId);  // codes; empty: all

}  // namespace accounts
