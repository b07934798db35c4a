// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/pages/settings/settings_page.hpp"

#include "http/body/urlencoded.hpp"
#include "social/accounts/users/password.hpp"
#include "social/oauth/pages/entering.hpp"

#include <algorithm>

namespace pages {

namespace {

constexpr std::pair<std::string_view, std::string_view> sentences[] = {
    {"password", "Your password has changed. Every other browser and app has been signed out."},
    {"email", "We sent a letter to the new address. It counts once you open the link in it."},
    {"language", "Your language is saved."},
    {"profile", "Your profile is saved."},
    {"asked_again", "They are asked again in the background."},
    {"authenticator", "The authenticator app is removed."},
    {"passkey", "The passkey is removed."},
    {"ended", "The session is ended."},
    {"others", "All other sessions are ended."},
    {"alias", "The other account is named by this one now."},
    {"alias_removed", "The other account is not named any more."},
    {"moved", "Your account has moved. Your followers are told in the background."},
    {"import", "The file is gone through in the background."},
    {"import_stopped", "Nothing more is done of it. What was done stays."},
    {"posts", "Your posts are brought along in the background."},
    {"posts_published", "Your posts are published in the background."},
    {"posts_taken_back", "The posts are taken back in the background."},
    {"archive", "Your archive is made in the background. Come back in a while."},
    {"appeal", "Your appeal is with the moderators."},
    {"approved", "The sign-up is approved."},
    {"rejected", "The sign-up is rejected."},
    {"assigned", "The report is yours."},
    {"unassigned", "You have given the report back."},
    {"resolved", "The report is resolved."},
    {"reopened", "The report is open again."},
    {"acted", "It is done, and written down."},
    {"undone", "It is taken back."},
    {"noted", "The note is written down."},
    {"role_given", "The role is given."},
    {"appeal_approved", "The decision is taken back, and they are told."},
    {"appeal_rejected", "The appeal is rejected, and they are told."},
    {"withdrawn", "The announcement is removed."},
    {"invited", "The invite is made: hand its address on."},
    {"invite_revoked", "The invite no longer works."},
    {"rule_saved", "The rule is saved."},
    {"rule_removed", "The rule is removed."},
    {"rehearsing", "The rehearsal has begun. Come back in a while."},
    {"saved", "It is saved."},
    {"added", "It is added."},
    {"removed", "It is removed."},
    {"published", "It is published."},
    {"case_taken", "The case is yours."},
    {"case_given_back", "You have given the case back."},
    {"case_resolved", "The case is resolved."},
    {"list_applied", "The list comes into force in the background."},
    {"list_read", "The list is read in the background. Come back in a while."},
    {"list_undone", "The list is taken back in the background."},
    {"server_added", "The server is added."},
    {"server_changed", "What holds for the server is saved."},
    {"server_removed", "The server is removed; nothing of this holds any more."},
};

Owner owner_of(db::Read& db, const http::Request& request, oauth::Visitor who) {
    if (!who.person) {
        auto here =
            http::percent_encoded(request.method == http::Method::get ? std::string(request.path()) : hub);
        return {oauth::redirect("/auth/sign_in?return_to=" + here), {}, {}};
    }
    if (who.person->needs_second_factor && !who.person->shut_out &&
        !request.path().starts_with(oauth::set_up_first))
        return {oauth::redirect(oauth::set_up_first), {}, {}};
    auto user = accounts::user(db, who.person->user);
    return {std::nullopt, std::move(who), std::move(user)};
}

Owner proven(db::Read& db, Owner found, std::string_view authenticity_token) {
    if (!found.answer && !oauth::has_valid_proof(found.who, authenticity_token))
        found.answer = oauth::stale_form(db.site(), found.who);
    return found;
}

}  // namespace

Owner owner(db::Read& db, const http::Request& request) {
    auto who = oauth::visitor(db, request);
    if (!who.person && oauth::visitor_or_shut_out(db, request).person)
        return {oauth::redirect(oauth::decisions), {}, {}};
    return owner_of(db, request, std::move(who));
}

Owner owner(db::Read& db, const http::Request& request, std::string_view authenticity_token) {
    return proven(db, owner(db, request), authenticity_token);
}

Owner owner_or_shut_out(db::Read& db, const http::Request& request) {
    return owner_of(db, request, oauth::visitor_or_shut_out(db, request));
}

Owner owner_or_shut_out(db::Read& db, const http::Request& request, std::string_view authenticity_token) {
    return proven(db, owner_or_shut_out(db, request), authenticity_token);
}

bool knows_password(const base::Ask& ask, const Owner& owner, std::string_view given) {
    return accounts::is_password(ask, owner.user.password_hash, given);
}

http::Response settings_page(
    db::Read& db, const http::Request& request, const Owner& owner, std::string_view name,
    std::string_view title, std::string_view problem, instance::View view, bool scripted
) {
    view.say("HEADING", title).set("HUB", hub).show_if(!owner.who.person->shut_out, "BACK");
    if (!problem.empty()) view.add("PROBLEM").say("TEXT", problem);
    auto query = request.query();
    constexpr std::string_view key = "done=";
    auto found =
        query.starts_with(key)
            ? std::ranges::find(
                  sentences, query.substr(key.size()), &std::pair<std::string_view, std::string_view>::first
              )
            : std::end(sentences);
    if (found != std::end(sentences)) view.add("NOTICE").say("TEXT", found->second);
    oauth::Page page{name, title, problem.empty() ? 200 : 422};
    page.scripted = scripted;
    auto response = oauth::show(db.site(), owner.who, page, std::move(view));
    response.headers.emplace_back("Cache-Control", "private, no-store");
    return response;
}

http::Response done(std::string_view path, std::string_view what) {
    return oauth::redirect(std::string(path) + "?done=" + std::string(what));
}

std::string day_of(base::Time time) { return base::to_string(base::Date{time.ms}); }

std::string minute_of(base::Time time) {
    auto text = base::to_string(time);  // 2026-01-31T12:34:56.000Z
    return text.substr(0, 10) + " " + text.substr(11, 5) + " UTC";
}

}  // namespace pages
