// SPDX-License-Identifier: AGPL-3.0-or-later
// Checks of a configuration that involve more than single options. `dunlin config check` reports everything;
// `dunlin serve` refuses what cannot work and warns about the rest. Each finding names the option, the
// problem and the remedy.
#pragma once
#include "base/fetch.hpp"
#include "config/config_load.hpp"
#include "db/session.hpp"

#include <functional>
#include <stop_token>

namespace server {

Words faults_of_files(const Config&);    // the server cannot run: certificates, keys, folders
Words faults_of_sockets(const Config&);  // in listen, unless another process opens the sockets
Words doubts(const Config&);             // the server can run, but probably not as intended

// Checks that need the database or the network (service_checks.cpp); nullopt if there is no problem.
std::optional<std::string> doubt_about_contact(db::Read&);
// Why no server may start: a restore is unfinished, or another server is being replaced or that was undone. A
// rehearsal is refused if there is no copy to rehearse. nullopt: it may.
// there is no complete copy.
std::optional<std::string> reason_not_to_serve(db::Read&, bool rehearsal);
std::optional<std::string>
doubt_about_domain(const Config&, const std::function<base::Fetched(const base::Fetch&)>&);
std::optional<std::string> doubt_about_mail(const Config&, std::stop_token = {});

struct Found {
    Words faults, doubts;
};
Found ask_database(const Config&);  // empty if there is no database yet
Found ask_replica(const Config&);
Found ask_liveness(const Config&);
Found ask_domain(const Config&);
Found ask_bucket(const Config&);  // bucket.cpp: writes, reads and removes a small object
Found ask_backup_bucket(const Config&);

// All of the above, as used by `dunlin config check`; takes a few seconds at most. `files`: without database
// and network.
enum class Ask { files, everybody };
Findings check_configuration(const Loaded&, Ask);

// "example.org:3000" or "[::1]:3000" without port and brackets.
std::string host_of(const std::string& authority);
// Names known only to this machine, this network or a test.
bool is_internal(const std::string& host);

}  // namespace server
