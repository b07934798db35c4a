// SPDX-License-Identifier: AGPL-3.0-or-later
// What one gets letters about, and when one is left in peace: what the web client shows at /settings/notifications, as a form.
#include "http/route.hpp"
#include "social/accounts/users/notification_choice.hpp"
#include "social/accounts/users/role.hpp"
#include "social/pages/settings/settings_page.hpp"

namespace pages {

namespace {

const std::string path = hub + "/notifications";

using accounts::NotificationChoice;

// A box that is not ticked is not sent.
struct Form {
    bool mail_mention = false, mail_quote = false, mail_follow = false, mail_follow_request = false,
         mail_reblog = false, mail_favourite = false, mail_report = false, mail_appeal = false;
    std::string quiet_from, quiet_until, time_zone, authenticity_token;
};
DESCRIBE(
    Form, mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog, mail_favourite,
    mail_report, mail_appeal, quiet_from, quiet_until, time_zone, authenticity_token
)

struct Kind {
    std::string_view name, said;
    bool NotificationChoice::* chosen;
};
constexpr Kind of_people[] = {
    {"mail_mention", "Somebody mentions you", &NotificationChoice::mail_mention},
    {"mail_quote", "Somebody quotes you", &NotificationChoice::mail_quote},
    {"mail_follow", "Somebody follows you", &NotificationChoice::mail_follow},
    {"mail_follow_request", "Somebody asks to follow you", &NotificationChoice::mail_follow_request},
    {"mail_reblog", "Somebody boosts a post of yours", &NotificationChoice::mail_reblog},
    {"mail_favourite", "Somebody favourites a post of yours", &NotificationChoice::mail_favourite},
};
constexpr Kind of_reports{"mail_report", "A report comes in", &NotificationChoice::mail_report};
constexpr Kind of_appeals{"mail_appeal", "Somebody appeals", &NotificationChoice::mail_appeal};

http::Response choice_page(
    db::Read& db, const http::Request& request, const Owner& who, const NotificationChoice& choice,
    std::string_view problem = {}
) {
    instance::View view;
    auto add = [&](instance::View& list, const Kind& kind) {
        list.add("KIND").set("NAME", kind.name).say("SAID", kind.said).show_if(choice.*kind.chosen, "CHOSEN");
    };
    auto& people = view.add("PEOPLE");
    for (const auto& kind : of_people) add(people, kind);
    const auto actor = accounts::actor(db, who.user.account_id);
    const bool reports = actor.may(accounts::permission::manage_reports),
               appeals = actor.may(accounts::permission::manage_appeals);
    if (reports || appeals) {
        auto& team = view.add("TEAM");
        if (reports) add(team, of_reports);
        if (appeals) add(team, of_appeals);
    }
    view.show_if(!accounts::notification_mails_are_sent(db), "NONE_SENT");
    view.set("FROM", choice.quiet_from).set("UNTIL", choice.quiet_until).set("ZONE", choice.time_zone);
    return settings_page(
        db, request, who, "settings_notifications", "Notifications", problem, std::move(view)
    );
}

http::Response look(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    if (who.answer) return *who.answer;
    return choice_page(db, request, who, accounts::notification_choice(db, who.user.account_id));
}

http::Response choose(db::Write& db, const http::Request& request, const Form& form) {
    auto who = owner(db, request, form.authenticity_token);
    if (who.answer) return *who.answer;
    const NotificationChoice chosen{
        form.mail_mention,
        form.mail_quote,
        form.mail_follow,
        form.mail_follow_request,
        form.mail_reblog,
        form.mail_favourite,
        form.mail_report,
        form.mail_appeal,
        form.quiet_from,
        form.quiet_until,
        form.time_zone
    };
    try {
        accounts::choose_notifications(db, who.user.account_id, chosen);
    } catch (const base::Invalid&) {
        return choice_page(
            db,
            request,
            who,
            chosen,
            "Quiet hours need a beginning and an end, like 22:00, and a time zone is like Europe/Berlin."
        );
    }
    return done(path, "saved");
}

// What the client shows at this address, where there is no client.
http::Response lead_here(db::Read& db, const http::Request& request) {
    auto who = owner(db, request);
    return who.answer ? *who.answer : oauth::redirect(path);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<look>     ("/settings/account/notifications"),
    http::post<choose>  ("/settings/account/notifications"),
    http::get<lead_here>("/settings/notifications"),
};
// clang-format on

}  // namespace

std::span<const http::Route> notification_settings() { return table; }

}  // namespace pages
