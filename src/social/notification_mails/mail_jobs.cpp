// SPDX-License-Identifier: AGPL-3.0-or-later
// What a mail about notifications says: what its reader would find in the list and has not read yet.
#include "base/id_map.hpp"
#include "base/text/html/html.hpp"
#include "base/text/spoken_languages.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/notification_mails/notification_mail.hpp"
#include "social/notifications/streams.hpp"
#include "social/statuses/core/status.hpp"

#include <algorithm>
#include <iterator>

namespace notification_mails {

namespace {

using notifications::Notification, notifications::Type;

constexpr int most_told = 20;
constexpr std::size_t most_characters = 300;

// How many pages of what filters hide are read to find what they do not.
constexpr int most_pages = 5;

struct Waiting {
    base::NotificationId since, sent_up_to;
    base::Time sent_at, leased_until;
};
DESCRIBE(Waiting, since, sent_up_to, sent_at, leased_until)

}  // namespace

const db::Query<Waiting> waiting_for_mail{
    "waiting_for_mail",
    "SELECT since, sent_up_to, sent_at, leased_until FROM notification_mails WHERE account_id = $1"
};
// What waits besides came while this job was at it, and has to wait as long as after any mail.
const db::Command end_notification_mail{
    "end_notification_mail",
    R"(UPDATE notification_mails SET sent_up_to = CASE WHEN sent_up_to < $2 THEN $2 ELSE sent_up_to END,
           sent_at = COALESCE($3, sent_at), due_at = CASE WHEN due_at IS NULL THEN due_at ELSE $4 END,
           leased_until = CASE WHEN leased_until = $5 THEN 0 ELSE leased_until END
       WHERE account_id = $1)"
};
const db::Command put_notification_mail_off{
    "put_notification_mail_off",
    "UPDATE notification_mails SET due_at = $2, leased_until = 0 WHERE account_id = $1 AND leased_until = $3"
};

namespace {

std::string shortened(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t count = 0; end < text.size() && count < most_characters; ++count)
        end += base::text::decode(text, end).size;
    return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

// What it is about, of people of other servers by what it is called here.
class Telling {
public:
    Telling(db::Read& db, const accounts::User& user, const std::vector<Notification>& told)
        : site_(db.site()),
          language_(base::text::language_for({user.locale, site_.language})),
          reader_(accounts::account(db, user.account_id)) {
        std::vector<AccountId> senders;
        std::vector<base::StatusId> about;
        for (const auto& one : told) {
            senders.push_back(one.from_account_id);
            if (one.status_id) about.push_back(one.status_id);
        }
        for (auto& one : accounts::accounts(db, senders)) senders_.emplace(one.id, std::move(one));
        if (about.empty()) return;
        for (auto& one : db.all(statuses::said_in_statuses, about)) said_.emplace(one.id, std::move(one));
    }

    // Says in one line what happened, too.
    std::string add(instance::View& view, const Notification& one) const {
        const auto& sender = senders_.find(one.from_account_id)->second;
        auto name = sender.display_name.empty() ? "@" + sender.acct() : sender.display_name;
        auto what = notifications::title(one.type, name, language_);
        auto& item = view.add("ITEM").set("WHAT", what).set("HANDLE", "@" + sender.acct());
        item.set("LINK", site_.public_url + link(one, sender));
        auto said = said_.find(one.status_id);
        if (said == said_.end()) return what;
        const auto& warning = said->second.spoiler_text;
        auto text = shortened(warning.empty() ? base::text::plain_text(said->second.content) : warning);
        if (!text.empty()) item.add("SAID").set("TEXT", text).show_if(!warning.empty(), "WARNED");
        return what;
    }

private:
    std::string link(const Notification& one, const accounts::Account& sender) const {
        if (one.type == Type::follow_request) return "/requests";
        if (!one.status_id) return "/@" + sender.acct();
        const auto& author = one.type == Type::mention || one.type == Type::quote ? sender : reader_;
        return "/@" + author.acct() + "/" + std::to_string(one.status_id.value);
    }

