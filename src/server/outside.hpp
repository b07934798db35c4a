// SPDX-License-Identifier: AGPL-3.0-or-later
// Who answers the questions that handlers and jobs ask of the outside world (base/ask.hpp): a table.
#pragma once
#include "base/ask.hpp"
#include "config/config.hpp"
#include "net/client/http_client.hpp"

#include <stop_token>

namespace server {

// `stop`: nobody outside is asked any more.
base::Outside outside(const Config&, std::stop_token stop = {});

// What everybody who asks other servers keeps to.
net::HttpClientOptions client_options(const Config&);

}  // namespace server
