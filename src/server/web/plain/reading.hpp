// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages for signed-in users without JavaScript: the same content as the web client, at the same URLs, for
// those who chose them (oauth/browser_choices.hpp). They get their data from the API and submit forms to it
// (own_api.hpp), and contain no rules.
#pragma once
#include "base/json_read.hpp"
#include "server/web/client.hpp"
#include "server/web/own_api.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/pages/shown.hpp"

namespace server::plain {

// The reader, and what is needed to build their pages.
struct Reading {
    db::Read& db;
    const base::Ask& ask;
    const http::Request& request;
    oauth::Visitor who;
    oauth::Known known;

    const base::Site& site() const { return db.site(); }
    std::string me() const { return std::to_string(known.viewer->account.value); }
    http::Response answer(const std::string& target) const { return own_answer(db, ask, known, target); }
    template <class T>
    T get(const std::string& target) const {
        return base::json::read<T>(answer(target).body);
    }
    std::string query(std::string_view name) const;  // empty if absent
};
// nullopt if this browser is not signed in, or the user may not use the site now.
std::optional<Reading> reading(db::Read&, const base::Ask&, const http::Request&);

struct Words {
    std::string_view name;  // of the template
    std::string title;
    std::string_view here = {};  // the navigation item it belongs to
    bool said = true;            // the title is a text to translate
    std::string html = {};       // for a title that is a person's name
};
http::Response page(
    const base::Site&, const oauth::Visitor&, const Words&, instance::View, std::string_view problem = {}
);

// "/@alice/123", "/@carol@far.example/123": the local URL.
std::string address_of(const pages::ShownAuthor&);
std::string address_of(const pages::Shown&);

// Adds each post, and boosts as the boosted post; omits those that a filter hides. `parent` is the View they
// are added to.
void add_posts(const Reading&, instance::View& parent, std::string_view json);
// Adds one post with its possible actions. `anchor`: unique on the page; empty: derived from its id.
instance::View& add_post(
    const Reading&, instance::View& parent, const pages::Shown&, const std::string& anchor = {},
    std::size_t depth = 0, bool chosen = false
);
// Adds a button that does something, or undoes it if it is done. `acts` is the View of its form.
void add_act(
    instance::View& acts, bool done, std::string_view word, std::string_view name, std::string_view undo
);
// A link to the next page, from the response's Link header.
void add_older(instance::View&, const Reading&, const http::Response&);

// ---- the pages ----

http::Response home(const Reading&);
http::Response notifications(const Reading&);
http::Response thread(const Reading&, const std::string& status);
http::Response profile(const Reading&, const std::string& acct, std::string_view part);
http::Response compose(const Reading&);

// The page for this URL instead of the client's; nullopt if only the client or a public page exists.
std::optional<http::Response> face(const http::Call&, const Client::Match&);

}  // namespace server::plain
