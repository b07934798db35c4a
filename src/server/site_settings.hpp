// SPDX-License-Identifier: AGPL-3.0-or-later
// Options that the team changes while the server runs (Option::of_site): what stands in the configuration wins, what is stored comes
// next, then the default.
#pragma once
#include "config/config.hpp"
#include "social/instance/site_setting.hpp"

namespace server {

// As the pages and commands of the site know them.
std::vector<instance::SiteSetting> site_settings_of(const Config&);

// With what is stored of those that the configuration leaves open. What a newer version stored and this one does not take is left out.
Config with_stored(Config, const instance::StoredOptions&);
// The same beside the server: of the database that the configuration names, where it answers within seconds.
Config with_stored_there(const Config&);

// What rules look for in the database.
void write_down(db::Write&, const Config&);

}  // namespace server
