// SPDX-License-Identifier: AGPL-3.0-or-later
// What somebody chose, for apps, and the page that the address in a mail leads to. The form without JavaScript stands in
// pages/settings/notification_settings.cpp.
#include "http/route.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/oauth/pages/page.hpp"

namespace notification_mails {
namespace {

using accounts::NotificationChoice, http::Viewer;

struct NotificationChoiceEntity {
    static constexpr std::string_view entity = "NotificationChoice";

    bool mails_are_sent = false;  // by this server
    bool mail_mention = false, mail_quote = false, mail_follow = false, mail_follow_request = false,
         mail_reblog = false, mail_favourite = false, mail_report = false, mail_appeal = false;
    std::string quiet_from, quiet_until, time_zone;
};
DESCRIBE(
    NotificationChoiceEntity, mails_are_sent, mail_mention, mail_quote, mail_follow, mail_follow_request,
    mail_reblog, mail_favourite, mail_report, mail_appeal, quiet_from, quiet_until, time_zone
)

NotificationChoiceEntity show(db::Read& db, const Viewer& me) {
    auto c = accounts::notification_choice(db, me.account);
    return {
        accounts::notification_mails_are_sent(db),
        c.mail_mention,
        c.mail_quote,
        c.mail_follow,
        c.mail_follow_request,
        c.mail_reblog,
        c.mail_favourite,
        c.mail_report,
        c.mail_appeal,
        c.quiet_from,
        c.quiet_until,
        c.time_zone
    };
}

// What is not given stays as it is.
struct Form {
    std::optional<bool> mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog,
        mail_favourite, mail_report, mail_appeal;
    std::optional<std::string> quiet_from, quiet_until, time_zone;
};
DESCRIBE(
    Form, mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog, mail_favourite,
    mail_report, mail_appeal, quiet_from, quiet_until, time_zone
)

void choose(db::Write& db, const Viewer& me, const Form& form) {
    auto c = accounts::notification_choice(db, me.account);
    auto take = [](auto& into, const auto& given) {
        if (given) into = *given;
    };
    take(c.mail_mention, form.mail_mention);
    take(c.mail_quote, form.mail_quote);
    take(c.mail_follow, form.mail_follow);
    take(c.mail_follow_request, form.mail_follow_request);
    take(c.mail_reblog, form.mail_reblog);
    take(c.mail_favourite, form.mail_favourite);
    take(c.mail_report, form.mail_report);
    take(c.mail_appeal, form.mail_appeal);
    take(c.quiet_from, form.quiet_from);
    take(c.quiet_until, form.quiet_until);
    take(c.time_zone, form.time_zone);
    accounts::choose_notifications(db, me.account, c);
}

// ---- the address in a mail ----

struct Ending {
    std::string token;
};
DESCRIBE(Ending, token)

http::Response unknown(db::Read& db, const http::Request& request) {
    return oauth::error_page(
        db.site(), oauth::visitor(db, request).language, 404, "There is no such subscription."
    );
}

std::string_view sentence(accounts::MailsOf which) {
    switch (which) {
        case accounts::MailsOf::notifications: return "You will get no more letters about notifications.";
        case accounts::MailsOf::reports: return "You will get no more letters about reports.";
        case accounts::MailsOf::appeals: return "You will get no more letters about appeals.";
    }
    return {};
}

// Programs that look at every address in a mail end nothing by it.
http::Response look(db::Read& db, const http::Request& request, const Ending& path) {
    if (!accounts::end_of_mails(db, path.token)) return unknown(db, request);
    return oauth::show(db.site(), oauth::visitor(db, request), {"end_mails", "No more letters"});
}

// Programs for mail send this on their own (RFC 8058), so the address itself is the proof.
http::Response end(db::Write& db, const http::Request& request, const Ending& path) {
    auto meant = accounts::end_of_mails(db, path.token);
    if (!meant) return unknown(db, request);
    accounts::end_mails(db, *meant);
    instance::View view;
    view.say("SENTENCE", sentence(meant->which));
    return oauth::show(
        db.site(), oauth::visitor(db, request), {"message", "No more letters"}, std::move(view)
    );
}

// clang-format off
constexpr http::Route table[] = {
    http::get<show>         ("/api/dunlin/v1/notification_choice", "read:notifications"),
    http::put<choose, show> ("/api/dunlin/v1/notification_choice", "write:notifications"),
    http::get<look>         ("/notification_mails/:token"),
    http::post<end>         ("/notification_mails/:token"),
};
// clang-format on

}  // namespace

std::span<const http::Route> routes() { return table; }

}  // namespace notification_mails
