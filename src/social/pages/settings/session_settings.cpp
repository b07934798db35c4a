// SPDX-License-Identifier: AGPL-3.0-or-later
// Where somebody is signed in, what concerned their safety lately, and ending it.
#include "http/route.hpp"
#include "social/accounts/second_factor/second_factor.hpp"
#include "social/accounts/users/access.hpp"
#include "social/pages/settings/settings_page.hpp"

namespace pages {

namespace {

using accounts::SecurityKind;

const std::string path = hub + "/sessions";

// "Firefox on Android": the browser and the system, of what the browser says of itself.
std::string device(std::string_view agent) {
    // Whoever names another, too, comes first.
    constexpr std::pair<std::string_view, std::string_view> browsers[] = {
        {"Edg", "Edge"},
        {"OPR/", "Opera"},
        {"Firefox/", "Firefox"},
        {"Chrome/", "Chrome"},
        {"Safari/", "Safari"}
    };
    constexpr std::pair<std::string_view, std::string_view> systems[] = {
        {"Android", "Android"},
        {"iPhone", "iPhone"},
        {"iPad", "iPad"},
        {"Windows", "Windows"},
        {"Mac OS X", "macOS"},
        {"CrOS", "ChromeOS"},
        {"Linux", "Linux"}
    };
    auto named = [&](auto& names, std::string_view otherwise) {
        for (auto [mark, name] : names)
            if (agent.find(mark) != agent.npos) return std::string(name);
        return std::string(otherwise);
    };
    return named(browsers, "A browser") + " on " + named(systems, "another system");
}

std::string_view said_of(SecurityKind kind) {
    switch (kind) {
        case SecurityKind::signed_in: return "Signed in";
        case SecurityKind::wrong_code: return "A wrong code for the second step";
        case SecurityKind::recovery_code_used: return "Signed in with a recovery code";
        case SecurityKind::authenticator_added: return "Authenticator app added";
        case SecurityKind::authenticator_removed: return "Authenticator app removed";
        case SecurityKind::passkey_added: return "Passkey added";
        case SecurityKind::passkey_removed: return "Passkey removed";
        case SecurityKind::recovery_codes_made: return "New recovery codes";
        case SecurityKind::second_factor_removed:
            return "Second step removed by the people who run this server";
        case SecurityKind::password_changed: return "Password changed";
        case SecurityKind::email_change_requested: return "Another e-mail address given";
    }
    return {};
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    instance::View view;
    auto sessions = oauth::sessions_of(db, who.user.id);
    for (const auto& one : sessions) {
        auto& row = view.add("SESSION");
        row.set("ID", std::to_string(one.id.value)).set("DEVICE", device(one.user_agent));
        row.set("ADDRESS", one.address).set("SINCE", day_of(one.created_at));
        if (one.last_used_at) row.add("USED").set("DAY", day_of(*one.last_used_at));
        row.add(one.id == who.who.person->session ? "HERE" : "ELSEWHERE").set("NAME", device(one.user_agent));
    }
    if (sessions.size() > 1) view.add("OTHERS");
    for (const auto& event : accounts::security_events(db, who.user.id, 20))
        view.add("EVENT")
            .say("WHAT", said_of(event.kind))
            .set("WHEN", minute_of(event.at))
            .set("FROM", event.address);
    return settings_page(
        db, request, who, "settings_sessions", "Where you are signed in", {}, std::move(view)
    );
}

struct Which {
    base::SessionId id;
    std::string authenticity_token;
};
DESCRIBE(Which, id, authenticity_token)

http::Response end(db::Write& db, const http::Request& request, const Which& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    if (form.id == who.who.person->session) return oauth::redirect("/auth/sign_out");
    for (const auto& one : oauth::sessions_of(db, who.user.id))
        if (one.id == form.id) oauth::end_session(db, one.id);
    return done(path, "ended");
}

struct Proven {
    std::string authenticity_token;
};
DESCRIBE(Proven, authenticity_token)

http::Response end_others(db::Write& db, const http::Request& request, const Proven& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    std::vector<base::SessionId> others;
    for (const auto& one : oauth::sessions_of(db, who.user.id))
        if (one.id != who.who.person->session) others.push_back(one.id);
    accounts::end_sessions(db, others);
    return done(path, "others");
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>       ("/settings/account/sessions"),
    http::post<end_others>("/settings/account/sessions/end_others"),
    http::post<end>       ("/settings/account/sessions/:id/end"),
};
// clang-format on

}  // namespace

std::span<const http::Route> session_settings() { return table; }

}  // namespace pages
