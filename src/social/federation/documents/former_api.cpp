// SPDX-License-Identifier: AGPL-3.0-or-later
// Addresses of the previous server on this domain that are not ours: each is served by the route for our own
// address. Addresses of HTML pages are redirected permanently.
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/federation/documents/answer_api.hpp"
#include "social/former/former.hpp"

#include <algorithm>

namespace federation {

std::span<const http::Route> actor_routes();
std::span<const http::Route> object_routes();
std::span<const http::Route> former_inbox_routes();

namespace {

using base::uris::Kind;

constexpr std::pair<Kind, std::string_view> answered_as[] = {
    {Kind::actor, "/ap/users/:account"},
    {Kind::key, "/ap/users/:account"},
    {Kind::outbox, "/ap/users/:account/outbox"},
    {Kind::followers, "/ap/users/:account/followers"},
    {Kind::following, "/ap/users/:account/following"},
    {Kind::followers_synchronization, "/ap/users/:account/followers_synchronization"},
    {Kind::featured, "/ap/users/:account/collections/featured"},
    {Kind::featured_tags, "/ap/users/:account/collections/tags"},
    {Kind::status, "/ap/users/:account/statuses/:status"},
    {Kind::activity, "/ap/users/:account/statuses/:status/activity"},
    {Kind::replies, "/ap/users/:account/statuses/:status/replies"},
    {Kind::likes, "/ap/users/:account/statuses/:status/likes"},
    {Kind::shares, "/ap/users/:account/statuses/:status/shares"},
    {Kind::quote_authorization, "/ap/users/:account/quote_authorizations/:quote"},
};

const http::Route* route_of(Kind kind) {
    auto found = std::ranges::find(answered_as, kind, &std::pair<Kind, std::string_view>::first);
    if (found == std::end(answered_as)) return nullptr;
    for (auto table : {actor_routes(), object_routes()})
        for (const auto& route : table)
            if (route.path == found->second) return &route;
    return nullptr;
}

http::Response moved_to(std::string address) {
    auto response = page_at(std::move(address), 301);
    response.headers.emplace_back("Access-Control-Allow-Origin", "*");
    return response;
}

// Folders of media files on other servers; the files are stored here below former/ with the same path.
constexpr std::string_view folders[] = {"/system/", "/fileserver/", "/emoji/", "/assets/"};

// Pleroma serves profile pages at /username.
std::optional<accounts::Account> named_alone(db::Read& db, std::string_view path) {
    auto name = path.substr(std::min<std::size_t>(path.size(), 1));
    if (name.empty() || name.find_first_of("/@.") != name.npos) return std::nullopt;
    auto account = accounts::find_by_acct(db, name);
    return account && account->local() ? account : std::nullopt;
}

http::Response former_address(const http::Call& call) {
    auto& db = *call.read;
    const auto& request = *call.request;
    auto path = std::string(request.path());
    if (path.ends_with('/')) path.pop_back();
    if (path.starts_with("/%40")) path.replace(1, 3, "@");
    if (auto what = former::ours(db, db.site().public_url + path))
        if (const auto* route = route_of(what->kind)) {
            auto response = route->show(call);
            if (response.status == 302 && !wants_activity(request)) response.status = 301;
            return response;
        }
    if (auto there = former::target_of(db, http::percent_decoded(path)))
        return moved_to(there->kind == "file" ? db.site().media(there->target) : there->target);
    for (auto folder : folders)
        if (path.starts_with(folder)) return moved_to(db.site().media("former" + path));
    if (auto account = named_alone(db, path)) return moved_to(accounts::url_of(db.site(), *account));
    throw base::NotFound();
}

constexpr http::Route anything() {
    http::Route route{};
    route.method = http::Method::get;
    route.path = "/*";
    route.show = &former_address;
    return route;
}

}  // namespace

std::vector<std::span<const http::Route>> former_routes() {
    static constexpr http::Route table[] = {anything()};
    return {table, former_inbox_routes()};
}

}  // namespace federation
