// SPDX-License-Identifier: AGPL-3.0-or-later
// Options that staff can change at runtime (Option::of_site): the configuration takes precedence, then the
// stored value, then the default.
#pragma once
#include "config/config.hpp"
#include "social/instance/site_setting.hpp"

namespace server {

// In the form that the site's pages and commands use.
std::vector<instance::SiteSetting> site_settings_of(const Config&);

// Applies the stored values of options that the configuration leaves open. Ignores values that this version
// does not accept.
Config with_stored(Config, const instance::StoredOptions&);
// The same without a server: reads the configured database, if it responds within seconds.
Config with_stored_there(const Config&);

// Stores the values that rules look up in the database.
void write_down(db::Write&, const Config&);

}  // namespace server
