// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/pleroma/reading.hpp"

#include "ap/signatures/key.hpp"
#include "base/text/percent.hpp"
#include "takeover/stored_keys.hpp"

#include <algorithm>

namespace takeover::pleroma {

namespace {

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

}  // namespace

void Config::load(db::Foreign& db) {
    if (db.columns_of("config").empty()) return;
    db.each<Setting>(
        "config",
        "ORDER BY id",
        {},
        [&](const Setting& s) {
            if (auto term = term_of(bytes_of_column(s.value)))
                all_.insert_or_assign(s.group + " " + s.key, *std::move(term));
        },
        [](auto&, auto&) {}
    );
}

const Term& Config::of(const char* group, const char* key) const {
    static const Term nothing;
    const auto found = all_.find(std::string(group) + " " + key);
    return found == all_.end() ? nothing : found->second;
}

std::string flake_of(std::string_view uuid) {
    unsigned __int128 value = 0;
    for (const char c : uuid)
        if (const auto digit = base::text::hex_digit(c); digit >= 0)
            value = value << 4 | static_cast<unsigned>(digit);
    const unsigned base = value >> 64 == 0 ? 10 : 62;
    std::string out;
    do {
        out += digits[static_cast<std::size_t>(value % base)];
        value /= base;
    } while (value != 0);
    return {out.rbegin(), out.rend()};
}

std::string uuid_of(std::string_view flake) {
    constexpr std::size_t longest_number = 20;
    const bool number = flake.size() <= longest_number && flake.find_first_not_of("0123456789") == flake.npos;
    const unsigned base = number ? 10 : 62;
    unsigned __int128 value = 0;
    if (flake.empty() || flake.size() > 22) return {};
    for (const char c : flake) {
        const auto digit = digits.find(c);
        if (digit >= base) return {};
        value = value * base + digit;
    }
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out;
    for (int bits = 124; bits >= 0; bits -= 4) {
        if (out.size() == 8 || out.size() == 13 || out.size() == 18 || out.size() == 23) out += '-';
        out += hex[static_cast<std::size_t>(value >> bits & 15)];
    }
    return out;
}

bool is_server_actor(std::string_view address) {
    return address.ends_with("/relay") || address.ends_with("/internal/fetch");
}

const char* const people_here = "(local AND ap_id NOT LIKE '%/relay' AND ap_id NOT LIKE '%/internal/fetch')";

Time dated(const MaybeText& published, Time inserted) {
    const auto said = published ? base::parse_time(*published) : std::nullopt;
    constexpr std::int64_t rounding = 1;
    return said && *said <= inserted.plus_seconds(rounding) ? *said : inserted;
}

std::string thread_of(const std::string& context, const std::string& address) {
    return context.empty() ? "of " + address : context;
}

Audience audience_of(
    const Reading& r, const std::vector<std::string>& to, const std::vector<std::string>& cc, bool direct,
    const std::string& followers
) {
    using statuses::Visibility;
    auto among = [](const std::vector<std::string>& list, auto is) { return std::ranges::any_of(list, is); };
    auto everybody = [](const std::string& who) {
        return who == "https://www.w3.org/ns/activitystreams#Public" || who == "as:Public" || who == "Public";
    };
    auto this_site = [&](const std::string& who) { return who == r.site.public_url + "/#Public"; };
    auto all_followers = [&](const std::string& who) {
        return who.ends_with("/followers") || (!followers.empty() && who == followers);
    };
    if (among(to, everybody)) return {Visibility::public_, false};
    if (among(cc, everybody)) return {Visibility::unlisted, false};
    if (among(to, this_site)) return {Visibility::public_, true};
    if (among(cc, this_site)) return {Visibility::unlisted, true};
    if (!direct && (among(to, all_followers) || among(cc, all_followers)))
        return {Visibility::private_, false};
    return {Visibility::direct, false};
}

std::optional<KeyRow> own_key(const User& u, const SigningKey* newer) {
    const auto pair = ap::PrivateKey::from_pem(newer ? newer->private_key : u.keys);
    if (!pair) return std::nullopt;
    const auto shown = pair->public_key();
    if (newer && !newer->public_key.empty()) {
        const auto said = ap::PublicKey::from_pem(newer->public_key);
        if (!said || !(*said == shown)) return std::nullopt;
    }
    return KeyRow{newer ? newer->key_id : u.ap_id + "#main-key", "rsa", shown.pem(), pair->pem()};
}

std::map<std::string, SigningKey> own_signing_keys(db::Foreign& db) {
    std::map<std::string, SigningKey> out;
    if (db.columns_of("signing_keys").empty()) return out;
    db.each<SigningKey>(
        "signing_keys",
        "WHERE private_key IS NOT NULL ORDER BY key_id",
        {},
        [&](SigningKey key) { out.emplace(key.user_id, std::move(key)); },
        [](auto&, auto&) {}
    );
    return out;
}

std::optional<std::string> upload_path(const Reading& r, std::string_view address) {
    return path_below(r.uploads, address);
}

}  // namespace takeover::pleroma
