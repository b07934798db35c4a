// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/sign_in/authenticator.hpp"

#include "base/crypto.hpp"

#include <openssl/hmac.h>
#include <qrencode.h>
#include <array>
#include <memory>
#include <stdexcept>

namespace base {

namespace {

constexpr std::size_t key_size = 20;

std::string hmac_sha1(std::string_view key, std::string_view message) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out;
    unsigned size = 0;
    if (!HMAC(
            EVP_sha1(),
            key.data(),
            static_cast<int>(key.size()),
            reinterpret_cast<const unsigned char*>(message.data()),
            message.size(),
            out.data(),
            &size
        ))
        throw std::runtime_error("HMAC-SHA-1 does not work");
    return {reinterpret_cast<char*>(out.data()), size};
}

std::string encoded(std::string_view text) {
    std::string out;
    constexpr std::string_view plain = "-._~";
    for (char c : text) {
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || plain.find(c) != plain.npos) out += c;
        else out += "%" + hex({&c, 1});
    }
    return out;
}

}  // namespace

std::string new_totp_key() { return random_bytes(key_size); }

std::string totp(std::string_view key, std::int64_t step, int digits) {
    std::string counter(8, '\0');
    for (int i = 7; i >= 0; --i, step >>= 8)
        counter[static_cast<std::size_t>(i)] = static_cast<char>(step & 0xFF);
    auto hash = hmac_sha1(key, counter);
    auto byte = [&](std::size_t at) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(hash[at]));
    };
    auto at = byte(hash.size() - 1) & 0xF;
    auto number = (byte(at) & 0x7F) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
    std::string out(static_cast<std::size_t>(digits), '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, number /= 10)
        *digit = static_cast<char>('0' + number % 10);
    return out;
}

std::optional<std::int64_t> step_of_totp(
    std::string_view key, std::string_view code, Time now, std::int64_t after
) {
    std::optional<std::int64_t> found;
    for (auto step = totp_step(now) - 1; step <= totp_step(now) + 1; ++step)
        if (same_secret(totp(key, step), code) && step > after && !found) found = step;
    return found;
}

std::string base32(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    std::string out;
    std::uint32_t bits = 0;
    int have = 0;
    for (char c : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(c);
        for (have += 8; have >= 5; have -= 5) out += letters[bits >> (have - 5) & 31];
    }
    if (have > 0) out += letters[bits << (5 - have) & 31];
    return out;
}

std::string totp_address(std::string_view issuer, std::string_view account, std::string_view key) {
    return "otpauth://totp/" + encoded(issuer) + ":" + encoded(account) + "?secret=" + base32(key) +
           "&issuer=" + encoded(issuer);
}

std::string qr_svg(std::string_view text) {
    constexpr int margin = 4;
    std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString8bit(std::string(text).c_str(), 0, QR_ECLEVEL_M), &QRcode_free
    );
    if (!code) throw std::runtime_error("this text is too long for a QR code");
    std::string path;
    for (int y = 0; y < code->width; ++y)
        for (int x = 0; x < code->width; ++x)
            if (code->data[y * code->width + x] & 1)
                path += "M" + std::to_string(x + margin) + " " + std::to_string(y + margin) + "h1v1h-1z";
    auto side = std::to_string(code->width + 2 * margin);
    return "<svg class=\"qr\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"QR code\" "
           "viewBox=\"0 0 " +
           side + " " + side + "\"><path fill=\"#fff\" d=\"M0 0h" + side + "v" + side +
           "H0z\"/><path fill=\"#000\" d=\"" + path + "\"/></svg>";
}

}  // namespace base
