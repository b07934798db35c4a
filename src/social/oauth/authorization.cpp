// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/authorization.hpp"

#include "http/body/urlencoded.hpp"
#include "social/oauth/app.hpp"
#include "social/oauth/code.hpp"
#include "social/oauth/pages/page.hpp"

namespace oauth {

namespace {

CheckedRequest refused(int status, std::string_view problem) { return {{}, {}, status, problem}; }

bool well_formed_proof(const AuthorizationRequest& request) {
    if (request.code_challenge.empty()) return request.code_challenge_method.empty();
    return request.code_challenge_method == "S256" && well_formed_challenge(request.code_challenge);
}

bool known_mode(std::string_view mode) {
    return mode.empty() || mode == "query" || mode == "fragment" || mode == "form_post";
}

std::vector<std::pair<std::string_view, std::string_view>> fields(const AuthorizationRequest& request) {
    std::vector<std::pair<std::string_view, std::string_view>> out;
    base::for_each_member<AuthorizationRequest>([&](auto member) {
        const auto& value = request.*member.pointer;
        if constexpr (std::same_as<std::remove_cvref_t<decltype(value)>, std::string>)
            if (!value.empty()) out.emplace_back(member.name, value);
    });
    return out;
}

std::string encoded(const Answer& answer) {
    std::string out;
    for (const auto& [name, value] : answer) {
        if (!out.empty()) out += '&';
        out += std::string(name) + "=" + http::percent_encoded(value);
    }
    return out;
}

http::Response deliver_here(const base::Site& site, const Visitor& who, const Answer& answer) {
    for (const auto& [name, value] : answer)
        if (name == "code") return redirect("/oauth/authorize/native?code=" + http::percent_encoded(value));
    instance::View view;
    view.say("SENTENCE", "You denied the app access to your account.");
    return show(site, who, {"message", "Denied"}, std::move(view));
}

http::Response deliver_by_form(
    const base::Site& site, const Visitor& who, const std::string& uri, const Answer& answer
) {
    instance::View view;
    view.set("TARGET", uri);
    for (const auto& [name, value] : answer) view.add("HIDDEN").set("NAME", name).set("VALUE", value);
    return show(site, who, {"form_post", "One more step", 200, true}, std::move(view));
}

}  // namespace

CheckedRequest checked(db::Read& db, const AuthorizationRequest& request) {
    if (request.client_id.empty()) return refused(400, "The app did not say which app it is.");
    auto app = find_app(db, request.client_id);
    if (!app) return refused(401, "This server does not know the app. It may have to be registered again.");
    if (request.redirect_uri.empty() || !redirects_to(*app, request.redirect_uri))
        return refused(400, "The app asked to be answered at an address it did not register.");
    if (request.response_type != "code")
        return refused(400, "The app asked for a kind of answer this server does not give.");
    if (!known_mode(request.response_mode))
        return refused(400, "The app asked for the answer in a way this server does not know.");
    auto scopes = normal_scopes(request.scope);
    if (!scopes || !includes(app->scopes, *scopes))
        return refused(400, "The app asked for access it did not register for.");
    if (!well_formed_proof(request))
        return refused(400, "The app's code challenge is not one this server accepts: it must be S256.");
    return {std::move(app), std::move(*scopes), 200, {}};
}

std::string path_of(const AuthorizationRequest& request) {
    std::string path = "/oauth/authorize?";
    for (auto [name, value] : fields(request))
        path += std::string(name) + "=" + http::percent_encoded(value) + "&";
    if (request.force_login || request.consent) return path + "consent=1";
    path.pop_back();
    return path;
}

void add_hidden_fields(instance::View& view, const AuthorizationRequest& request) {
    for (auto [name, value] : fields(request)) view.add("HIDDEN").set("NAME", name).set("VALUE", value);
}

http::Response deliver(
    const base::Site& site, const Visitor& who, const AuthorizationRequest& request, Answer answer
) {
    if (!request.state.empty()) answer.emplace_back("state", request.state);
    const auto& uri = request.redirect_uri;
    if (uri == out_of_band) return deliver_here(site, who, answer);
    if (request.response_mode == "form_post" && uri.starts_with("http"))
        return deliver_by_form(site, who, uri, answer);
    if (request.response_mode == "fragment") return redirect(uri + "#" + encoded(answer));
    return redirect(uri + (uri.find('?') == uri.npos ? "?" : "&") + encoded(answer));
}

}  // namespace oauth
