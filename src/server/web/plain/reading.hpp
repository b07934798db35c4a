// SPDX-License-Identifier: AGPL-3.0-or-later
// Pages for who is signed in and has no JavaScript: what the web client shows, at its addresses, to whoever chose them
// (oauth/browser_choices.hpp). What they show comes from the API, and so does what their forms do (own_api.hpp): no rule is here.
#pragma once
#include "base/json_read.hpp"
#include "server/web/client.hpp"
#include "server/web/own_api.hpp"
#include "social/oauth/pages/page.hpp"
#include "social/pages/shown.hpp"

namespace server::plain {

// Who reads, and what their pages are made from.
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
    std::string query(std::string_view name) const;  // empty when it is not given
};
// Nothing for who is not signed in by this browser, or may not be here now.
std::optional<Reading> reading(db::Read&, const base::Ask&, const http::Request&);

struct Words {
    std::string_view name;  // of the template
    std::string title;
    std::string_view here = {};  // the part of the navigation that it is
    bool said = true;            // the title is a sentence of ours
    std::string html = {};       // of a title that is somebody's name
};
http::Response page(
    const base::Site&, const oauth::Visitor&, const Words&, instance::View, std::string_view problem = {}
);

// "/@alice/123", "/@carol@far.example/123": the address here.
std::string address_of(const pages::ShownAuthor&);
std::string address_of(const pages::Shown&);

// A POST for each, boosts as what they boost; those left out that a filter hides. `parent` is the View that gets them.
void add_posts(const Reading&, instance::View& parent, std::string_view json);
// One, with what can be done to it here. `anchor`: unique on its page; empty: that of its id.
instance::View& add_post(
    const Reading&, instance::View& parent, const pages::Shown&, const std::string& anchor = {},
    std::size_t depth = 0, bool chosen = false
);
// A button: what it does, or undoes where that is done. `acts` is the View of its form.
void add_act(
    instance::View& acts, bool done, std::string_view word, std::string_view name, std::string_view undo
);
// The page after this one, as the answer's Link has it.
void add_older(instance::View&, const Reading&, const http::Response&);

// ---- the pages ----

http::Response home(const Reading&);
http::Response notifications(const Reading&);
http::Response thread(const Reading&, const std::string& status);
http::Response profile(const Reading&, const std::string& acct, std::string_view part);
http::Response compose(const Reading&);

// What this address shows instead of the client; nothing where only the client or a page for everybody does.
std::optional<http::Response> face(const http::Call&, const Client::Match&);

}  // namespace server::plain
