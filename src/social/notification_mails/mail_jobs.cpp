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

#include <algorithm>

namespace notification_mails {

namespace {

using notifications::Notification, notifications::Type;

constexpr int most_told = 20;
constexpr std::size_t most_characters = 300;

struct Sent {
    base::NotificationId sent_up_to;
    base::Time sent_at;
};
DESCRIBE(Sent, sent_up_to, sent_at)

struct Said {
    base::StatusId id;
    std::string spoiler_text, content;
};
DESCRIBE(Said, id, spoiler_text, content)

}  // namespace

const db::Query<Sent> notification_mail_sent{
    "notification_mail_sent", "SELECT sent_up_to, sent_at FROM notification_mails WHERE account_id = $1"
};
// statuses belongs to statuses.
const db::Query<Said> statuses_in_mail{
    "statuses_in_mail", "SELECT id, spoiler_text, content FROM statuses WHERE id IN LIST($1)"
};
const db::Command note_notification_mail{
    "note_notification_mail",
    "UPDATE notification_mails SET sent_up_to = $2, sent_at = $3 WHERE account_id = $1 AND sent_up_to < $2"
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
        for (auto& one : db.all(statuses_in_mail, about)) said_.emplace(one.id, std::move(one));
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
    base::IdMap<base::StatusId, Said> said_;
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

}  // namespace

jobs::Change mail_notifications(const base::Ask& ask, db::Read& db, const MailDue& due) {
    auto user = accounts::find_user_of(db, due.account);
    auto account = accounts::find_account(db, due.account);
    auto sent = db.maybe(notification_mail_sent, due.account);
    if (!user || !user->usable() || !sent) return {};
    if (!account || account->suspended_at || account->memorial) return {};
    if (!accounts::notification_mails_are_sent(db)) return {};
    const auto choice = accounts::notification_choice(db, due.account);
    accounts::wait_while_quiet(db, choice);
    // One that was tried for a while may have been sent just now.
    const auto early = sent->sent_at.plus_seconds(between_mails).ms - db.now().ms;
    if (early > 0) throw jobs::Reschedule((early + 999) / 1000);

    const auto audience = statuses::audience(db, due.account);
    base::Range unread;
    unread.above =
        std::max({due.since.value - 1, sent->sent_up_to.value, notifications::last_read(db, due.account)});
    unread.limit = most_told + 1;
    notifications::StatusFacts facts;
    auto found = notifications::notifications(db, audience, unread, filter_of(choice), facts);
    auto told = notifications::unfiltered(db, audience, std::move(found), facts);
    if (told.empty()) return {};
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
    return [account = due.account, newest = told.front().id](db::Write& write) {
        write.run(note_notification_mail, account, newest, write.now());
    };
}

}  // namespace notification_mails
