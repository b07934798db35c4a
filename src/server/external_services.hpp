// SPDX-License-Identifier: AGPL-3.0-or-later
// The external services that answer questions of handlers and jobs (base/ask.hpp).
#pragma once
#include "base/ask.hpp"
#include "config/config.hpp"
#include "net/client/http_client.hpp"
#include "server/monitoring/mail_figures.hpp"
#include "social/media/store.hpp"

#include <memory>
#include <stop_token>

namespace server {

// `stop`: no service is used any more. `mail` counts sent mails.
base::ExternalServices external_services(
    const Config&, const media::Store&, std::stop_token stop = {}, std::shared_ptr<MailFigures> mail = {}
);

// The options of all HTTP clients for other servers.
net::HttpClientOptions client_options(const Config&);

}  // namespace server
