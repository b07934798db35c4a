// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/accounts/users/notification_choice.hpp"

#include "base/crypto.hpp"
#include "base/errors.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/instance/settings.hpp"

#include <charconv>

namespace accounts {

namespace {

constexpr std::string_view sent_setting = "notification_mails";
constexpr std::int64_t minute_ms = 60'000, day_ms = 86'400'000;

// The minute of the day of a time like "22:05".
std::optional<int> minute_of_day(std::string_view text) {
    auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '9' ? text[at] - '0' : 100; };
    if (text.size() != 5 || text[2] != ':') return std::nullopt;
    const int hour = digit(0) * 10 + digit(1), minute = digit(3) * 10 + digit(4);
    if (hour > 23 || minute > 59) return std::nullopt;
    return hour * 60 + minute;
}

}  // namespace

const db::Query<NotificationChoice> notification_choice_of{
    "notification_choice_of",
    R"(SELECT mail_mention, mail_quote, mail_follow, mail_follow_request, mail_reblog, mail_favourite, mail_report,
              mail_appeal, quiet_from, quiet_until, time_zone
       FROM notification_choices WHERE account_id = $1)"
};

NotificationChoice notification_choice(db::Read& db, base::AccountId id) {
    if (auto chosen = db.maybe(notification_choice_of, id)) return *chosen;
    NotificationChoice none;
    auto user = find_user_of(db, id);
    none.time_zone = user ? user->time_zone.value_or("") : "";
    // Values of logins may have been imported.
    if (!is_time_zone(none.time_zone)) none.time_zone.clear();
    return none;
}

const db::Command write_notification_choice{
    "write_notification_choice",
    R"(INSERT INTO notification_choices (account_id, mail_mention, mail_quote, mail_follow, mail_follow_request,
           mail_reblog, mail_favourite, mail_report, mail_appeal, quiet_from, quiet_until, time_zone)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (account_id) DO UPDATE SET mail_mention = excluded.mail_mention, mail_quote = excluded.mail_quote,
           mail_follow = excluded.mail_follow, mail_follow_request = excluded.mail_follow_request,
           mail_reblog = excluded.mail_reblog, mail_favourite = excluded.mail_favourite,
           mail_report = excluded.mail_report, mail_appeal = excluded.mail_appeal, quiet_from = excluded.quiet_from,
           quiet_until = excluded.quiet_until, time_zone = excluded.time_zone)"
};

namespace {

void write_choice(db::Write& db, base::AccountId id, const NotificationChoice& c) {
    db.run(
        write_notification_choice,
        id,
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
    );
}

}  // namespace

void choose_notifications(db::Write& db, base::AccountId id, const NotificationChoice& c) {
    std::vector<base::FieldError> errors;
    auto refuse = [&](const char* field) { errors.push_back({field, "ERR_INVALID", "is invalid"}); };
    // Both ends are required.
    if (c.quiet_from.empty() ? !c.quiet_until.empty() : !minute_of_day(c.quiet_from)) refuse("quiet_from");
    if (c.quiet_until.empty() ? !c.quiet_from.empty() : !minute_of_day(c.quiet_until)) refuse("quiet_until");
    // Quiet hours need a time zone.
    if (c.time_zone.empty() ? !c.quiet_from.empty() : !is_time_zone(c.time_zone)) refuse("time_zone");
    if (!errors.empty()) throw base::Invalid(std::move(errors));
    write_choice(db, id, c);
}

std::optional<base::Time> quiet_until(const NotificationChoice& choice, base::Time now) {
    auto from = minute_of_day(choice.quiet_from), until = minute_of_day(choice.quiet_until);
    if (!from || !until || *from == *until) return std::nullopt;
    // A time of day in the zone; day_begins() accepts any local time as the beginning of a day.
    auto at = [&](std::int64_t day, int minute) {
        return base::day_begins({day + minute * minute_ms}, choice.time_zone);
    };
    // Local dates differ from UTC by at most one day, and quiet hours may have begun a day before.
    for (std::int64_t days = -2; days <= 1; ++days) {
        const auto day = now.midnight().ms + days * day_ms;
        const auto ends = at(*until > *from ? day : day + day_ms, *until);
        if (at(day, *from) <= now && now < ends) return ends;
    }
    return std::nullopt;
}

bool is_quiet_for(db::Read& db, base::AccountId id) {
    return quiet_until(notification_choice(db, id), db.now()).has_value();
}

void wait_while_quiet(db::Read& db, const NotificationChoice& choice) {
    if (auto ends = quiet_until(choice, db.now()))
        throw jobs::Reschedule((ends->ms - db.now().ms + 999) / 1000);
}

bool notification_mails_are_sent(db::Read& db) { return instance::setting(db, sent_setting) == "true"; }

void send_notification_mails(db::Write& db, bool sent) {
    instance::set_setting(db, sent_setting, sent ? "true" : "false");
}

namespace {

// "12.reports" with its signature.
std::string token_of(db::Read& db, const EndOfMails& end) {
    auto said = std::to_string(end.account.value) + "." + std::string(base::word(end.which));
    return said + "." +
           base::base64url(base::hmac_sha256(instance::unsubscribe_key(db), "notification mails:" + said));
}

}  // namespace

std::string address_to_end_mails(db::Read& db, base::AccountId account, MailsOf which) {
    return db.site().public_url + "/notification_mails/" + token_of(db, {account, which});
}

std::optional<EndOfMails> end_of_mails(db::Read& db, std::string_view token) {
    EndOfMails end;
    std::from_chars(token.data(), token.data() + token.size(), end.account.value);
    for (auto which : {MailsOf::notifications, MailsOf::reports, MailsOf::appeals}) {
        end.which = which;
        if (base::same_secret(token_of(db, end), token)) return end;
    }
    return std::nullopt;
}

void end_mails(db::Write& db, const EndOfMails& end) {
    if (!find_user_of(db, end.account)) return;  // deleted meanwhile
    auto choice = notification_choice(db, end.account);
    switch (end.which) {
        case MailsOf::notifications:
            choice.mail_mention = choice.mail_quote = choice.mail_follow = choice.mail_follow_request =
                choice.mail_reblog = choice.mail_favourite = false;
            break;
        case MailsOf::reports: choice.mail_report = false; break;
        case MailsOf::appeals: choice.mail_appeal = false; break;
    }
    // Not validated: other invalid values must not prevent unsubscribing.
    write_choice(db, end.account, choice);
}

const db::Command drop_own_notification_choices{
    "drop_own_notification_choices",
    R"(DELETE FROM notification_choices WHERE account_id = $1 AND account_id IN (
           SELECT account_id FROM notification_choices WHERE account_id = $1 ORDER BY account_id LIMIT $2))"
};

}  // namespace accounts
