// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/message.hpp"

#include "base/signing.hpp"
#include "base/text/html/html.hpp"
#include "base/text/spoken_languages.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/profile/picture.hpp"
#include "social/instance/settings.hpp"
#include "social/push/request.hpp"
#include "social/statuses/core/status.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace push {

namespace {

using accounts::AccountId;
using notifications::Notification, notifications::StatusFacts;

// A row with all that belongs to it.
struct Waiting {
    MessageId id;
    PushId subscription;
    std::int64_t attempts = 0;
    std::string endpoint, p256dh, auth;
    bool standard = false;
    AccountId recipient;
    std::int64_t relations_version = 0, permissions = 0;
    std::string locale;
    base::NotificationId notification;
    notifications::Type type = notifications::Type::mention;
    AccountId from;
    base::StatusId status;
};
DESCRIBE(
    Waiting, id, subscription, attempts, endpoint, p256dh, auth, standard, recipient, relations_version,
    permissions, locale, notification, type, from, status
)

using Said = statuses::SaidInStatus;

// As the documentation of the API has it.
struct Payload {
    std::string access_token, preferred_locale;
    std::int64_t notification_id = 0;
    std::string notification_type, icon, title, body;
};
DESCRIBE(Payload, access_token, preferred_locale, notification_id, notification_type, icon, title, body)

}  // namespace

// notifications and notification_clearings belong to notifications, tokens to oauth, the rest to accounts. Who was
// disabled, and who ended the token, is told nothing.
const db::Query<Waiting> waiting_push_messages{
    "waiting_push_messages",
    R"(SELECT p.id, s.id AS subscription, p.attempts, s.endpoint, s.p256dh, s.auth, s.standard,
              u.account_id AS recipient, a.relations_version, r.permissions, u.locale, n.id AS notification, n.type,
              n.from_account_id AS "from", n.status_id AS status
       FROM push_messages p
       CROSS JOIN push_subscriptions s CROSS JOIN users u CROSS JOIN roles r CROSS JOIN accounts a
       CROSS JOIN notifications n
       WHERE p.id IN LIST($1) AND s.id = p.subscription_id AND u.id = s.user_id AND u.disabled = FALSE
         AND r.id = u.role_id AND a.id = u.account_id AND a.suspended_at IS NULL
         AND n.id = p.notification_id AND n.account_id = a.id AND n.filtered = FALSE AND n.created_at > $2
         AND n.id > COALESCE((SELECT up_to FROM notification_clearings WHERE account_id = a.id), 0)
         AND (s.token_id IS NULL OR EXISTS (SELECT 1 FROM tokens t WHERE t.id = s.token_id AND t.revoked_at IS NULL))
       ORDER BY p.id)"
};

namespace {

constexpr std::size_t most_characters = 140;
// All that fits into one record is 3,993 bytes; an address may be as long as it likes.
constexpr std::size_t longest_icon = 2048;

std::string shortened(std::string_view text) {
    std::size_t end = 0, count = 0, before_last = 0;
    for (; end < text.size() && count < most_characters; ++count) {
        before_last = end;
        end += base::text::decode(text, end).size;
    }
    if (end >= text.size()) return std::string(text);
    return std::string(text.substr(0, before_last)) + "…";
}

std::string without_markup(const std::string& html) {
    auto text = base::text::plain_text(html);
    std::ranges::replace(text, '\n', ' ');
    return text;
}

// The spoiler, else the text, else who the sender is.
std::string body_of(const Said* said, const accounts::Account& sender) {
    if (said && !said->spoiler_text.empty()) return shortened(said->spoiler_text);
    auto text = said ? without_markup(said->content) : std::string();
    return shortened(text.empty() ? without_markup(sender.note_html) : text);
}

// One reading of all that the rows need.
class Reading {
public:
    Reading(db::Read& db, const std::vector<Waiting>& rows) : db_(db) {
        std::map<AccountId, std::vector<const Waiting*>> by_recipient;
        std::vector<AccountId> senders;
        for (const auto& row : rows) {
            by_recipient[row.recipient].push_back(&row);
            senders.push_back(row.from);
        }
        std::ranges::sort(senders, {}, &AccountId::value);
        auto twice = std::ranges::unique(senders);
        senders.erase(twice.begin(), twice.end());
        for (auto& one : accounts::accounts(db, senders)) senders_.emplace(one.id, std::move(one));
        std::vector<base::StatusId> shown;
        for (const auto& [recipient, own] : by_recipient) look(recipient, own, shown);
        if (shown.empty()) return;
        for (auto& one : db.all(statuses::said_in_statuses, shown)) said_.emplace(one.id, std::move(one));
    }

