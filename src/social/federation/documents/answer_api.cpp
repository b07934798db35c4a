// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/documents/answer_api.hpp"

#include "ap/write.hpp"
#include "base/text/utf8.hpp"
#include "http/errors.hpp"
#include "social/accounts/account.hpp"
#include "social/former/former.hpp"
#include "social/statuses/core/visibility.hpp"

#include <algorithm>

namespace federation {

namespace {

bool names(std::string_view accept, std::string_view type) {
    auto same = [](char a, char b) { return base::text::ascii_lower(a) == b; };
    return !std::ranges::search(accept, type, same).empty();
}

}  // namespace

bool wants_activity(const http::Request& request) {
    auto accept = request.header("Accept");
    return names(accept, "application/activity+json") || names(accept, "application/ld+json") ||
           (names(accept, "application/json") && !names(accept, "text/html"));
}

http::Response activity(std::string document, const Reader& reader) {
    auto response = open_activity(std::move(document));
    if (reader.shared) return response;
    response.headers = {{"Vary", "Accept, Signature"}, {"Cache-Control", "private, no-store"}};
    return response;
}

http::Response open_activity(std::string document) {
    http::Response response;
    response.content_type = "application/activity+json; charset=utf-8";
    response.headers.emplace_back("Vary", "Accept");
    response.headers.emplace_back("Cache-Control", "max-age=180, public");
    response.body = std::move(document);
    return response;
}

http::Response page_at(std::string address, int status) {
    http::Response response;
    response.status = status;
    response.content_type = "text/html; charset=utf-8";
    response.headers.emplace_back("Vary", "Accept");
    response.headers.emplace_back("Cache-Control", "max-age=180, public");
    response.headers.emplace_back("Location", std::move(address));
    return response;
}

void gone(const http::Request& request, const std::string& id) {
    if (!wants_activity(request)) throw base::Gone("This is gone");
    auto response = open_activity(ap::write::document(ap::write::Remains{{}, id}));
    response.status = 410;
    throw http::Refusal(std::move(response));
}

namespace {

std::string address_of(db::Read& db, const http::Request& request) {
    auto path = std::string(request.path());
    if (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (path.starts_with("/%40")) path.replace(1, 3, "@");
    return db.site().public_url + path;
}

}  // namespace

std::optional<std::string> former_server(db::Read& db, const http::Request& request) {
    if (!former::took_over()) return std::nullopt;
    auto address = address_of(db, request);
    auto what = former::ours(db, address);
    if (!what || !what->username.empty() || what->account != base::uris::server_actor) return std::nullopt;
    constexpr std::string_view key = "/main-key";
    if (what->kind == base::uris::Kind::key && address.ends_with(key))
        address.resize(address.size() - key.size());
    else if (what->kind != base::uris::Kind::actor) return std::nullopt;
    if (address == base::uris::actor(db.site(), base::uris::server_actor)) return std::nullopt;
    return address;
}

std::optional<http::Response> from_former_page(db::Read& db, const http::Request& request) {
    if (!former::took_over() || base::uris::ours(db.site(), address_of(db, request))) return std::nullopt;
    auto asked = asked_of_active(db, request);
    auto facts = statuses::visible_facts(db, statuses::nobody(db), asked.what.status());
    if (facts.account_id != asked.account.id) throw base::NoSuchStatus();
    return page_at(base::uris::status_page(db.site(), asked.account.username, facts.id), 301);
}

Asked asked_for(db::Read& db, const http::Request& request) {
    auto what = former::ours(db, address_of(db, request));
    if (!what) throw base::NotFound();
    auto account = what->username.empty() ? accounts::find_account(db, what->account)
                                          : accounts::find_by_acct(db, what->username);
    if (!account || !account->local()) throw base::NotFound();
    if (account->suspended_at && accounts::is_gone(db, account->id))
        gone(request, accounts::uri_of(db.site(), *account));
    return {*std::move(account), *std::move(what)};
}

Asked asked_of_active(db::Read& db, const http::Request& request) {
    auto asked = asked_for(db, request);
    if (asked.account.suspended_at) throw base::Forbidden("This account is suspended");
    return asked;
}

}  // namespace federation
