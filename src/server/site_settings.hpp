// SPDX-License-Identifier: AGPL-3.0-or-later
// Options that staff can change at runtime (Option::of_site): the configuration takes precedence, then the
// stored value, then the default.
#pragma once
#include "config/config.hpp"
#include "social/instance/site_setting.hpp"

#include <optional>
#include <string>

namespace server {

// In the form that the site's pages and commands use.
std::vector<instance::SiteSetting> site_settings_of(const Config&);

// Applies the stored values of options that the configuration leaves open. Ignores values that this version
// does not accept.
Config with_stored(Config, const instance::StoredOptions&);
// The same without a server, with the address it was last started with: reads the configured database, if it responds
// within seconds.
Config with_stored_there(const Config&);

// The address that the server was last started with. Commands and doctor use it where none is configured, because the
// server may have got it by a flag that they do not get.
struct ServedAs {
    std::string public_url, domain;
};
void note_served_as(db::Write&, const Config&);
std::optional<ServedAs> served_as(db::Read&);  // nullopt: it was never started
Config with_served(Config, const std::optional<ServedAs>&);
// Where the configuration says something else; sentences that begin with the option.
Words doubts_about_served(const Config&, const std::optional<ServedAs>&);

// Stores the values that rules look up in the database.
void write_down(db::Write&, const Config&);

}  // namespace server
