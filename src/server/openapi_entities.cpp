// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/openapi.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/emojis/emoji.hpp"
#include "social/statuses/status_piece.hpp"

namespace server {

namespace {

struct Error {
    std::string error;
    base::json::Omit<std::string> error_description;
    base::json::Omit<base::json::Raw> details;
};
DESCRIBE(Error, error, error_description, details)

}  // namespace

void add_entities(base::json::Components& all) {
    base::json::component<Error>(all);
    base::json::component<emojis::CustomEmoji>(all);
    accounts::describe(all);
    statuses::describe(all);
}

}  // namespace server
