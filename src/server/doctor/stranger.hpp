// SPDX-License-Identifier: AGPL-3.0-or-later
// What a stranger sees of a site: by its public address alone, through the client that asks other servers. Asked of oneself from
// here, and of this server by others who want to know how they look from elsewhere.
#pragma once
#include "net/client/http_client.hpp"
#include "server/doctor/doctor.hpp"
#include "social/insight/outside.hpp"

#include <functional>
#include <map>
#include <mutex>

namespace server {

using AskOthers = std::function<base::Fetched(const base::Fetch&)>;

// `elsewhere`: this is another machine than the site's, so that what proxies believe of a visitor can be tried.
Diagnosis see_as_stranger(const AskOthers&, const std::string& public_url, bool elsewhere);

// Looks for those who ask, at their own host, one at a time and five times a day each.
class Stranger {
public:
    Stranger(net::HttpClientOptions options, std::stop_token stop) : options_(std::move(options)) {
        options_.stop = std::move(stop);
    }

    insight::OutsideLook look(const std::string& origin, base::Time now);

private:
    bool may_ask(const std::string& origin, base::Time now);

    net::HttpClientOptions options_;
    std::mutex looking_;
    // While it is held:
    std::int64_t day_ = 0;
    std::map<std::string, int> times_;  // of this day, by origin
};

}  // namespace server
