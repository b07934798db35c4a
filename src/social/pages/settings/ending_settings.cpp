// SPDX-License-Identifier: AGPL-3.0-or-later
// What moderators have decided about the account, with appeals; and the end of it.
#include "http/route.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/remote/remote.hpp"
#include "social/moderation/posts/statement.hpp"
#include "social/pages/settings/settings_page.hpp"

namespace pages {

namespace {

const std::string strikes_path = hub + "/strikes";

// ---- strikes ----

std::string_view state(const moderation::Appeal& appeal) {
    switch (appeal.state) {
        case moderation::AppealState::pending: return "You have appealed. The moderators will look at it.";
        case moderation::AppealState::approved: return "You have appealed, and the decision was taken back.";
        case moderation::AppealState::rejected: return "You have appealed, and the decision stands.";
    }
    return {};
}

http::Response strikes_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    base::Range newest;
    newest.limit = 40;
    auto rows = moderation::statements(db, moderation::strikes_of(db, who.user.account_id, newest));
    std::vector<moderation::StrikeId> ids;
    for (const auto& row : rows) ids.push_back(row.id);
    auto appeals = moderation::appeals_of(db, ids);
    instance::View view;
    view.show_if(rows.empty(), "NONE");
    if (who.who.person->shut_out) {
        auto& shut_out = view.add("SHUT_OUT");
        if (const auto& address = db.site().contact_email; !address.empty())
            shut_out.add("MAIL").set("ADDRESS", address);
    }
    for (const auto& row : rows) {
        auto& shown = view.add("STRIKE");
        shown.set("DAY", day_of(row.created_at));
        moderation::add_statement(shown, row);
        if (row.overruled_at && !row.appeal.state) shown.add("OVERRULED");
        auto appeal = std::ranges::find(appeals, row.id, &moderation::Appeal::strike_id);
        bool in_time = db.now() <= row.appeal.until;
        if (appeal != appeals.end())
            shown.add("APPEAL").set("TEXT", appeal->text).say("STATE", state(*appeal));
        else if (in_time)
            shown.add("FORM").set("ID", std::to_string(row.id.value)).set("UNTIL", day_of(row.appeal.until));
    }
    return settings_page(
        db, request, who, "settings_strikes", "What moderators decided", problem, std::move(view)
    );
}

http::Response strikes(db::Read& db, const http::Request& request) {
    auto who = owner_or_shut_out(db, request);
    return who.answer ? *who.answer : strikes_page(db, request, who);
}

struct AppealForm {
    moderation::StrikeId id;
    std::string text, authenticity_token;
};
DESCRIBE(AppealForm, id, text, authenticity_token)

http::Response appeal(db::Write& db, const http::Request& request, const AppealForm& form) {
    auto who = owner_or_shut_out(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    try {
        moderation::appeal_against(db, who.user.account_id, form.id, form.text);
    } catch (const base::Invalid& error) {
        return strikes_page(db, request, who, std::string(error.what()) + ".");
    }
    return done(strikes_path, "appeal");
}

// ---- the end ----

struct EndForm {
    std::string password, authenticity_token;
    bool sure = false;
};
DESCRIBE(EndForm, password, authenticity_token, sure)

http::Response deletion_page(
    db::Read& db, const http::Request& request, const Owner& who, std::string_view problem = {}
) {
    instance::View view;
    auto account = accounts::account(db, who.user.account_id);
    view.set("HANDLE", account.username + "@" + db.site().domain);
    view.count("POSTS", account.statuses_count);
    view.add(accounts::is_only_owner(db, who.user.id) ? "ONLY_OWNER" : "FORM");
    return settings_page(
        db, request, who, "settings_deletion", "Delete your account", problem, std::move(view)
    );
}

http::Response look_at_deletion(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : deletion_page(db, request, who);
}

constexpr std::string_view nobody_else = "Nobody else could run this server.";

struct Checked {
    std::optional<http::Response> answer;
    base::UserId user;
    base::AccountId account;
    base::SessionId session;
};

Checked check(db::Read& db, const base::Ask& ask, const http::Request& request, const EndForm& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return {who.answer, {}, {}, {}};
    auto refused = [&](std::string_view problem) {
        return Checked{deletion_page(db, request, who, problem), {}, {}, {}};
    };
    if (accounts::is_only_owner(db, who.user.id)) return refused(nobody_else);
    if (!knows_password(ask, who, form.password)) return refused(wrong_password);
    if (!form.sure) return refused("Please tick the box, if it is meant so.");
    return {{}, who.user.id, who.user.account_id, who.who.person->session};
}

// The form may have come twice: then nobody is signed in any more, and nothing is left to delete.
http::Response end(db::Write& db, const http::Request& request, const Checked& checked) {
    if (checked.answer) return *checked.answer;
    const bool gone = accounts::is_gone(db, checked.account);
    // The other owner may have gone while the password was compared.
    if (!gone && accounts::is_only_owner(db, checked.user))
        return deletion_page(db, request, owner(db, request), nobody_else);
    instance::View view;
    view.say("SENTENCE", "Your account is deleted. What you wrote goes within the next minutes.");
    auto response =
        oauth::show(db.site(), oauth::stranger(db.site(), request), {"message", "Goodbye"}, std::move(view));
    oauth::sign_out(db, request, response, checked.session);
    if (!gone) accounts::delete_local(db, checked.account);
    return response;
}

// clang-format off
constexpr http::Route table[] = {
    http::get<strikes>         ("/settings/account/strikes"),
    http::post<appeal>         ("/settings/account/strikes/:id/appeal"),
    http::get<look_at_deletion>("/settings/account/deletion"),
    http::post<check, end>     ("/settings/account/deletion").throttled(http::Throttle::login),
};
// clang-format on

}  // namespace

std::span<const http::Route> ending_settings() { return table; }

}  // namespace pages
