// SPDX-License-Identifier: AGPL-3.0-or-later
// The PreviewCard entity. All of it except the author's account and the viewer's own state is the same for
// every viewer and is cached with the status that shows it.
#pragma once
#include "base/schema.hpp"
#include "social/accounts/account_entity.hpp"
#include "social/statuses/previews/preview.hpp"

namespace statuses {

struct RenderedCard {
    std::string members;  // of the JSON object, without braces
    std::string author;   // members of the author object, without its account; empty: none
    AccountId verified, claimed;
};

// `url` is the link as the status has it.
RenderedCard rendered_card(const base::Site&, const Card&, const std::string& url);

// The accounts of verified authors; no query if there are none.
accounts::RenderedAccounts card_accounts(db::Read&, const std::vector<AccountId>& verified);

// Members without braces. `viewer` 0: nobody.
void append_card(std::string& out, const RenderedCard&, const accounts::RenderedAccounts&, AccountId viewer);

// For lists of links: members without braces, in the order given.
std::vector<std::string> card_members(db::Read&, const std::vector<Card>&, AccountId viewer);

void describe_card(base::json::Components&);  // for OpenAPI

}  // namespace statuses
