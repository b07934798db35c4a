// SPDX-License-Identifier: AGPL-3.0-or-later
// How a request gets a place in the hub of this program: by asking for it (base/ask.hpp). A function that asks runs once
// more with the answer, so that what was revoked meanwhile is noticed: by this run if it came before the place was there,
// and by the hub if it came after.
#pragma once
#include "social/streaming/hub.hpp"

namespace base {
class ExternalServices;
}

namespace streaming {

struct Join {
    using Answer = std::shared_ptr<Listener>;

    base::AccountId account;
    base::UserId user;
    base::TokenId token;
    base::AppId app;
    std::int64_t permissions = 0;
    std::string scopes;
    bool websocket = false;
};
DESCRIBE(Join, account, user, token, app, permissions, scopes, websocket)

void answer_joining(base::ExternalServices&, std::shared_ptr<Hub>);

}  // namespace streaming
