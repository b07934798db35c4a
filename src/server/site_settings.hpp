// SPDX-License-Identifier: AGPL-3.0-or-later
// Options that the team changes while the server runs (Option::of_site): what stands in the configuration wins, what is stored comes
// next, then the default.
#pragma once
#include "config/config.hpp"
#include "social/instance/site_setting.hpp"

#include <optional>
#include <string>

namespace server {

// As the pages and commands of the site know them.
std::vector<instance::SiteSetting> site_settings_of(const Config&);

// With what is stored of those that the configuration leaves open. What a newer version stored and this one does not take is left out.
Config with_stored(Config, const instance::StoredOptions&);
// With that and what the server was started as, of the database that the configuration names, where it answers within seconds.
Config with_stored_there(const Config&);

// What the server was started as last. Commands and doctor do as it does where nobody tells them, for it may have been told
// by a flag that they are not given.
struct ServedAs {
    std::string public_url, domain;
};
void note_served_as(db::Write&, const Config&);
std::optional<ServedAs> served_as(db::Read&);  // nothing: it never was
Config with_served(Config, const std::optional<ServedAs>&);
// What is told, and otherwise than it was started; sentences that begin with the option.
Words doubts_about_served(const Config&, const std::optional<ServedAs>&);

// What rules look for in the database.
void write_down(db::Write&, const Config&);

}  // namespace server