    const base::Site& site_;
    std::string language_;
    accounts::Account reader_;
    base::IdMap<AccountId, accounts::Account> senders_;
    base::IdMap<base::StatusId, statuses::SaidInStatus> said_;
};

notifications::Filter filter_of(const accounts::NotificationChoice& choice) {
    notifications::Filter filter;
    filter.chosen = true;
    for (auto type :
         {Type::mention, Type::quote, Type::follow, Type::follow_request, Type::reblog, Type::favourite})
        if (choice.*choice_about(type)) filter.types.emplace_back(base::word(type));
    filter.nothing = filter.types.empty();
    return filter;
}

jobs::Change ended(const MailDue& due, bool sent) {
    return [due, sent](db::Write& db) {
        const auto next = db.now().plus_seconds(sent ? between_mails : gathered_for);
        db.run(
            end_notification_mail,
            due.account,
            due.up_to,
            sent ? std::optional(db.now()) : std::nullopt,
            next,
            due.leased_until
        );
    };
}

// The row waits, not the job: what comes meanwhile is told by the same mail.
jobs::Change put_off(const MailDue& due, base::Time until) {
    return [due, until](db::Write& db) {
        db.run(put_notification_mail_off, due.account, until, due.leased_until);
    };
}

// The newest first, one more than are told where there are more.
std::vector<Notification> worth_telling(
    db::Read& db, AccountId account, const accounts::NotificationChoice& choice, base::Range unread
) {
    const auto audience = statuses::audience(db, account);
    const auto filter = filter_of(choice);
    std::vector<Notification> told;
    unread.limit = most_told + 1;
    for (int page = 0; page < most_pages && std::ssize(told) < unread.limit; ++page) {
        notifications::StatusFacts facts;
        auto found = notifications::notifications(db, audience, unread, filter, facts);
        const bool all = std::ssize(found) < unread.limit;
        if (!all) unread.below = found.back().id.value;
        std::ranges::move(
            notifications::unfiltered(db, audience, std::move(found), facts), std::back_inserter(told)
        );
        if (all) break;
    }
    if (std::ssize(told) > unread.limit) told.erase(told.begin() + unread.limit, told.end());
    return told;
}

}  // namespace

jobs::Change mail_notifications(const base::Ask& ask, db::Read& db, const MailDue& due) {
    // It has left: whatever changed meanwhile, another one would tell the same again.
    if (ask.answered<accounts::SendMail>()) return ended(due, true);
    auto waiting = db.maybe(waiting_for_mail, due.account);
    // The lease ran out and another job has taken over; it sends this mail.
    if (!waiting || waiting->leased_until != due.leased_until) return {};
    auto user = accounts::find_user_of(db, due.account);
    auto account = accounts::find_account(db, due.account);
    if (!user || !user->usable() || !account || account->suspended_at || account->memorial)
        return ended(due, false);
    if (!accounts::notification_mails_are_sent(db)) return ended(due, false);
    const auto choice = accounts::notification_choice(db, due.account);
    if (auto quiet = accounts::quiet_until(choice, db.now())) return put_off(due, *quiet);
    // One may have been sent since it was decided when this one is due.
    const auto earliest = waiting->sent_at.plus_seconds(between_mails);
    if (db.now() < earliest) return put_off(due, earliest);

    base::Range unread;
    unread.below = due.up_to.value + 1;
    unread.above = std::max(
        {waiting->since.value - 1, waiting->sent_up_to.value, notifications::last_read(db, due.account)}
    );
    auto told = worth_telling(db, due.account, choice, unread);
    if (told.empty()) return ended(due, false);
    const bool more = told.size() > most_told;
    if (more) told.pop_back();

    instance::View view;
    Telling telling(db, *user, told);
    std::string what;
    for (const auto& one : told) what = telling.add(view, one);
    if (told.size() > 1) view.add("MANY").count("COUNT", std::ssize(told));
    else view.add("ONE").set("WHAT", what);
    auto stop = accounts::address_to_end_mails(db, due.account, accounts::MailsOf::notifications);
    view.set("STOP", stop).set("ALL", db.site().public_url + "/notifications").show_if(more, "MORE");
    view.set("CHOICE", db.site().public_url + "/settings/notifications");
    accounts::send_mail(ask, db.site(), accounts::recipient(*user), "notifications", view, stop);
    return ended(due, true);
}

}  // namespace notification_mails
