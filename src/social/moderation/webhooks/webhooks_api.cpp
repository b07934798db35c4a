// SPDX-License-Identifier: AGPL-3.0-or-later
// Webhooks, and whether sign-ups wait for approval: what staff sets up.
#include "base/json_read.hpp"
#include "http/route.hpp"
#include "social/moderation/attendance.hpp"
#include "social/moderation/webhooks/webhook.hpp"

namespace moderation {
namespace {

using http::Viewer;

struct WebhookEntity {
    WebhookId id;
    std::string url;
    std::vector<std::string> events;
    std::string secret, template_;
    bool enabled = true;
    Time created_at, updated_at;
};
DESCRIBE(WebhookEntity, id, url, events, secret, template_, enabled, created_at, updated_at)

WebhookEntity shown(const Webhook& one) {
    return {
        one.id,
        one.url,
        base::json::read<std::vector<std::string>>(one.events),
        one.secret,
        one.body_template,
        one.enabled,
        one.created_at,
        one.updated_at
    };
}

std::vector<WebhookEntity> index(db::Read& db, const Viewer&) {
    std::vector<WebhookEntity> out;
    for (const auto& one : webhooks(db)) out.push_back(shown(one));
    return out;
}

struct ById {
    WebhookId id;
};
DESCRIBE(ById, id)

WebhookEntity show(db::Read& db, const Viewer&, const ById& path) { return shown(webhook(db, path.id)); }

struct Fields {
    std::optional<std::string> url, secret, template_;
    std::optional<std::vector<std::string>> events;
    std::optional<bool> enabled;
};
DESCRIBE(Fields, url, secret, template_, events, enabled)

WebhookForm form_of(const Fields& given) {
    return {given.url, given.secret, given.template_, given.events, given.enabled};
}

WebhookId create(db::Write& db, const Viewer& me, const Fields& form) {
    return add_webhook(db, accounts::actor(db, me.account), form_of(form));
}

void change(db::Write& db, const Viewer& me, const ById& path, const Fields& form) {
    edit_webhook(db, accounts::actor(db, me.account), path.id, form_of(form));
}

void rotate(db::Write& db, const Viewer& me, const ById& path) {
    renew_secret(db, accounts::actor(db, me.account), path.id);
}

void destroy(db::Write& db, const Viewer& me, const ById& path) {
    remove_webhook(db, accounts::actor(db, me.account), path.id);
}

struct Registrations {
    std::string registrations;
};
DESCRIBE(Registrations, registrations)

Registrations show_registrations(db::Read& db, const Viewer&) { return {registrations(db)}; }

BOOST_DEFINE_ENUM_CLASS(Mode, open, approval)
struct ModeForm {
    http::Required<Mode> mode;
};
DESCRIBE(ModeForm, mode)

void change_registrations(db::Write& db, const Viewer& me, const ModeForm& form) {
    set_approval(db, accounts::actor(db, me.account), *form.mode == Mode::approval);
}

// clang-format off
constexpr http::Route table[] = {
    http::get<index>         ("/api/dunlin/v1/moderation/webhooks",            "admin:read"),
    http::post<create, show> ("/api/dunlin/v1/moderation/webhooks",            "admin:write"),
    http::get<show>          ("/api/dunlin/v1/moderation/webhooks/:id",        "admin:read"),
    http::put<change, show>  ("/api/dunlin/v1/moderation/webhooks/:id",        "admin:write"),
    http::post<rotate, show> ("/api/dunlin/v1/moderation/webhooks/:id/rotate", "admin:write"),
    http::del<destroy>       ("/api/dunlin/v1/moderation/webhooks/:id",        "admin:write"),
    http::get<show_registrations>                       ("/api/dunlin/v1/moderation/registrations", "admin:read"),
    http::put<change_registrations, show_registrations> ("/api/dunlin/v1/moderation/registrations", "admin:write"),
};
// clang-format on

}  // namespace

std::span<const http::Route> webhook_routes() { return table; }

}  // namespace moderation
