// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/federation/documents/answer_api.hpp"

#include "ap/write.hpp"
#include "http/errors.hpp"
#include "social/accounts/account.hpp"

#include <algorithm>

namespace federation {

namespace {

bool names(std::string_view accept, std::string_view type) {
    auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
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

Asked asked_for(db::Read& db, const http::Request& request) {
    auto path = std::string(request.path());
    if (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (path.starts_with("/%40")) path.replace(1, 3, "@");
    auto what = base::uris::ours(db.site(), db.site().public_url + path);
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
