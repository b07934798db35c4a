// SPDX-License-Identifier: AGPL-3.0-or-later
#include "server/web/plain/reading.hpp"

#include "http/body/urlencoded.hpp"
#include "social/oauth/cookies.hpp"

namespace server::plain {

std::string Reading::query(std::string_view name) const {
    for (auto& [key, value] : http::read_urlencoded(request.query()))
        if (key == name) return std::move(value);
    return {};
}

std::optional<Reading> reading(db::Read& db, const base::Ask& ask, const http::Request& request) {
    auto who = oauth::visitor(db, request);
    if (!who.person || who.person->needs_second_factor) return std::nullopt;
    auto known = oauth::page_credentials(db, request);
    if (!known.viewer || !known.problem.empty()) return std::nullopt;
    return Reading{db, ask, request, std::move(who), std::move(known)};
}

void add_act(
    instance::View& acts, bool done, std::string_view word, std::string_view name, std::string_view undo
) {
    acts.add("ACT").set("WORD", (done ? "un" : "") + std::string(word)).say("SAID", done ? undo : name);
}

http::Response page(
    const base::Site& site, const oauth::Visitor& who, const Words& words, instance::View view,
    std::string_view problem
) {
    constexpr std::pair<std::string_view, std::string_view> parts[] = {
        {"/home", "Home"}, {"/notifications", "Notifications"}, {"/compose", "Write"}
    };
    auto part = [&](std::string_view url) -> instance::View& {
        auto& one = view.add("PART").set("URL", url);
        one.show_if(url == words.here, "HERE");
        return one;
    };
    for (auto [url, name] : parts) part(url).say("NAME", name);
    part("/@" + who.person->username).say("NAME", "Your profile");
    part("/settings/account").say("NAME", "Your account");
    part("/plain/off").say("NAME", "With JavaScript");
    if (words.said) view.say("HEADING", words.title);
    else view.set("HEADING_HTML", words.html);
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    oauth::Page shown{words.name, words.title, problem.empty() ? 200 : 422};
    auto response = oauth::show(site, who, shown, std::move(view));
    for (auto& [name, value] : response.headers)
        if (name == "Vary") value = "Accept, Accept-Language, Cookie";
    response.headers.emplace_back("Cache-Control", "private, no-store");
    response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    return response;
}

}  // namespace server::plain
