// SPDX-License-Identifier: AGPL-3.0-or-later
// Answers for people: HTML with the headers that keep it harmless. Only where passkeys are made and shown is there a script.
#pragma once
#include "social/instance/html.hpp"
#include "social/oauth/pages/visitor.hpp"

namespace oauth {

struct Page {
    std::string_view name;  // of the template
    std::string_view title;
    int status = 200;
    bool leads_away = false;  // submitting a form of the page may end at an app or another server
    bool listed = false;      // by search engines
    bool alone =
        false;  // who opened it in a window of theirs learns nothing of where it goes, as of the client
    bool scripted = false;  // /static/passkey.js works on it, the one script beside the web client
};

// The view also gets CSRF, for the hidden field of every form, and what the layout shows.
http::Response show(const base::Site&, const Visitor&, const Page&, instance::View = {});
// Sentences of our own only: nothing from the request. They are said in the language.
http::Response error_page(
    const base::Site&, std::string_view language, int status, std::string_view sentence
);
// The form did not come from a page of ours, or the page was too old.
http::Response stale_form(const base::Site&, const Visitor&);
http::Response redirect(std::string to);

// A place on this server to go on to after signing in; "/" for everything else, so that nobody is led away.
std::string safe_return(std::string_view to);
// Who comes back there from signing in may have allowed the app before, and then the form ends at the app.
bool leads_to_app(std::string_view return_to);

}  // namespace oauth
