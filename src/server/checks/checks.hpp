// SPDX-License-Identifier: AGPL-3.0-or-later
// What is wrong with a configuration that each option by itself does not show. `dunlin config check` tells all of it,
// `dunlin serve` refuses what cannot work and warns of the rest. Each finding names the option, what is wrong with it and
// what to write.
#pragma once
#include "base/fetch.hpp"
#include "config/config_load.hpp"
#include "db/session.hpp"

#include <functional>
#include <stop_token>

namespace server {

Words faults_of_files(const Config&);    // the server cannot work: certificates, keys, folders
Words faults_of_sockets(const Config&);  // of listen, where nobody else opens them for the server
Words doubts(const Config&);             // it can, but not as anybody would want it

// What only the database or the network knows (service_checks.cpp); nothing when it is as it should be.
std::optional<std::string> doubt_about_contact(db::Read&);
// Where the place of another server is taken or was given back, none may start; as a rehearsal, where no copy is whole.
std::optional<std::string> reason_not_to_serve(db::Read&, bool rehearsal);
std::optional<std::string>
doubt_about_domain(const Config&, const std::function<base::Fetched(const base::Fetch&)>&);
std::optional<std::string> doubt_about_mail(const Config&, std::stop_token = {});

struct Found {
    Words faults, doubts;
};
Found ask_database(const Config&);  // nothing where there is none yet
Found ask_replica(const Config&);
Found ask_liveness(const Config&);
Found ask_domain(const Config&);
Found ask_bucket(const Config&);  // bucket.cpp: puts a small object there, reads it and removes it
Found ask_backup_bucket(const Config&);

// All of the above, as `dunlin config check` asks it, a few seconds at most. Offline: neither the database nor the network.
enum class Ask { files, everybody };
Findings check_configuration(const Loaded&, Ask);

// Of "example.org:3000" or "[::1]:3000": without port and brackets.
std::string host_of(const std::string& authority);
// Names that only this machine, this network or a test knows.
bool is_internal(const std::string& host);

}  // namespace server
