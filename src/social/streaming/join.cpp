// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/streaming/join.hpp"

#include "base/ask.hpp"

namespace streaming {

void answer_joining(base::ExternalServices& services, std::shared_ptr<Hub> hub) {
    services.answers<Join>([hub = std::move(hub)](const Join& asked) {
        Subscriber who;
        who.viewer.account = asked.account;
        who.viewer.user = asked.user;
        who.viewer.token = asked.token;
        who.viewer.app = asked.app;
        who.viewer.permissions = asked.permissions;
        who.scopes = http::parse_scopes(asked.scopes).value_or(http::Scopes());
        return hub->join(std::move(who), asked.websocket);
    });
}

}  // namespace streaming
