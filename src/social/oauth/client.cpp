// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/app.hpp"

#include "base/json.hpp"
#include "http/body/urlencoded.hpp"

#include <algorithm>

namespace oauth {

namespace {

std::optional<std::string> from_base64(std::string_view text) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string out;
    unsigned bits = 0;
    int count = 0;
    for (char c : text) {
        auto value = alphabet.find(c);
        if (value == alphabet.npos) return std::nullopt;
        bits = (bits << 6 | static_cast<unsigned>(value)) & 0xFFFFFF;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += static_cast<char>(bits >> count & 0xFF);
    }
    return out;
}

struct Pair {
    std::string id, secret;
};

std::optional<Pair> basic(const http::Request& request) {
    auto header = request.header("Authorization");
    if (!header.starts_with("Basic ") && !header.starts_with("basic ")) return std::nullopt;
    auto text = from_base64(header.substr(6)).value_or("");
    auto colon = text.find(':');
    if (colon == text.npos) return Pair{};
    return Pair{http::percent_decoded(text.substr(0, colon)), http::percent_decoded(text.substr(colon + 1))};
}

struct Refusal {
    std::string_view error, error_description;
};
DESCRIBE(Refusal, error, error_description)

}  // namespace

std::optional<App> authenticated_app(
    db::Read& db, const http::Request& request, std::string_view client_id, std::string_view client_secret
) {
    auto given = basic(request).value_or(Pair{std::string(client_id), std::string(client_secret)});
    bool plain = std::ranges::all_of(given.id, [](char c) { return c > ' ' && c < 127; });
    if (given.id.empty() || !plain) return std::nullopt;
    auto app = find_app(db, given.id);
    if (!app || !is_secret_of(*app, given.secret)) return std::nullopt;
    return app;
}

http::Response secret_json(std::string body) {
    http::Response response;
    response.body = std::move(body);
    response.headers.emplace_back("Cache-Control", "no-store");
    response.headers.emplace_back("Pragma", "no-cache");
    return response;
}

http::Response refusal(int status, std::string_view error, std::string_view description) {
    auto response = secret_json(base::json::to_string(Refusal{error, description}));
    response.status = status;
    return response;
}

http::Response invalid_client() {
    constexpr const char* sentence =
        "Client authentication failed due to unknown client, no client authentication included, or "
        "unsupported "
        "authentication method.";
    auto response = refusal(401, "invalid_client", sentence);
    response.headers.emplace_back(
        "WWW-Authenticate",
        "Bearer realm=\"Doorkeeper\", error=\"invalid_client\", error_description=\"" +
            std::string(sentence) + "\""
    );
    return response;
}

}  // namespace oauth
