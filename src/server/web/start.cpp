// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/web/start.hpp"

#include "base/errors.hpp"
#include "server/web/client.hpp"
#include "server/web/own_api.hpp"
#include "social/accounts/account.hpp"
#include "social/oauth/cookies.hpp"

#include <algorithm>

namespace server {

namespace {

using base::json::Raw;

struct Seat {
    std::string proof, id, username, display_name, avatar;
};
DESCRIBE(Seat, proof, id, username, display_name, avatar)

struct Document {
    std::string version, proof;
    std::vector<Seat> accounts;
    bool shared = false;
    Raw me, settings, lists, filters, markers, instance, preferences, answers;
};
DESCRIBE(
    Document, version, proof, accounts, shared, me, settings, lists, filters, markers, instance, preferences,
    answers
)

// The response to a GET by this account; nullopt if it would be refused.
std::optional<http::Response> answer(
    db::Read& db, const base::Ask& ask, const oauth::Known& who, const std::string& target
) {
    try {
        auto response = own_answer(db, ask, who, target);
        return response.status == 200 ? std::optional(std::move(response)) : std::nullopt;
    } catch (const base::Error&) {
        return std::nullopt;
    }
}

// Replaces the parameters of "/api/v1/statuses/:id" by their values on this page. Longest name first, so that
// :id does not match in :identity.
std::string filled_in(std::string target, Client::Match match) {
    std::ranges::sort(match.parameters, std::greater(), [](const auto& one) { return one.first.size(); });
    for (auto [name, value] : match.parameters) {
        auto wanted = ":" + std::string(name);
        for (auto at = target.find(wanted); at != target.npos; at = target.find(wanted, at + value.size()))
            target.replace(at, wanted.size(), value);
    }
    return target;
}

Raw first_answers(db::Read& db, const base::Ask& ask, const oauth::Known& who, std::string_view page) {
    Raw out{"{"};
    auto match = client().find(page.substr(0, page.find('?')));
    for (const auto& wanted : match.route ? match.route->first : std::vector<std::string>()) {
        auto target = filled_in(wanted, match);
        auto given = answer(db, ask, who, target);
        if (!given) continue;
        if (out.text.size() > 1) out.text += ',';
        base::json::write(out.text, target);
        out.text += ":{\"body\":" + given->body;
        if (auto link = given->header("Link"); !link.empty()) {
            out.text += ",\"link\":";
            base::json::write(out.text, link);
        }
        out.text += '}';
    }
    out.text += '}';
    return out;
}

std::vector<Seat> seats(db::Read& db, const http::Request& request) {
    std::vector<Seat> out;
    for (auto secret : oauth::session_secrets(db.site(), request)) {
        auto person = oauth::find_person(db, secret);
        if (!person) continue;
        auto account = accounts::account(db, person->account);
        auto avatar =
            account.avatar.empty() ? db.site().asset("avatars/missing.png") : db.site().media(account.avatar);
        out.push_back(
            {oauth::masked_proof(secret),
             std::to_string(account.id.value),
             account.username,
             account.display_name,
             std::move(avatar)}
        );
    }
    return out;
}

}  // namespace

std::optional<Starting> who_starts(db::Read& db, const http::Request& request, std::string_view proof) {
    auto secrets = oauth::session_secrets(db.site(), request);
    if (!proof.empty()) secrets = {oauth::secret_with_proof(secrets, proof)};
    for (auto secret : secrets)
        if (auto person = oauth::find_person(db, secret)) {
            return Starting{*person, std::string(secret), oauth::masked_proof(secret)};
        }
    return std::nullopt;
}

std::string start_document(
    db::Read& db, const base::Ask& ask, const http::Request& request, const Starting& starting,
    std::string_view page
) {
    auto who = oauth::look_up_session(db, starting.secret);
    auto body = [&](const char* target) {
        auto given = answer(db, ask, who, target);
        return Raw{given ? std::move(given->body) : "null"};
    };
    Document out;
    out.version = client().version();
    out.proof = starting.proof;
    out.accounts = seats(db, request);
    out.shared = oauth::is_shared_browser(db.site(), request);
    out.me = body("/api/v1/accounts/verify_credentials");
    out.settings = {oauth::web_settings(db, starting.person.user)};
    out.lists = body("/api/v1/lists");
    out.filters = body("/api/v2/filters");
    out.markers = body("/api/v1/markers?timeline[]=home&timeline[]=notifications");
    out.instance = body("/api/v2/instance");
    out.preferences = body("/api/v1/preferences");
    out.answers = first_answers(db, ask, who, page);
    return base::json::to_string(out);
}

}  // namespace server
