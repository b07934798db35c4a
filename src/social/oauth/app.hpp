// SPDX-License-Identifier: AGPL-3.0-or-later
// Apps: programs that ask for access in somebody's name. All have a secret, of which we keep the hash.
#pragma once
#include "db/session.hpp"
#include "http/message.hpp"
#include "http/scopes.hpp"

#include <string>
#include <vector>

namespace oauth {

using base::AppId;

constexpr std::string_view out_of_band = "urn:ietf:wg:oauth:2.0:oob";

struct App {
    AppId id;
    std::string name;
    std::optional<std::string> website;
    std::string redirect_uris;  // one a line
    std::string scopes;
    std::string client_id, secret_hash;
    base::Time created_at;
};
DESCRIBE(App, id, name, website, redirect_uris, scopes, client_id, secret_hash, created_at)

std::optional<App> find_app(db::Read&, std::string_view client_id);
App app(db::Read&, AppId);  // throws NotFound
bool is_secret_of(const App&, std::string_view given);
std::vector<std::string> redirect_uris_of(const App&);
bool redirects_to(const App&, std::string_view uri);  // the exact text

struct NewApp {
    std::string name, website;
    std::vector<std::string> redirect_uris;  // each may hold several, in lines
    std::string scopes;
};
struct Registered {
    AppId id;
    std::string client_secret;  // shown once
};
Registered register_app(db::Write&, const NewApp&);  // throws Invalid

// The app that stands behind tokens made at the command line, and the one behind web sessions.
AppId command_line_app(db::Write&);
AppId web_app(db::Write&);

// An absolute URI without a fragment and without a dangerous scheme.
bool may_redirect_to(std::string_view uri);
// What may stand behind the name of an app: an address of the web, as people write one.
bool is_website(std::string_view url);

// How an app proves who it is at the token endpoints, and how those say no (RFC 6749, 5.2).

// By HTTP Basic, else by the parameters. Nothing when there is no such app or the secret is wrong.
std::optional<App> authenticated_app(
    db::Read&, const http::Request&, std::string_view client_id, std::string_view client_secret
);

http::Response refusal(int status, std::string_view error, std::string_view description);
http::Response invalid_client();
// Nothing between us and the app may keep this answer.
http::Response secret_json(std::string body);

// Lists of scopes as people and apps write them; which covers which is http/scopes.hpp.

// Known words, once each, in the order given, with single spaces; `read` when there is none. Nothing when a word
// is unknown.
std::optional<std::string> normal_scopes(std::string_view text);
std::vector<std::string> words_of(std::string_view scopes);
// Literally: a granular scope of a parent that is there does not count (behaviours: 4.3).
bool includes(std::string_view scopes, std::string_view wanted);
// What the scope allows, as a consent page says it.
std::string meaning(std::string_view word);

}  // namespace oauth
