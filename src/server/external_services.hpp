// SPDX-License-Identifier: AGPL-3.0-or-later
// The table of services that answer what handlers and jobs ask (base/ask.hpp).
#pragma once
#include "base/ask.hpp"
#include "config/config.hpp"
#include "net/client/http_client.hpp"
#include "server/monitoring/mail_figures.hpp"
#include "social/media/store.hpp"

#include <memory>
#include <stop_token>

namespace server {

// `stop`: no service is asked any more. `mail` counts what is sent.
base::ExternalServices external_services(
    const Config&, const media::Store&, std::stop_token stop = {}, std::shared_ptr<MailFigures> mail = {}
);

// The options of every HTTP client that asks other servers.
net::HttpClientOptions client_options(const Config&);

}  // namespace server
