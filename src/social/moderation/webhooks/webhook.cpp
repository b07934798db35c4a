// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/moderation/webhooks/webhook.hpp"

#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "social/moderation/audit.hpp"

#include <algorithm>

namespace moderation {

namespace {

namespace permission = accounts::permission;
using accounts::Actor;

// Each with what it takes to be told of it.
constexpr std::pair<std::string_view, std::int64_t> events[] = {
    {"account.created", permission::manage_users},
    {"account.approved", permission::manage_users},
    {"account.updated", permission::manage_users},
    {"alert.began", permission::view_devops},
    {"alert.ended", permission::view_devops},
    {"digest.written", permission::view_devops},
    {"report.created", permission::manage_reports},
    {"report.updated", permission::manage_reports},
    {"status.created", permission::view_devops},
    {"status.updated", permission::view_devops},
};

using Events = std::vector<std::string>;

Events events_of(const Webhook& hook) { return base::json::read<Events>(hook.events); }

void require_events(const Actor& who, const Events& wanted) {
    accounts::require(who, permission::manage_webhooks);
    for (const auto& [name, needed] : events)
        if (std::ranges::find(wanted, name) != wanted.end()) accounts::require(who, needed);
}

Subject subject(const Webhook& hook) { return {"Webhook", hook.id.value, hook.url}; }

std::string new_secret() { return base::hex(base::random_bytes(20)); }

void check(const Webhook& hook) {
    constexpr std::size_t longest = 2048, shortest_secret = 12, longest_template = 10'000;
    bool is_address = hook.url.starts_with("https://") || hook.url.starts_with("http://");
    if (!is_address || hook.url.size() > longest || hook.url.find_first_of(" \t\r\n") != std::string::npos)
        throw base::Invalid("Validation failed: Url is invalid");
    auto wanted = events_of(hook);
    if (wanted.empty()) throw base::Invalid("Validation failed: Events can't be blank");
    for (const auto& one : wanted)
        if (std::ranges::find(events, one, &std::pair<std::string_view, std::int64_t>::first) ==
            std::end(events))
            throw base::Invalid("Validation failed: Events is not included in the list");
    if (hook.secret.size() < shortest_secret)
        throw base::Invalid("Validation failed: Secret is too short (minimum is 12 characters)");
    if (hook.body_template.size() > longest_template || !is_webhook_template(hook.body_template))
        throw base::Invalid("Validation failed: Template is invalid");
}

Webhook with(Webhook before, const WebhookForm& form) {
    if (form.url) before.url = *form.url;
    if (form.secret && !form.secret->empty()) before.secret = *form.secret;
    if (form.body_template) before.body_template = *form.body_template;
    if (form.enabled) before.enabled = *form.enabled;
    if (form.events) {
        auto sorted = *form.events;
        std::ranges::sort(sorted);
        auto same = std::ranges::unique(sorted);
        sorted.erase(same.begin(), same.end());
        before.events = base::json::to_string(sorted);
    }
    return before;
}

}  // namespace

#define WEBHOOKS                                                                                  \
    "SELECT id, url, events, secret, template AS body_template, enabled, created_at, updated_at " \
    "FROM webhooks "

const db::Query<Webhook> all_webhooks{"all_webhooks", WEBHOOKS "ORDER BY id"};
const db::Query<Webhook> webhook_by_id{"webhook_by_id", WEBHOOKS "WHERE id = $1"};
const db::Command put_webhook{
    "put_webhook",
    R"(INSERT INTO webhooks (id, url, events, secret, template, enabled, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
       ON CONFLICT (id) DO UPDATE SET url = excluded.url, events = excluded.events, secret = excluded.secret,
           template = excluded.template, enabled = excluded.enabled, updated_at = excluded.updated_at)"
};
const db::Command delete_webhook{"delete_webhook", "DELETE FROM webhooks WHERE id = $1"};

std::vector<std::string_view> webhook_events() {
    std::vector<std::string_view> out;
    for (const auto& [name, needed] : events) out.push_back(name);
    return out;
}

