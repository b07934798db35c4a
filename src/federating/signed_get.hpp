// SPDX-License-Identifier: AGPL-3.0-or-later
// GETs of other servers, signed at every hop for the address that is asked (federation::Get).
#pragma once
#include "jobs/sessions.hpp"
#include "social/federation/fetch/fetch.hpp"

namespace server {

class SignedGet {
public:
    explicit SignedGet(jobs::Sessions sessions) : sessions_(std::move(sessions)) {}

    base::Fetched operator()(const federation::Get&) const;

private:
    base::Fetched get(const federation::Get&, const std::string& url) const;

    jobs::Sessions sessions_;
};

}  // namespace server