    bool is_told(const Waiting& row) const { return told_.contains(row.id); }
    const accounts::Account& sender(const Waiting& row) const { return senders_.at(row.from); }
    const Said* said(const Waiting& row) const {
        auto found = said_.find(row.status);
        return found == said_.end() ? nullptr : &found->second;
    }

private:
    // What this recipient would find among their notifications, without what their filters hide.
    void look(
        AccountId recipient, const std::vector<const Waiting*>& rows, std::vector<base::StatusId>& shown
    ) {
        auto audience = statuses::audience(db_, recipient, rows[0]->relations_version);
        std::vector<Notification> found;
        for (const auto* row : rows) {
            auto sender = senders_.find(row->from);
            if (sender == senders_.end() || sender->second.suspended_at) continue;
            if (!notifications::goes_with(row->type, row->permissions)) continue;
            Notification one;
            one.id = row->notification;
            one.from_account_id = row->from;
            one.status_id = row->status;
            found.push_back(std::move(one));
        }
        StatusFacts facts;
        auto kept = notifications::kept(db_, audience, std::move(found), facts);
        for (const auto& one : notifications::unfiltered(db_, audience, std::move(kept), facts)) {
            if (facts.contains(one.status_id)) shown.push_back(one.status_id);
            for (const auto* row : rows)
                if (row->notification == one.id) told_.insert(row->id);
        }
    }

    db::Read& db_;
    std::map<AccountId, accounts::Account> senders_;
    std::map<base::StatusId, Said> said_;
    std::set<MessageId> told_;
};

std::string payload(const base::Site& site, const Waiting& row, const Reading& reading) {
    const auto& sender = reading.sender(row);
    auto locale = row.locale.empty() ? site.language : row.locale;
    auto language = base::text::language_for({locale, site.language});
    Payload out;
    out.preferred_locale = locale;
    out.notification_id = row.notification.value;
    out.notification_type = notifications::word_of(row.type);
    out.icon = accounts::picture_address(site, sender, accounts::PictureOf::avatar_static);
    if (out.icon.size() > longest_icon) out.icon.clear();
    auto name = sender.display_name.empty() ? sender.username : sender.display_name;
    out.title = notifications::title(row.type, shortened(name), language);
    out.body = body_of(reading.said(row), sender);
    return base::json::to_string(out);
}

}  // namespace

std::vector<Message> messages(db::Read& db, const std::vector<MessageId>& ids) {
    auto rows = db.all(waiting_push_messages, ids, db.now().plus_seconds(-longest_wait_seconds));
    Reading reading(db, rows);
    const auto key = instance::unsubscribe_key(db);
    std::vector<Message> out;
    for (const auto& row : rows) {
        auto point = base::from_base64(row.p256dh), secret = base::from_base64(row.auth);
        if (!reading.is_told(row) || !point || !secret) continue;
        out.push_back(
            {row.id,
             row.subscription,
             row.attempts,
             row.endpoint,
             row.standard,
             {*std::move(point), *std::move(secret)},
             payload(db.site(), row, reading),
             db.site().public_url + "/api/web/push_subscriptions/" + unsubscribe_token(key, row.subscription)}
        );
    }
    return out;
}

Identity identity(db::Read& db) {
    const auto& site = db.site();
    auto contact = site.contact_email.empty() ? site.public_url : "mailto:" + site.contact_email;
    return {instance::vapid_private_key(db), std::move(contact)};
}

}  // namespace push
