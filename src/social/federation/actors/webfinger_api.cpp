// SPDX-License-Identifier: AGPL-3.0-or-later
// WebFinger (RFC 7033) and host-meta (RFC 6415). Handles use the site's domain, everything else its address;
// the two may differ.
#include "base/text/utf8.hpp"
#include "base/uris.hpp"
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/federation/actors/actor.hpp"
#include "social/former/former.hpp"

#include <algorithm>
#include <charconv>

namespace federation {
namespace {

namespace uris = base::uris;
using base::json::Omit;
using base::text::ascii_lowered;

struct Link {
    std::string rel;
    Omit<std::string> type, href, template_;
};
DESCRIBE(Link, rel, type, href, template_)

struct Jrd {
    std::string subject;
    std::vector<std::string> aliases;
    std::vector<Link> links;
};
DESCRIBE(Jrd, subject, aliases, links)

struct Links {
    std::vector<Link> links;
};
DESCRIBE(Links, links)

struct Resource {
    std::string resource;
    std::vector<std::string> rel;
};
DESCRIBE(Resource, resource, rel)

std::string_view host(const base::Site& site) {
    std::string_view url = site.public_url;
    return url.substr(url.find("://") + 3);
}

// The account with this handle or address; empty: the server itself.
std::optional<accounts::Account> account_at(db::Read& db, std::string_view url) {
    const auto& site = db.site();
    if (!uris::is_ours(site, url)) throw base::NotFound();
    if (url.size() <= site.public_url.size() + 1) return std::nullopt;
    auto found = former::ours(db, url);
    if (!found || found->kind != uris::Kind::actor) throw base::NotFound();
    if (found->username.empty() && found->account == uris::server_actor) return std::nullopt;
    auto account = found->username.empty() ? accounts::find_account(db, found->account)
                                           : accounts::find_by_acct(db, found->username);
    if (!account) throw base::NotFound();
    return account;
}

std::optional<accounts::Account> of_number(db::Read& db, std::string_view text) {
    std::int64_t number = 0;
    auto end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number <= 0) return std::nullopt;
    return accounts::find_account(db, base::AccountId{number});
}

std::optional<accounts::Account> account_of(db::Read& db, std::string_view handle) {
    if (handle.starts_with('@')) handle.remove_prefix(1);
    auto at = handle.rfind('@');
    if (at == handle.npos || at == 0) throw base::BadRequest("The resource is no address and no handle");
    const auto& site = db.site();
    auto domain = ascii_lowered(handle.substr(at + 1));
    if (domain != ascii_lowered(site.domain) && domain != ascii_lowered(host(site))) throw base::NotFound();
    auto name = ascii_lowered(handle.substr(0, at));
    if (name == ascii_lowered(server_name(site)) || name == ascii_lowered(site.domain)) return std::nullopt;
    if (name.find('@') != name.npos) throw base::NotFound();
    auto account = accounts::find_by_acct(db, name);
    // Epicyon takes the last segment of an actor's id for the username.
    if (!account) account = of_number(db, name);
    if (!account) throw base::NotFound();
    return account;
}

std::optional<accounts::Account> named(db::Read& db, std::string_view resource) {
    if (resource.empty()) throw base::BadRequest("A resource must be named");
    auto lowered = ascii_lowered(resource.substr(0, 8));
    if (lowered.starts_with("https://") || lowered.starts_with("http://")) return account_at(db, resource);
    if (lowered.starts_with("acct:")) resource.remove_prefix(5);
    return account_of(db, resource);
}

http::Response answer(const std::string& body, const char* type) {
    http::Response response;
    response.content_type = type;
    response.headers.emplace_back("Cache-Control", "max-age=259200, public");
    response.body = body;
    return response;
}

const std::string activity_json = "application/activity+json";

Link self(std::string id) { return {"self", activity_json, std::move(id), {}}; }

// With `rel` parameters only the links with these relations are returned (RFC 7033, 4.3).
void keep_asked(std::vector<Link>& links, const std::vector<std::string>& asked) {
    if (std::ranges::all_of(asked, &std::string::empty)) return;
    std::erase_if(links, [&](const Link& link) { return std::ranges::find(asked, link.rel) == asked.end(); });
}

Link template_of(const char* rel, std::string address) { return {rel, {}, {}, std::move(address)}; }

http::Response webfinger(db::Read& db, const Resource& form) {
    constexpr auto type = "application/jrd+json; charset=utf-8";
    auto account = named(db, form.resource);
    const auto& site = db.site();
    Jrd out;
    if (!account) {
        auto id = uris::actor(site, uris::server_actor);
        out.subject = "acct:" + server_name(site) + "@" + site.domain;
        out.aliases = {id};
        out.links = {self(id), {"https://www.w3.org/ns/activitystreams#Service", activity_json, id, {}}};
        keep_asked(out.links, form.rel);
        return answer(base::json::to_string(out), type);
    }
    if (!account->local()) throw base::NotFound();
    if (account->suspended_at && accounts::is_gone(db, account->id)) throw base::Gone("This is gone");
    auto id = accounts::uri_of(site, *account), page = accounts::url_of(site, *account);
    auto interact = site.public_url + "/authorize_interaction?uri=";
    out.subject = "acct:" + account->username + "@" + site.domain;
    out.aliases = {page, id};
    out.links = {
        {"http://webfinger.net/rel/profile-page", std::string("text/html"), page, {}},
        self(id),
        template_of("http://ostatus.org/schema/1.0/subscribe", interact + "{uri}"),
        template_of("https://w3id.org/fep/3b86/Object", interact + "{object}"),
        template_of("https://w3id.org/fep/3b86/Follow", interact + "{object}"),
        template_of(
            "https://w3id.org/fep/3b86/Create", site.public_url + "/share?title={name}&text={content}"
        ),
    };
    keep_asked(out.links, form.rel);
    return answer(base::json::to_string(out), type);
}

std::string lrdd(const base::Site& site) { return site.public_url + "/.well-known/webfinger?resource={uri}"; }

http::Response host_meta_json(db::Read& db) {
    Links out{{template_of("lrdd", lrdd(db.site()))}};
    return answer(base::json::to_string(out), "application/jrd+json; charset=utf-8");
}

http::Response host_meta(db::Read& db, const http::Request& request) {
    if (request.header("Accept").find("json") != std::string_view::npos) {
        auto response = host_meta_json(db);
        response.headers.emplace_back("Vary", "Accept");
        return response;
    }
    auto response = answer(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<XRD xmlns=\"http://docs.oasis-open.org/ns/xri/xrd-1.0\">\n"
        "  <Link rel=\"lrdd\" template=\"" +
            lrdd(db.site()) + "\"/>\n</XRD>\n",
        "application/xrd+xml; charset=utf-8"
    );
    response.headers.emplace_back("Vary", "Accept");
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<webfinger>     ("/.well-known/webfinger"),
    http::get<host_meta>     ("/.well-known/host-meta"),
    http::get<host_meta_json>("/.well-known/host-meta.json"),
};
// clang-format on

}  // namespace

std::span<const http::Route> webfinger_routes() { return table; }

}  // namespace federation
