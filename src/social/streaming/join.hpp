// SPDX-License-Identifier: AGPL-3.0-or-later
// How a request joins the hub of this program: with a question (base/ask.hpp). The function runs again with
// the answer, so that a revocation in the meantime is noticed: by this run if it came before joining, by the
// hub if it came after.
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
