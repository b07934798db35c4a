// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/request.hpp"

#include "base/crypto.hpp"
#include "base/json.hpp"
#include "base/text/utf8.hpp"
#include "social/push/encryption.hpp"

#include <stdexcept>

namespace push {

namespace {

constexpr std::int64_t token_seconds = 86'400, kept_seconds = token_seconds / 2;
constexpr std::size_t most_origins = 1024;

struct Head {
    std::string typ = "JWT", alg = "ES256";
};
DESCRIBE(Head, typ, alg)
struct Claims {
    std::string aud;
    std::int64_t exp = 0;
    std::string sub;
};
DESCRIBE(Claims, aud, exp, sub)

base::P256 key_of(const Identity& identity) {
    auto key = base::P256::from_pem(identity.private_pem);
    if (!key) throw std::runtime_error("the key of Web Push cannot be read");
    return *std::move(key);
}

}  // namespace

VapidTokens::VapidTokens(const Identity& identity)
    : identity_(identity), key_(key_of(identity)), public_key_(base::base64url(key_.point())) {}

VapidTokens::VapidToken VapidTokens::vapid_token(const std::string& origin, base::Time now) {
    if (kept_.size() >= most_origins && !kept_.contains(origin)) kept_.clear();
    auto& kept = kept_[origin];
    if (kept.until <= now) {
        Claims claims{origin, now.plus_seconds(token_seconds).ms / 1000, identity_.contact};
        auto text = base::base64url(base::json::to_string(Head{})) + "." +
                    base::base64url(base::json::to_string(claims));
        kept = {text + "." + base::base64url(key_.sign(text)), now.plus_seconds(kept_seconds)};
    }
    return {kept.token, public_key_};
}

std::string origin_of(std::string_view url) {
    auto scheme = url.find("://");
    if (scheme == url.npos) return {};
    return base::text::ascii_lowered(url.substr(0, url.find_first_of("/?#", scheme + 3)));
}

base::Fetch request(const Message& message, const VapidTokens::VapidToken& vapid_token) {
    constexpr std::size_t salt_size = 16;
    auto sender = base::P256::fresh();
    auto salt = base::random_bytes(salt_size);
    base::Fetch out;
    out.url = message.endpoint;
    out.post = true;
    out.redirects = 0;
    out.most_bytes = 16 << 10;
    out.cut = true;
    out.seconds = 15;
    out.headers = {
        {"Content-Type", "application/octet-stream"},
        {"Ttl", std::to_string(longest_wait_seconds)},
        {"Urgency", "normal"},
        {"Unsubscribe-URL", message.unsubscribe_url},
    };
    auto say = [&](const char* name, std::string value) { out.headers.push_back({name, std::move(value)}); };
    if (message.standard) {
        out.body = aes128gcm_body(message.receiver, sender, salt, message.payload);
        say("Content-Encoding", "aes128gcm");
        say("Authorization", "vapid t=" + vapid_token.token + ",k=" + vapid_token.key);
    } else {
        out.body = aesgcm_body(message.receiver, sender, salt, message.payload);
        say("Content-Encoding", "aesgcm");
        say("Authorization", "WebPush " + vapid_token.token);
        say("Crypto-Key", "dh=" + base::base64url(sender.point()) + ";p256ecdsa=" + vapid_token.key);
        say("Encryption", "salt=" + base::base64url(salt));
    }
    return out;
}

}  // namespace push
