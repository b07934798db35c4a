// SPDX-License-Identifier: AGPL-3.0-or-later
// GET requests to other servers (federation::Get), signed again at every redirect for the new URL.
#pragma once
#include "jobs/sessions.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace server {

class SignedFetcher {
public:
    explicit SignedFetcher(jobs::Sessions sessions) : sessions_(std::move(sessions)) {}

    base::Fetched operator()(const federation::Get&) const;

private:
    base::Fetched get(const federation::Get&, const std::string& url, int seconds) const;

    jobs::Sessions sessions_;
};

}  // namespace server
