// SPDX-License-Identifier: AGPL-3.0-or-later
// What a public page tells programs about itself: whether search engines may list it, and by OpenGraph what links to it
// should look like elsewhere. Only of what everybody may see.
#pragma once
#include "social/accounts/account.hpp"
#include "social/instance/html.hpp"
#include "social/pages/shown.hpp"

#include <string>
#include <vector>

namespace pages {

struct OpenGraph {
    std::string type;  // "profile", "article"
    std::string title, url, text;
    struct Picture {
        std::string url, description;
    };
    std::vector<Picture> pictures;  // large ones; where there is none, the author's
    Picture author_picture;
    std::string author;     // alice@example.org
    std::string published;  // of an article
};

// What pages by the account have in common.
OpenGraph graph_of(const base::Site&, const accounts::Account&);
// A warning hides what it warns of here, too.
OpenGraph graph_of(const base::Site&, const accounts::Account&, const Shown&);

std::string name_of(const accounts::Account&);
std::string title_of(const base::Site&, const accounts::Account&);  // Alice (@alice@example.org)
std::string avatar_of(const base::Site&, const accounts::Account&);

void add_open_graph(instance::View&, const base::Site&, const OpenGraph&);

// Search engines are asked to leave a page out unless its author may be found by search, and the whole site when the
// setting `noindex` is "true".
void add_indexing(db::Read&, instance::View&, const accounts::Account& author);

// The beginning of a text as one line.
std::string one_line(std::string_view text);

}  // namespace pages
