// SPDX-License-Identifier: AGPL-3.0-or-later
// Webhooks: addresses of the operator's that are told by POST what happens here, each call signed with a secret that both
// sides know. What happened is noted beside the change itself; a job sends it, and tries again where nobody answers.
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
// Each needs manage_webhooks and what opens each of its events. Throw Forbidden, Invalid and NotFound.
WebhookId add_webhook(db::Write&, const accounts::Actor&, const WebhookForm&);
void edit_webhook(db::Write&, const accounts::Actor&, WebhookId, const WebhookForm&);
void renew_secret(db::Write&, const accounts::Actor&, WebhookId);
void remove_webhook(db::Write&, const accounts::Actor&, WebhookId);

// Notes what happened for all that want to know of it.
void call_webhooks(db::Write&, std::string_view event, std::int64_t subject);

// Event, and what a job carries.
struct WebhookCall {
    WebhookId webhook;
    std::string event;
    WebhookSubjectId subject;
    Time at;
};
DESCRIBE(WebhookCall, webhook, event, subject, at)

// What the address is asked. A call is made once, whatever became of what it tells of until its answer is looked at: the
// call alone says which question this is.
struct TellWebhook {
    WebhookCall call;
    base::Fetch request;
    using Answer = base::Fetched;
};
BOOST_DESCRIBE_STRUCT(TellWebhook, (), (call))

// What is sent where the operator wants another form: a text with {{path.to.0.value}} in it. Strings are put in as JSON
// writes them, without the quotes; all else as JSON, what is not there as null.
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
