// SPDX-License-Identifier: AGPL-3.0-or-later
// What the pages of one's own account (/settings/account) have in common. They need no JavaScript, and what is done here can
// be done nowhere else in a browser, so that no script of the web client reaches it.
#pragma once
#include "base/ask.hpp"
#include "social/oauth/pages/page.hpp"

namespace pages {

inline const std::string hub = "/settings/account";

// Who is here; or the answer instead: to sign in first, to set up the second factor that the role asks for, or that the form
// is not one of ours.
struct Owner {
    std::optional<http::Response> answer;
    oauth::Visitor who;
    accounts::User user;
};
Owner owner(db::Read&, const http::Request&);
Owner owner(db::Read&, const http::Request&, std::string_view authenticity_token);
// For the page of staff's decisions: who was shut out by one is here, too (oauth::Person::shut_out), and nowhere else.
Owner owner_or_shut_out(db::Read&, const http::Request&);
Owner owner_or_shut_out(db::Read&, const http::Request&, std::string_view authenticity_token);
bool knows_password(const base::Ask&, const Owner&, std::string_view given);

// A page of the set. Where a change led back to it, ?done=… says in its own words what was done.
http::Response settings_page(
    db::Read&, const http::Request&, const Owner&, std::string_view name, std::string_view title,
    std::string_view problem = {}, instance::View = {}, bool scripted = false
);
http::Response done(std::string_view path, std::string_view what);

std::string day_of(base::Time);
std::string minute_of(base::Time);

constexpr std::string_view wrong_password = "This is not your password.";

}  // namespace pages
