// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "social/accounts/account.hpp"
#include "social/accounts/users/email_subscriptions.hpp"
#include "social/accounts/users/mail.hpp"
#include "social/email_digests/subscription.hpp"

namespace email_digests {

namespace {

// What is posted in quick succession comes in one mail.
constexpr std::int64_t gathered_for = 15 * 60;

struct Subscription {
    SubscriptionId id;
    AccountId account_id;
    std::string email;
    base::StatusId sent_up_to;
};
DESCRIBE(Subscription, id, account_id, email, sent_up_to)

struct Due {
    AccountId account_id;
};
DESCRIBE(Due, account_id)

struct Post {
    base::StatusId id;
    std::string spoiler_text, text;
};
DESCRIBE(Post, id, spoiler_text, text)

std::string name_of(const accounts::Account& account) {
    return account.display_name.empty() ? "@" + account.username : account.display_name;
}

}  // namespace

const db::Query<Subscription> email_subscription_waiting{
    "email_subscription_waiting",
    R"(SELECT id, account_id, email, sent_up_to FROM email_subscriptions
       WHERE id = $1 AND confirmation_hash = $2)"
};

void mail_subscription(const base::Ask& ask, db::Read& db, const SubscriptionWanted& event) {
    auto wanted = db.maybe(email_subscription_waiting, event.id, base::sha256_hex(event.secret));
    if (!wanted || !accounts::offers_digests(db, wanted->account_id)) return;
    auto account = accounts::account(db, wanted->account_id);
    instance::View view;
    view.set("NAME", name_of(account))
        .set("HANDLE", "@" + account.username + "@" + db.site().domain)
        .set(
            "LINK",
            db.site().public_url + "/email_subscriptions/confirmation?confirmation_token=" + event.secret
        );
    accounts::send_mail(ask, db.site(), {wanted->email}, "subscription", view);
}

// statuses belongs to its slice. Answers to others make no sense alone; what is for people of this site stays there.
#define SENDABLE_POST                                                                                       \
    "s.deleted_at IS NULL AND s.visibility = 'public' AND s.reblog_of_id IS NULL AND s.local_only = FALSE " \
    "AND s.in_reply_to_id IS NULL"

const db::Command note_digests_due{
    "note_digests_due",
    "INSERT INTO email_digests_due (account_id, due_at) SELECT s.account_id, CAST($2 AS BIGINT) FROM "
    "statuses s "
    "WHERE s.id = $1 AND " SENDABLE_POST
    " AND EXISTS (SELECT 1 FROM email_subscriptions e WHERE e.account_id = s.account_id "
    "AND e.confirmed_at IS NOT NULL) ON CONFLICT (account_id) DO NOTHING"
};

void want_digests(db::Write& db, const statuses::Published& event) {
    if (!event.local) return;
    db.run_last(note_digests_due, event.id, db.now().plus_seconds(gathered_for));
}

const db::Query<Due> take_digests_due{
    "take_digests_due",
    R"(DELETE FROM email_digests_due WHERE account_id IN (
           SELECT account_id FROM email_digests_due WHERE due_at <= $1 ORDER BY due_at LIMIT 100)
       RETURNING account_id)"
};

void announce_digests(db::Write& db) {
    for (const auto& due : db.all(take_digests_due, db.now())) db.emit(DigestsDue{due.account_id, {}});
}

const db::Query<SubscriptionId> confirmed_subscriptions{
    "confirmed_subscriptions",
    R"(SELECT id FROM email_subscriptions WHERE account_id = $1 AND id > $2 AND confirmed_at IS NOT NULL
       ORDER BY id LIMIT 200)"
};

void begin_digests(db::Write& db, const DigestsDue& event) {
    if (!accounts::offers_digests(db, event.account)) return;
    auto page = db.all(confirmed_subscriptions, event.account, event.after);
    for (auto id : page) db.emit(DigestDue{id});
    if (page.size() == 200) db.emit(DigestsDue{event.account, page.back()});
}

const db::Query<Subscription> confirmed_subscription{
    "confirmed_subscription",
    R"(SELECT id, account_id, email, sent_up_to FROM email_subscriptions
       WHERE id = $1 AND confirmed_at IS NOT NULL)"
};
const db::Query<Post> posts_to_send{
    "posts_to_send",
    "SELECT s.id, s.spoiler_text, s.text FROM statuses s WHERE s.account_id = $1 AND s.id > $2 "
    "AND " SENDABLE_POST " ORDER BY s.id LIMIT 20"
};
const db::Command note_digest_sent{
    "note_digest_sent", "UPDATE email_subscriptions SET sent_up_to = $2 WHERE id = $1 AND sent_up_to < $2"
};

jobs::Change mail_digest(const base::Ask& ask, db::Read& db, const DigestDue& event) {
    auto to = db.maybe(confirmed_subscription, event.id);
    if (!to || !accounts::offers_digests(db, to->account_id)) return {};
    auto posts = db.all(posts_to_send, to->account_id, to->sent_up_to);
    if (posts.empty()) return {};
    auto account = accounts::account(db, to->account_id);
    auto stop = db.site().public_url + "/email_subscriptions/" + unsubscribe_token(db, to->id);
    instance::View view;
    view.set("NAME", name_of(account))
        .set("STOP", stop)
        .count("COUNT", static_cast<std::int64_t>(posts.size()));
    for (const auto& post : posts) {
        auto& shown = view.add("POST");
        shown.set("TEXT", post.spoiler_text.empty() ? post.text : post.spoiler_text)
            .set("LINK", accounts::url_of(db.site(), account) + "/" + std::to_string(post.id.value));
        shown.show_if(!post.spoiler_text.empty(), "WARNED");
    }
    accounts::send_mail(ask, db.site(), {to->email}, "posts", view, stop);
    return [id = to->id, last = posts.back().id, more = posts.size() == 20](db::Write& write) {
        if (write.run(note_digest_sent, id, last) > 0 && more) write.emit(DigestDue{id});
    };
}

}  // namespace email_digests
