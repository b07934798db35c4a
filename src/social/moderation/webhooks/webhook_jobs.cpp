// SPDX-License-Identifier: AGPL-3.0-or-later
// What a webhook is sent, and what is made of the answer.
#include "base/crypto.hpp"
#include "base/log.hpp"
#include "social/accounts/account.hpp"
#include "social/moderation/alerts/alert.hpp"
#include "social/moderation/report_admin.hpp"
#include "social/moderation/webhooks/webhook.hpp"
#include "social/statuses/render/status_entity.hpp"

#include <stdexcept>

namespace moderation {

namespace {

std::string account_json(db::Read& db, AccountId id) {
    auto found = admin_accounts(db, {id});
    return found.empty() || found[0].domain ? std::string() : base::json::to_string(found[0]);
}

std::string report_json(db::Read& db, ReportId id) {
    return base::json::to_string(entities(db, std::vector{admin_report(db, id)}, {})[0]);
}

// As an anonymous visitor sees it: webhooks never carry restricted posts.
std::string status_json(db::Read& db, StatusId id) {
    auto viewer = statuses::nobody(db);
    auto facts = statuses::visibility_facts(db, viewer, {id});
    if (facts.empty() || !statuses::visible(facts[0], viewer)) return {};
    auto author = accounts::find_account(db, facts[0].account_id);
    return author && author->local() ? statuses::json(db, viewer, facts[0]) : std::string();
}

// Empty: it is gone, or nothing to be told of.
std::string object_of(db::Read& db, const WebhookCall& call) {
    try {
        auto kind = std::string_view(call.event).substr(0, call.event.find('.'));
        if (kind == "account") return account_json(db, {call.subject.value});
        if (kind == "alert") return base::json::to_string(alert(db, {call.subject.value}));
        if (kind == "digest") return digest_content(db, {call.subject.value});
        if (kind == "report") return report_json(db, {call.subject.value});
        return status_json(db, {call.subject.value});
    } catch (const base::NotFound&) {
        return {};
    }
}

base::Fetch request(const Webhook& hook, std::string body) {
    if (!hook.body_template.empty()) body = filled_template(hook.body_template, body);
    base::Fetch out;
    out.url = hook.url;
    out.post = true;
    out.plain_http = true;
    out.cut = true;
    out.most_bytes = 1024;
    out.seconds = 10;  // few jobs wait at a time, and others wait for them
    out.headers = {
        {"Content-Type", "application/json"},
        {"X-Hub-Signature", "sha256=" + base::hex(base::hmac_sha256(hook.secret, body))}
    };
    out.body = std::move(body);
    return out;
}

// Whether it would answer the same another time.
bool is_final(const base::Fetched& answer) {
    if (answer.failure == base::FetchFailure::bad_url ||
        answer.failure == base::FetchFailure::forbidden_address)
        return true;
    if (answer.failure != base::FetchFailure::none) return false;
    bool asks_again = answer.status == 401 || answer.status == 408 || answer.status == 429;
    return (answer.status >= 300 && answer.status < 500 && !asks_again) || answer.status == 501;
}

std::string outcome(const base::Fetched& answer) {
    return answer.failure == base::FetchFailure::none ? std::to_string(answer.status)
                                                      : std::string(base::word(answer.failure));
}

}  // namespace

void send_webhook(const base::Ask& ask, db::Read& db, const WebhookCall& call) {
    auto all = webhooks(db);
    auto hook = std::ranges::find(all, call.webhook, &Webhook::id);
    if (hook == all.end() || !hook->enabled) return;
    auto object = object_of(db, call);
    if (object.empty()) return;
    auto body = R"({"event":")" + call.event + R"(","created_at":")" + base::to_string(call.at) +
                R"(","object":)" + object + "}";
    const auto& answer = ask(TellWebhook{call, request(*hook, std::move(body))});
    if (answer.ok()) return;
    if (!is_final(answer)) throw std::runtime_error("the webhook answered " + outcome(answer));
    base::log_warning(
        "a call of a webhook was given up",
        {{"url", hook->url}, {"event", call.event}, {"answer", outcome(answer)}}
    );
}

}  // namespace moderation
