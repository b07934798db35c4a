// SPDX-License-Identifier: AGPL-3.0-or-later
// What is wrong with a configuration that each option by itself does not show. `dunlin config check` tells all of it,
// `dunlin serve` refuses what cannot work and warns of the rest. Each finding names the option, what is wrong with it and
// what to write.
#pragma once
#include "base/fetch.hpp"
#include "config/config.hpp"
#include "db/session.hpp"

#include <functional>

namespace server {

Words faults_of_files(const Config&);  // the server cannot work: certificates, keys
Words doubts(const Config&);           // it can, but not as anybody would want it

// What only the database or the network knows; nothing when it is as it should be.
std::optional<std::string> doubt_about_contact(db::Read&);
std::optional<std::string>
doubt_about_domain(const Config&, const std::function<base::Fetched(const base::Fetch&)>&);

}  // namespace server
