// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/oauth/pages/challenge.hpp"

#include "base/crypto.hpp"
#include "base/signing.hpp"

#include <charconv>

namespace oauth {

namespace {

constexpr std::int64_t good_for_seconds = 600;
constexpr std::size_t chance_size = 16;

std::string host_of(std::string_view url) {
    auto host = url.substr(url.find("://") + 3);
    return std::string(host.substr(0, host.find(':')));
}

std::string bytes_of_challenge(const Visitor& who, std::string_view chance, base::Time at) {
    auto said = std::string(chance) + std::to_string(at.ms);
    return base::hmac_sha256(who.key, said) + said;
}

}  // namespace

std::string new_challenge(const Visitor& who, base::Time now) {
    return base::base64url(bytes_of_challenge(who, base::random_bytes(chance_size), now));
}

std::optional<Challenged> challenged(
    const base::Site& site, const Visitor& who, std::string_view challenge, base::Time now
) {
    constexpr std::size_t proof_size = 32, head = proof_size + chance_size;
    auto bytes = base::from_base64(challenge);
    if (!bytes || bytes->size() <= head || bytes->size() > head + 20) return std::nullopt;
    base::Time at;
    std::from_chars(bytes->data() + head, bytes->data() + bytes->size(), at.ms);
    auto asked = bytes_of_challenge(who, std::string_view(*bytes).substr(proof_size, chance_size), at);
    if (!base::same_secret(asked, *bytes) || at < now.plus_seconds(-good_for_seconds)) return std::nullopt;
    return Challenged{{*std::move(bytes), site.public_url, host_of(site.public_url)}, at};
}

void add_passkey_form(
    instance::View& view, const base::Site& site, const Visitor& who, base::Time now,
    const std::vector<accounts::Passkey>& known
) {
    std::string ids;
    for (const auto& one : known) ids += (ids.empty() ? "" : " ") + one.credential;
    view.add("PASSKEY")
        .set("HOST", host_of(site.public_url))
        .set("CHALLENGE", new_challenge(who, now))
        .set("IDS", ids);
}

std::optional<Shown> shown_passkey(db::Read& db, const Visitor& who, const PasskeyFields& form, bool person) {
    auto asked = challenged(db.site(), who, form.challenge, db.now());
    auto known = asked ? accounts::find_passkey(db, form.credential) : std::nullopt;
    if (!known) return std::nullopt;
    asked->question.person = person;
    auto shown = accounts::verify_passkey(*known, form.answer(), asked->question, asked->at);
    if (!shown) return std::nullopt;
    return Shown{*std::move(known), *shown, asked->at};
}

}  // namespace oauth
