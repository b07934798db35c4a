// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/body/urlencoded.hpp"
#include "http/route.hpp"
#include "social/oauth/app.hpp"
#include "social/oauth/authorization.hpp"
#include "social/oauth/code.hpp"
#include "social/oauth/pages/entering.hpp"

#include <algorithm>

namespace oauth {

namespace {

// Either an answer, or something granted that the app is yet to be told.
struct Decision {
    std::optional<http::Response> answer;
    std::optional<Grant> grant;
};

Grant grant_of(const CheckedRequest& checked, const AuthorizationRequest& request, const Person& person) {
    return {checked.app->id, person.user, request.redirect_uri, checked.scopes, request.code_challenge};
}

http::Response sign_in_first(const AuthorizationRequest& request) {
    auto back = http::percent_encoded(path_of(request));
    return redirect(
        "/auth/sign_in?" + std::string(request.force_login ? "force=1&" : "") + "return_to=" + back
    );
}

http::Response consent_page(
    db::Read& db, const Visitor& visitor, const CheckedRequest& checked, const AuthorizationRequest& request
) {
    auto again = request;
    again.force_login = true;
    instance::View view;
    view.set("APP", checked.app->name);
    view.set("OTHER", "/auth/sign_in?force=1&return_to=" + http::percent_encoded(path_of(again)));
    if (checked.app->website) view.add("WEBSITE").set("URL", *checked.app->website);
    for (const auto& word : words_of(checked.scopes))
        view.add("SCOPE").set("WORD", word).say("MEANING", meaning(word));
    add_hidden_fields(view, request);
    return show(db.site(), visitor, {"authorize", "Authorization required", 200, true}, std::move(view));
}

// ---- GET: ask, unless the user allowed this before ----

Decision look(db::Read& db, const http::Request& http, const AuthorizationRequest& request) {
    auto asked = checked(db, request);
    auto who = visitor(db, http);
    if (!asked.app) return {error_page(db.site(), who.language, asked.status, asked.problem), {}};
    if (!who.person || request.force_login) return {sign_in_first(request), {}};
    if (who.person->needs_second_factor) return {redirect(set_up_first), {}};
    if (!request.consent && has_allowed(db, who.person->user, asked.app->id, asked.scopes))
        return {std::nullopt, grant_of(asked, request, *who.person)};
    return {consent_page(db, who, asked, request), {}};
}

http::Response tell(
    db::Write& db, const http::Request& http, const AuthorizationRequest& request, const Decision& decision
) {
    if (decision.answer) return *decision.answer;
    return deliver(
        db.site(), stranger(db.site(), http), request, {{"code", issue_code(db, *decision.grant)}}
    );
}

// ---- POST and DELETE: the user's answer ----

struct Choice {
    std::string authenticity_token, _method;
};
DESCRIBE(Choice, authenticity_token, _method)

http::Response denial(const base::Site& site, const Visitor& who, const AuthorizationRequest& request) {
    return deliver(
        site,
        who,
        request,
        {{"error", "access_denied"},
         {"error_description", "The resource owner or authorization server denied the request."}}
    );
}

Decision decide(
    db::Read& db, const http::Request& http, const AuthorizationRequest& request, const Choice& choice
) {
    auto asked = checked(db, request);
    auto who = visitor(db, http);
    if (!asked.app) return {error_page(db.site(), who.language, asked.status, asked.problem), {}};
    if (!who.person) return {sign_in_first(request), {}};
    if (who.person->needs_second_factor) return {redirect(set_up_first), {}};
    if (!has_valid_proof(who, choice.authenticity_token)) return {stale_form(db.site(), who), {}};
    if (choice._method == "delete" || http.method == http::Method::delete_)
        return {denial(db.site(), who, request), {}};
    return {std::nullopt, grant_of(asked, request, *who.person)};
}

// ---- the code of an app without an address ----

struct ShownCode {
    std::string code;
};
DESCRIBE(ShownCode, code)

http::Response native(db::Read& db, const http::Request& http, const ShownCode& form) {
    auto who = visitor(db, http);
    if (!well_formed_challenge(form.code))
        return error_page(db.site(), who.language, 404, "There is no code to show.");
    instance::View view;
    view.set("CODE", form.code);
    return show(db.site(), who, {"native", "Your code"}, std::move(view));
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look, tell>   ("/oauth/authorize"),
    http::post<decide, tell>("/oauth/authorize"),
    http::del<decide, tell> ("/oauth/authorize"),
    http::get<native>       ("/oauth/authorize/native"),
};
// clang-format on

}  // namespace

std::span<const http::Route> authorize_pages() { return table; }

}  // namespace oauth
