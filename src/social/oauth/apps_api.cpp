// SPDX-License-Identifier: AGPL-3.0-or-later
#include "http/route.hpp"
#include "social/instance/settings.hpp"
#include "social/oauth/app.hpp"

namespace oauth {

namespace {

struct Application {
    AppId id;
    std::string name;
    std::optional<std::string> website;
    std::vector<std::string> scopes, redirect_uris;
    std::string redirect_uri, vapid_key;
};
DESCRIBE(Application, id, name, website, scopes, redirect_uris, redirect_uri, vapid_key)

struct CredentialApplication {
    base::json::Spread<Application> application;
    std::string client_id, client_secret;
    std::int64_t client_secret_expires_at = 0;
};
DESCRIBE(CredentialApplication, application, client_id, client_secret, client_secret_expires_at)

Application entity(db::Read& db, const App& app) {
    return {
        app.id,
        app.name,
        app.website,
        words_of(app.scopes),
        redirect_uris_of(app),
        app.redirect_uris,
        instance::vapid_public_key(db)
    };
}

struct Registration {
    std::string client_name;
    std::vector<std::string> redirect_uris;
    std::string scopes, website;
};
DESCRIBE(Registration, client_name, redirect_uris, scopes, website)

Registered create(db::Write& db, const Registration& form) {
    return register_app(db, {form.client_name, form.website, form.redirect_uris, form.scopes});
}

CredentialApplication show_new(db::Read& db, const Registered& made) {
    auto registered = app(db, made.id);
    return {{entity(db, registered)}, registered.client_id, made.client_secret, 0};
}

Application verify_credentials(db::Read& db, const http::TokenHolder& holder) {
    return entity(db, app(db, holder.app));
}

// clang-format off
constexpr http::Route table[] = {
    http::post<create, show_new>("/api/v1/apps").throttled(http::Throttle::app_registration).always_open(),
    http::get<verify_credentials>("/api/v1/apps/verify_credentials"),
};
// clang-format on

}  // namespace

std::span<const http::Route> app_routes() { return table; }

}  // namespace oauth
