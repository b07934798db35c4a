// SPDX-License-Identifier: AGPL-3.0-or-later
// Examines a site as a stranger sees it: only by its public address, with the client for other servers. Used
// by doctor on this machine, and by the server on behalf of other sites that want to be examined from
// outside.
#pragma once
#include "net/client/http_client.hpp"
#include "server/doctor/doctor.hpp"
#include "social/insight/outside.hpp"

#include <functional>
#include <map>
#include <mutex>

namespace server {

using AskOthers = std::function<base::Fetched(const base::Fetch&)>;

// `elsewhere`: the examination runs on another machine than the site, so it can test what proxies believe
// about a visitor.
Diagnosis see_as_stranger(const AskOthers&, const std::string& public_url, bool elsewhere);

// Examines sites on request, each only at its own host, one at a time and at most five times a day per site.
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
    // Guarded by looking_:
    std::int64_t day_ = 0;
    std::map<std::string, int> times_;  // today, by origin
};

}  // namespace server
