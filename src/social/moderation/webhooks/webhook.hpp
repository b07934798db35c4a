// SPDX-License-Identifier: AGPL-3.0-or-later
// Webhooks: URLs of the operator that get events by POST, signed with a shared secret. The event is recorded
// in the transaction of the change; a job sends it, and retries on failure.
#pragma once
#include "base/ask.hpp"
#include "base/fetch.hpp"
#include "jobs/reactions.hpp"
#include "social/accounts/profile/profile.hpp"
#include "social/accounts/users/role.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/moderation/report.hpp"
#include "social/statuses/writing/edit.hpp"

namespace moderation {

using WebhookId = base::Id<struct WebhookTag>;
using WebhookSubjectId = base::Id<struct WebhookSubjectTag>;  // an account, report, post, alert or digest

struct Webhook {
    WebhookId id;
    std::string url;
    std::string events;  // JSON
    std::string secret, body_template;
    bool enabled = true;
    Time created_at, updated_at;
};
DESCRIBE(Webhook, id, url, events, secret, body_template, enabled, created_at, updated_at)

std::vector<std::string_view> webhook_events();
std::vector<Webhook> webhooks(db::Read&);
Webhook webhook(db::Read&, WebhookId);  // throws NotFound

struct WebhookForm {
    std::optional<std::string> url, secret, body_template;
    std::optional<std::vector<std::string>> events;
    std::optional<bool> enabled;
};
// Each needs manage_webhooks and the permissions for each of its events. Throw Forbidden, Invalid and
// NotFound.
WebhookId add_webhook(db::Write&, const accounts::Actor&, const WebhookForm&);
void edit_webhook(db::Write&, const accounts::Actor&, WebhookId, const WebhookForm&);
void renew_secret(db::Write&, const accounts::Actor&, WebhookId);
void remove_webhook(db::Write&, const accounts::Actor&, WebhookId);

// Records the event for all webhooks that subscribe to it.
void call_webhooks(db::Write&, std::string_view event, std::int64_t subject);

// Event, and what a job carries.
struct WebhookCall {
    WebhookId webhook;
    std::string event;
    WebhookSubjectId subject;
    Time at;
};
DESCRIBE(WebhookCall, webhook, event, subject, at)

// The question that sends a call. It is identified by the call alone, so that a call is sent once even if its
// subject changes before the answer is processed.
struct TellWebhook {
    WebhookCall call;
    base::Fetch request;
    using Answer = base::Fetched;
};
BOOST_DESCRIBE_STRUCT(TellWebhook, (), (call))

// A template for the body: a text with {{path.to.0.value}} in it. Strings are inserted JSON-escaped without
// the quotes, other values as JSON, missing ones as null.
bool is_webhook_template(std::string_view);
std::string filled_template(std::string_view text, std::string_view json);

// Reactions
void call_for_sign_up(db::Write&, const accounts::SignedUp&);
void call_for_activated(db::Write&, const accounts::Activated&);
void call_for_profile(db::Write&, const accounts::ProfileChanged&);
void call_for_report(db::Write&, const Reported&);
void call_for_post(db::Write&, const statuses::Published&);
void call_for_edit(db::Write&, const statuses::Edited&);
void send_webhook(const base::Ask&, db::Read&, const WebhookCall&);

jobs::Change take_webhook_calls(db::Read&);  // periodic

}  // namespace moderation