std::vector<Webhook> webhooks(db::Read& db) { return db.all(all_webhooks); }

Webhook webhook(db::Read& db, WebhookId id) { return db.one(webhook_by_id, id); }

namespace {

void put(db::Write& db, const Actor& who, const Webhook& hook, std::string_view action) {
    check(hook);
    require_events(who, events_of(hook));
    db.run(
        put_webhook, hook.id, hook.url, hook.events, hook.secret, hook.body_template, hook.enabled, db.now()
    );
    log(db, who, action, subject(hook));
}

Webhook opened(db::Read& db, const Actor& who, WebhookId id) {
    accounts::require(who, permission::manage_webhooks);
    auto hook = webhook(db, id);
    require_events(who, events_of(hook));
    return hook;
}

}  // namespace

WebhookId add_webhook(db::Write& db, const Actor& who, const WebhookForm& form) {
    accounts::require(who, permission::manage_webhooks);
    Webhook made{db.new_id<WebhookId>(), {}, "[]", new_secret()};
    put(db, who, with(std::move(made), form), "create");
    return made.id;
}

void edit_webhook(db::Write& db, const Actor& who, WebhookId id, const WebhookForm& form) {
    put(db, who, with(opened(db, who, id), form), "update");
}

void renew_secret(db::Write& db, const Actor& who, WebhookId id) {
    auto hook = opened(db, who, id);
    hook.secret = new_secret();
    put(db, who, hook, "update");
}

void remove_webhook(db::Write& db, const Actor& who, WebhookId id) {
    auto gone = opened(db, who, id);
    db.run(delete_webhook, id);
    log(db, who, "destroy", subject(gone));
}

// ---- calls ----

// One statement whose answer nobody waits for: it stands beside every post.
const db::Command note_webhook_calls{
    "note_webhook_calls",
    R"(INSERT INTO webhook_calls (webhook_id, event, subject, at)
       SELECT id, CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM webhooks
       WHERE enabled = TRUE AND events LIKE $4 ON CONFLICT (webhook_id, event, subject, at) DO NOTHING)"
};
const db::Query<WebhookCall> waiting_webhook_calls{
    "waiting_webhook_calls",
    "SELECT webhook_id AS webhook, event, subject, at FROM webhook_calls ORDER BY webhook_id, event LIMIT 200"
};
const db::Command take_webhook_call{
    "take_webhook_call",
    "DELETE FROM webhook_calls WHERE webhook_id = $1 AND event = $2 AND subject = $3 AND at = $4"
};

void call_webhooks(db::Write& db, std::string_view event, std::int64_t subject) {
    db.run(note_webhook_calls, event, subject, db.now(), "%\"" + std::string(event) + "\"%");
}

jobs::Change take_webhook_calls(db::Read& db) {
    auto waiting = db.all(waiting_webhook_calls);
    if (waiting.empty()) return {};
    return [waiting = std::move(waiting)](db::Write& write) {
        for (const auto& call : waiting)
            if (write.run(take_webhook_call, call.webhook, call.event, call.subject, call.at) != 0)
                write.emit(call);
    };
}

void call_for_sign_up(db::Write& db, const accounts::SignedUp& e) {
    call_webhooks(db, "account.created", e.account.value);
}
void call_for_activated(db::Write& db, const accounts::Activated& e) {
    call_webhooks(db, "account.approved", e.account.value);
}
void call_for_profile(db::Write& db, const accounts::ProfileChanged& e) {
    call_webhooks(db, "account.updated", e.account.value);
}
void call_for_report(db::Write& db, const Reported& e) {
    call_webhooks(db, "report.created", e.report.value);
}
void call_for_post(db::Write& db, const statuses::Published& e) {
    if (e.local) call_webhooks(db, "status.created", e.id.value);
}
void call_for_edit(db::Write& db, const statuses::Edited& e) {
    call_webhooks(db, "status.updated", e.id.value);
}

}  // namespace moderation
