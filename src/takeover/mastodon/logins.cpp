// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/json_read.hpp"
#include "base/signing.hpp"
#include "base/text/utf8.hpp"
#include "social/accounts/users/sign_up.hpp"
#include "social/accounts/users/user.hpp"
#include "social/notifications/notification.hpp"
#include "takeover/mastodon/reading.hpp"

#include <map>

namespace takeover::mastodon {

void copy_apps(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Application>("app", "oauth_applications", position, sink, [&](const Application& a) {
        if (a.superapp) return;  // its own web client
        AppRow row;
        row.id = a.id;
        row.created_at = a.created_at.value_or(r.choice.now);
        row.name = a.name;
        row.website = a.website;
        row.redirect_uris = a.redirect_uri;
        std::ranges::replace_if(row.redirect_uris, [](char c) { return c == ' ' || c == '\r'; }, '\n');
        row.scopes = known_scopes(a.scopes).value_or("read");
        row.client_id = a.uid;
        row.secret_hash = base::sha256_hex(a.secret);
        sink.put(std::move(row), "app", std::to_string(a.id), "another app has its client id");
    });
}

namespace {

// What somebody set for themselves: JSON, in which what was never touched lacks.
class Chosen {
public:
    explicit Chosen(const std::string& json) {
        try {
            if (!json.empty()) all_ = base::json::parse(json);
        } catch (const std::exception&) {
            all_ = nullptr;
        }
    }
    bool has(const char* name) const { return find(name) != nullptr; }
    MaybeText text(const char* name) const {
        const auto* value = find(name);
        if (!value || !value->is_string()) return std::nullopt;
        return given(std::string(std::string_view(value->get_string())));
    }
    bool truth(const char* name, bool otherwise) const {
        const auto* value = find(name);
        if (!value) return otherwise;
        if (value->is_bool()) return value->get_bool();
        return value->is_string() ? value->get_string() == "true" || value->get_string() == "1" : otherwise;
    }

private:
    const boost::json::value* find(const char* name) const {
        const auto* object = all_.if_object();
        return object ? object->if_contains(name) : nullptr;
    }
    boost::json::value all_;
};

template <std::size_t N>
bool is_one_of(const MaybeText& word, const char* const (&words)[N]) {
    return word && std::ranges::find(words, *word) != std::end(words);
}

// What somebody gets mails about. Both servers begin with the same ones; nothing: this person chose none.
std::optional<accounts::NotificationChoice> mails_of(const User& u, const Chosen& chosen) {
    using accounts::NotificationChoice;
    constexpr std::pair<const char*, bool NotificationChoice::*> kinds[] = {
        {"notification_emails.mention", &NotificationChoice::mail_mention},
        {"notification_emails.quote", &NotificationChoice::mail_quote},
        {"notification_emails.follow", &NotificationChoice::mail_follow},
        {"notification_emails.follow_request", &NotificationChoice::mail_follow_request},
        {"notification_emails.reblog", &NotificationChoice::mail_reblog},
        {"notification_emails.favourite", &NotificationChoice::mail_favourite},
        {"notification_emails.report", &NotificationChoice::mail_report},
        {"notification_emails.appeal", &NotificationChoice::mail_appeal},
    };
    if (std::ranges::none_of(kinds, [&](const auto& kind) { return chosen.has(kind.first); }))
        return std::nullopt;
    NotificationChoice out;
    for (const auto& [name, member] : kinds) out.*member = chosen.truth(name, out.*member);
    if (u.time_zone && accounts::is_time_zone(*u.time_zone)) out.time_zone = *u.time_zone;
    return out;
}

}  // namespace

void choose(const User& u, UserRow& row) {
    const Chosen chosen(u.settings);
    if (auto word = chosen.text("default_privacy"); is_one_of(word, {"public", "unlisted", "private"}))
        row.default_privacy = word;
    if (auto word = chosen.text("default_quote_policy"); is_one_of(word, {"public", "followers", "nobody"}))
        row.default_quote_policy = *word;
    if (auto word = chosen.text("web.display_media"); is_one_of(word, {"default", "show_all", "hide_all"}))
        row.expand_media = *word;
    row.default_sensitive = chosen.truth("default_sensitive", false);
    row.default_language = chosen.text("default_language");
    row.show_application = chosen.truth("show_application", true);
    row.expand_spoilers = chosen.truth("web.expand_content_warnings", false);
    row.autoplay_gifs = chosen.truth("web.auto_play", false);
    row.mails = mails_of(u, chosen);
}

namespace {

void add_second_factor(const Reading& r, const User& u, UserRow& row, Sink& sink) {
    if (!u.otp_required_for_login) return;
    const auto secret = r.secrets.open(u.otp_secret);
    auto key = secret ? from_base32(*secret) : std::nullopt;
    if (!key)
        return sink.refuse(
            "second factor",
            std::to_string(u.id),
            "its secret cannot be read: " + row.email + " signs in without"
        );
    row.authenticator = *std::move(key);
    row.last_step = u.consumed_timestep.value_or(0);
    row.second_factor_at = u.created_at;
    row.recovery_codes = known_recovery_codes(u.otp_backup_codes.items);
}

std::map<Id, std::string> codes_of_invites(const Reading& r) {
    std::map<Id, std::string> out;
    if (!r.has("invites")) return out;
    r.db.run(
        "SELECT u.id, i.code FROM users u JOIN invites i ON i.id = u.invite_id",
        {},
        [&](const db::Foreign::Row& row) {
            out.emplace(std::stoll(std::string(row[0].value_or("0"))), db::Foreign::shown(row[1]));
        }
    );
    return out;
}

std::map<Id, std::string> reasons(const Reading& r) {
    std::map<Id, std::string> out;
    if (!r.has("user_invite_requests")) return out;
    constexpr std::size_t longest = 2000;
    r.db.run(
        "SELECT user_id, text FROM user_invite_requests WHERE text IS NOT NULL",
        {},
        [&](const db::Foreign::Row& row) {
            out.emplace(
                std::stoll(std::string(row[0].value_or("0"))),
                base::text::clean_utf8(row[1].value_or("").substr(0, longest))
            );
        }
    );
    return out;
}

}  // namespace

void copy_users(const Reading& r, const std::string& position, Sink& sink) {
    const auto codes = codes_of_invites(r);
    const auto asked = reasons(r);
    r.each<User>("user", "users", position, sink, [&](const User& u) {
        const auto former = std::to_string(u.id);
        const auto account = r.account(sink, u.account_id);
        if (!account) return sink.refuse("user", former, "its account did not come along");
        UserRow row;
        row.id = u.id;
        row.account_id = *account;
        row.role_id = accounts::everyone.value;
        if (u.role_id != 0)
            row.role_id = sink.numbers.find("role", std::to_string(u.role_id)).value_or(u.role_id);
        row.email = accounts::normal_email(u.email);
        row.password_hash = u.encrypted_password;
        row.confirmed_at = u.confirmed_at;
        row.approved = u.approved;
        row.disabled = u.disabled;
        row.locale = u.locale.empty() ? "en" : u.locale;
        row.time_zone = u.time_zone;
        row.unconfirmed_email = given(u.unconfirmed_email);
        if (u.chosen_languages && !u.chosen_languages->items.empty())
            row.chosen_languages = base::json::to_string(u.chosen_languages->items);
        if (u.created_by_application_id != 0 &&
            !sink.is_refused("app", std::to_string(u.created_by_application_id)))
            row.created_by_app = u.created_by_application_id;
        if (const auto of = asked.find(u.id); of != asked.end()) row.reason = given(of->second);
        if (const auto of = codes.find(u.id); of != codes.end()) row.invite_code = given(of->second);
        row.age_verified_at = u.age_verified_at;
        row.last_active_at = u.current_sign_in_at;
        row.created_at = u.created_at;
        choose(u, row);
        add_second_factor(r, u, row, sink);
        sink.put(std::move(row), "user", former, "somebody else has this e-mail address, or this account");
    });
}

void copy_passkeys(const Reading& r, const std::string& position, Sink& sink) {
    r.each<Passkey>("passkey", "webauthn_credentials", position, sink, [&](const Passkey& p) {
        const auto former = std::to_string(p.id);
        if (sink.is_refused("user", std::to_string(p.user_id))) return;
        const auto id = base::from_base64(p.external_id), cose = base::from_base64(p.public_key);
        const auto key = cose ? passkey_of_cose(*cose) : std::nullopt;
        if (!id || id->empty() || !key)
            return sink.refuse("passkey", former, "its key is of a kind that is not known here");
        PasskeyRow row;
        row.id = p.id;
        row.user_id = p.user_id;
        row.credential = base::base64url(*id);
        row.public_key = base::base64url(key->bytes);
        row.algorithm = key->algorithm;
        row.name = p.nickname;
        row.uses = p.sign_count;
        row.created_at = p.created_at;
        sink.put(std::move(row), "passkey", former, "another one is the same");
    });
}

void copy_web_settings(const Reading& r, const std::string& position, Sink& sink) {
    constexpr std::size_t largest = 100'000;
    r.each<WebSettings>("web settings", "web_settings", position, sink, [&](const WebSettings& w) {
        if (sink.is_refused("user", std::to_string(w.user_id)) || !w.data.starts_with('{')) return;
        if (w.data.size() > largest)
            return sink.refuse("web settings", std::to_string(w.id), "they are too large");
        sink.put(WebSettingsRow{w.user_id, w.data});
    });
}

void copy_invites(const Reading& r, const std::string& position, Sink& sink) {
    if (!r.has("invites")) return;
    r.each_of<Invite>(
        "invite",
        "(SELECT i.*, u.account_id FROM invites i JOIN users u ON u.id = i.user_id) AS x",
        position,
        sink,
        [&](const Invite& i) {
            if (!r.account(sink, i.account_id) || i.code.empty()) return;
            sink.put(
                InviteRow{i.code, i.account_id, i.expires_at, i.max_uses, i.uses, i.autofollow, i.created_at}
            );
        }
    );
}

void copy_tokens(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<Token>(
        "token",
        "(SELECT t.* FROM oauth_access_tokens t JOIN oauth_applications a ON a.id = t.application_id WHERE "
        "NOT "
        "a.superapp) AS x",
        position,
        sink,
        [&](const Token& t) {
            // One that ends by itself would not end here.
            if (t.revoked_at || t.expires_in || t.token.empty()) return;
            if (sink.is_refused("app", std::to_string(t.application_id))) return;
            if (t.resource_owner_id != 0 && sink.is_refused("user", std::to_string(t.resource_owner_id)))
                return;
            const auto scopes = known_scopes(t.scopes);
            if (!scopes)
                return sink.refuse("token", std::to_string(t.id), "nothing that it allows is known here");
            TokenRow row;
            row.id = t.id;
            row.token_hash = base::sha256_hex(t.token);
            row.app_id = t.application_id;
            if (t.resource_owner_id != 0) row.user_id = t.resource_owner_id;
            row.scopes = *scopes;
            row.created_at = t.created_at;
            row.last_used_at = t.last_used_at;
            sink.put(std::move(row), "token", std::to_string(t.id), "another token is the same");
        }
    );
}

namespace {

std::string alerts_of(const std::string& data) {
    std::map<std::string, bool> out;
    try {
        const auto all = base::json::parse(data);
        if (const auto* alerts = all.as_object().if_contains("alerts"); alerts && alerts->is_object())
            for (const auto& [name, value] : alerts->get_object()) {
                if (!notifications::type_named(name)) continue;
                out[std::string(name)] =
                    value.is_bool()
                        ? value.get_bool()
                        : value.is_string() && (value.get_string() == "true" || value.get_string() == "1");
            }
    } catch (const std::exception&) {
        out.clear();
    }
    return base::json::to_string(out);
}

std::string policy_of(const std::string& data) {
    const auto word = Chosen(data).text("policy");
    return is_one_of(word, {"all", "followed", "follower", "none"}) ? *word : "all";
}

}  // namespace

// Those of apps; the web client of before asked for its own.
void copy_pushes(const Reading& r, const std::string& position, Sink& sink) {
    r.each_of<PushSubscription>(
        "push",
        "(SELECT x.id, x.endpoint, x.key_p256dh, x.key_auth, x.data, x.created_at, x.access_token_id, "
        "t.resource_owner_id AS user_id, x.standard FROM " +
            table<PushSubscription>(r.db, "web_push_subscriptions") +
            " JOIN oauth_access_tokens t ON t.id = x.access_token_id JOIN oauth_applications a ON a.id = "
            "t.application_id WHERE NOT a.superapp AND t.revoked_at IS NULL AND t.expires_in IS NULL AND "
            "t.resource_owner_id IS NOT NULL) AS x",
        position,
        sink,
        [&](const PushSubscription& p) {
            const auto former = std::to_string(p.id);
            if (sink.is_refused("token", std::to_string(p.access_token_id)) ||
                sink.is_refused("user", std::to_string(p.user_id)))
                return;
            const auto keys = push_keys(p.endpoint, p.key_p256dh, p.key_auth);
            if (!keys) return sink.refuse("push", former, "its keys or its address are none");
            PushRow row;
            row.id = p.id;
            row.user_id = p.user_id;
            row.token_id = p.access_token_id;
            row.endpoint = p.endpoint;
            row.p256dh = keys->p256dh;
            row.auth = keys->auth;
            row.standard = p.standard;
            row.policy = policy_of(p.data);
            row.alerts = alerts_of(p.data);
            row.created_at = p.created_at;
            sink.put(std::move(row), "push", former, "its token has another subscription");
        }
    );
}

}  // namespace takeover::mastodon
