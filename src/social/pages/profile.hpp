// SPDX-License-Identifier: AGPL-3.0-or-later
// What all pages of a profile have in common: whose it is, the head of the page, and how people are listed.
#pragma once
#include "http/message.hpp"
#include "social/accounts/account.hpp"
#include "social/instance/html.hpp"

namespace pages {

// The account at /@name; as anywhere, 403 when it is suspended and 410 when it is deleted. With a domain in the name it
// throws the way to /@name@domain, which knows what to do.
accounts::Account account_of(db::Read&, const std::string& username);

// Who or what is at home on another server, which signed-out people are shown the way to.
http::Response elsewhere(db::Read&, const http::Request&, const accounts::Account&, const std::string& url);

// What the template "profile" shows of the account itself.
instance::View profile_view(db::Read&, const accounts::Account&);
http::Response profile_page(db::Read&, const http::Request&, const accounts::Account&, instance::View);

// The name, with its custom emojis.
std::string name_html(db::Read&, const accounts::Account&);

// Adds a PERSON for each, for web/templates/parts/people.html: in the order given, without those of whom nobody is to know. False:
// there is none.
bool add_people(db::Read&, instance::View&, const std::vector<base::AccountId>&);

}  // namespace pages
