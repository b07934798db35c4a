// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/accounts/users/setup.hpp"
#include "social/instance/settings.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

http::Response root(db::Read& db, const http::Request& request) {
    const auto& site = db.site();
    if (accounts::setup_open(db)) return redirect("/setup");
    instance::View view;
    view.set("DESCRIPTION", site.description);
    view.add(site.registrations_open ? "OPEN" : "CLOSED");
    Page page{"root", "Welcome"};
    page.listed = instance::setting(db, "noindex") != "true";
    page.alone = true;
    return show(site, visitor(db, request), page, std::move(view));
}

constexpr http::Route table[] = {http::get<root>("/")};

}  // namespace

std::span<const http::Route> root_pages() { return table; }

}  // namespace oauth
