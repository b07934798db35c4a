// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/encryption.hpp"

#include <stdexcept>

namespace push {

namespace {

constexpr std::size_t key_size = 16, nonce_size = 12, secret_size = 32;
constexpr std::uint32_t record_size = 4096;

// A literal with its terminating zero, which the standards include.
template <std::size_t N>
constexpr std::string_view with_zero(const char (&text)[N]) {
    return {text, N};
}

std::string agreed(const Receiver& to, const base::P256& sender) {
    auto secret = sender.shared_secret(to.point);
    if (!secret) throw std::runtime_error("a subscription has no key");
    return *std::move(secret);
}

}  // namespace

std::string sealed_record(
    std::string_view secret, std::string_view salt, std::string_view key_id, std::string_view text
) {
    auto key = base::hkdf_sha256(salt, secret, with_zero("Content-Encoding: aes128gcm"), key_size);
    auto nonce = base::hkdf_sha256(salt, secret, with_zero("Content-Encoding: nonce"), nonce_size);
    std::string out(salt);
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(record_size >> shift & 0xff);
    out += static_cast<char>(key_id.size());
    out += key_id;
    constexpr char last_record = 2;
    return out + base::aes128gcm(key, nonce, std::string(text) + last_record);
}

std::string aes128gcm_body(
    const Receiver& to, const base::P256& sender, std::string_view salt, std::string_view text
) {
    auto info = std::string(with_zero("WebPush: info")) + to.point + sender.point();
    auto secret = base::hkdf_sha256(to.secret, agreed(to, sender), info, secret_size);
    return sealed_record(secret, salt, sender.point(), text);
}

std::string aesgcm_body(
    const Receiver& to, const base::P256& sender, std::string_view salt, std::string_view text
) {
    auto secret =
        base::hkdf_sha256(to.secret, agreed(to, sender), with_zero("Content-Encoding: auth"), secret_size);
    // Both points, each after its length in two bytes.
    const std::string_view length("\0\x41", 2);
    auto context = std::string(with_zero("P-256")).append(length) + to.point;
    context.append(length) += sender.point();
    auto key = base::hkdf_sha256(
        salt, secret, std::string(with_zero("Content-Encoding: aesgcm")) + context, key_size
    );
    auto nonce = base::hkdf_sha256(
        salt, secret, std::string(with_zero("Content-Encoding: nonce")) + context, nonce_size
    );
    const std::string_view no_padding("\0\0", 2);
    return base::aes128gcm(key, nonce, std::string(no_padding).append(text));
}

}  // namespace push
