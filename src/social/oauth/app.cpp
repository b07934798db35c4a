// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/app.hpp"

#include "base/crypto.hpp"
#include "base/text/blank.hpp"
#include "base/text/count.hpp"
#include "base/text/utf8.hpp"

#include <algorithm>

namespace oauth {

namespace {

constexpr std::size_t longest_name = 60, longest_uris = 2000, longest_website = 2000;

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        auto end = text.find_first_of(" \t\r\n");
        if (end != 0) lines.emplace_back(text.substr(0, end));
        if (end == text.npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string scheme_of(std::string_view uri) {
    return base::text::ascii_lowered(uri.substr(0, uri.find(':')));
}

bool is_web(std::string_view scheme) { return scheme == "https" || scheme == "http"; }

std::string_view authority_of(std::string_view uri) {
    auto rest = uri.substr(uri.find(':') + 1);
    if (!rest.starts_with("//")) return {};
    rest.remove_prefix(2);
    return rest.substr(0, rest.find_first_of("/?"));
}

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool well_formed_scheme(std::string_view scheme) {
    return !scheme.empty() && is_letter(scheme[0]) && std::ranges::all_of(scheme, [](char c) {
        return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
    });
}

// Names, addresses and a port: no user part.
bool well_formed_authority(std::string_view authority) {
    return !authority.empty() && std::ranges::all_of(authority, [](char c) {
        return is_letter(static_cast<char>(c | 0x20)) || is_digit(c) || c == '.' || c == '-' || c == '_' ||
               c == ':' || c == '[' || c == ']';
    });
}

}  // namespace

bool may_redirect_to(std::string_view uri) {
    if (uri.find(':') == uri.npos || uri.find('#') != uri.npos) return false;
    if (!std::ranges::all_of(uri, [](char c) {
            return c > ' ' && c < 127 && c != '"' && c != '<' && c != '>' && c != '\\';
        }))
        return false;
    auto scheme = scheme_of(uri);
    if (!well_formed_scheme(scheme) || uri.size() == scheme.size() + 1) return false;
    constexpr std::string_view dangerous[] = {"data", "vbscript", "javascript", "blob", "file", "about"};
    if (std::ranges::find(dangerous, scheme) != std::end(dangerous)) return false;
    return !is_web(scheme) || well_formed_authority(authority_of(uri));
}

bool is_website(std::string_view url) {
    if (!is_web(scheme_of(url)) || !base::text::valid_utf8(url)) return false;
    for (std::size_t at = 0; at < url.size();) {
        const auto next = base::text::decode(url, at);
        if (base::text::is_space(next.c) || base::text::is_control(next.c)) return false;
        if (next.c == '"' || next.c == '<' || next.c == '>') return false;
        at += next.size;
    }
    auto host = authority_of(url);
    host = host.substr(0, host.find_first_of("#:"));
    return !host.empty() && host.find_first_of("@\\") == host.npos;
}

#define APP_COLUMNS "id, name, website, redirect_uris, scopes, client_id, secret_hash, created_at"

const db::Query<App> app_by_client_id{
    "app_by_client_id", "SELECT " APP_COLUMNS " FROM apps WHERE client_id = $1"
};

std::optional<App> find_app(db::Read& db, std::string_view client_id) {
    return db.maybe(app_by_client_id, client_id);
}

const db::Query<App> app_by_id{"app_by_id", "SELECT " APP_COLUMNS " FROM apps WHERE id = $1"};

App app(db::Read& db, AppId id) { return db.one(app_by_id, id); }

bool is_secret_of(const App& app, std::string_view given) {
    return base::same_secret(app.secret_hash, base::sha256_hex(given));
}

std::vector<std::string> redirect_uris_of(const App& app) { return lines_of(app.redirect_uris); }

bool redirects_to(const App& app, std::string_view uri) {
    return std::ranges::any_of(redirect_uris_of(app), [&](const auto& registered) {
        return registered == uri;
    });
}

namespace {

struct Checked {
    std::string redirect_uris, scopes;
};

Checked checked(const NewApp& form) {
    Checked out;
    std::vector<base::FieldError> errors;
    auto refuse = [&](const char* field, const char* code, const char* text) {
        errors.push_back({field, code, text});
    };
    if (base::text::is_blank(form.name)) refuse("name", "ERR_BLANK", "can't be blank");
    if (base::text::code_points(form.name) > longest_name)
        refuse("name", "ERR_TOO_LONG", "is too long (maximum is 60 characters)");
    for (const auto& given : form.redirect_uris)
        for (const auto& uri : lines_of(given)) {
            if (!may_redirect_to(uri)) refuse("redirect_uri", "ERR_INVALID", "must be an absolute URI.");
            out.redirect_uris += (out.redirect_uris.empty() ? "" : "\n") + uri;
        }
    if (out.redirect_uris.empty()) refuse("redirect_uri", "ERR_BLANK", "can't be blank");
    if (out.redirect_uris.size() > longest_uris)
        refuse("redirect_uri", "ERR_TOO_LONG", "is too long (maximum is 2000 characters)");
    if (auto scopes = normal_scopes(form.scopes)) out.scopes = *scopes;
    else refuse("scopes", "ERR_INVALID", "doesn't match configured on the server.");
    if (form.website.size() > longest_website)
        refuse("website", "ERR_TOO_LONG", "is too long (maximum is 2000 characters)");
    else if (!form.website.empty() && !is_website(form.website))
        refuse("website", "ERR_INVALID", "is not a valid URL");
    if (!errors.empty()) throw base::Invalid(base::Invalid(std::move(errors)).what());
    return out;
}

}  // namespace

const db::Command insert_app{
    "insert_app",
    R"(INSERT INTO apps (id, name, website, redirect_uris, scopes, client_id, secret_hash, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"
};

Registered register_app(db::Write& db, const NewApp& form) {
    auto values = checked(form);
    Registered made{db.new_id<AppId>(), base::random_token()};
    std::optional<std::string> website;
    if (!form.website.empty()) website = form.website;
    db.run(
        insert_app,
        made.id,
        form.name,
        website,
        values.redirect_uris,
        values.scopes,
        base::random_token(),
        base::sha256_hex(made.client_secret),
        db.now()
    );
    return made;
}

namespace {

// No secret has an empty hash: nobody can be this app from outside.
AppId own_app(db::Write& db, std::string_view client_id, std::string_view name) {
    if (auto known = find_app(db, client_id)) return known->id;
    auto id = db.new_id<AppId>();
    db.run(insert_app, id, name, std::nullopt, out_of_band, "read", client_id, "", db.now());
    return id;
}

}  // namespace

AppId command_line_app(db::Write& db) { return own_app(db, "command-line", "Command line"); }
AppId web_app(db::Write& db) { return own_app(db, "web", "Web"); }

}  // namespace oauth
