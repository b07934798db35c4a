// SPDX-License-Identifier: AGPL-3.0-or-later
#include "ap/signatures/key.hpp"

#include "base/signing.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ap {

namespace {

constexpr std::string_view alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
// The work grows with the square of the length; an RSA key of 8192 bits has 1,400 digits.
constexpr std::size_t most_digits = 2048;

std::optional<std::string> from_base58(std::string_view text) {
    const auto zeros = std::min(text.find_first_not_of('1'), text.size());
    std::string little;  // the number, lowest byte first
    for (char c : text.substr(zeros)) {
        const auto digit = alphabet.find(c);
        if (digit == alphabet.npos) return std::nullopt;
        auto carry = static_cast<std::uint32_t>(digit);
        for (char& byte : little) {
            carry += 58u * static_cast<unsigned char>(byte);
            byte = static_cast<char>(carry & 0xff);
            carry >>= 8;
        }
        if (carry) little += static_cast<char>(carry);
    }
    std::string out(zeros, '\0');
    out.append(little.rbegin(), little.rend());
    return out;
}

}  // namespace

std::string to_multibase(std::string_view bytes) {
    const auto zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
    std::string little;  // digits, lowest first
    for (char c : bytes.substr(zeros)) {
        std::uint32_t carry = static_cast<unsigned char>(c);
        for (char& digit : little) {
            carry += 256u * static_cast<unsigned char>(digit);
            digit = static_cast<char>(carry % 58);
            carry /= 58;
        }
        for (; carry; carry /= 58) little += static_cast<char>(carry % 58);
    }
    std::string out = "z" + std::string(zeros, '1');
    for (auto digit = little.rbegin(); digit != little.rend(); ++digit)
        out += alphabet[static_cast<unsigned char>(*digit)];
    return out;
}

std::optional<std::string> from_multibase(std::string_view text) {
    if (text.size() < 2 || text.size() > most_digits) return std::nullopt;
    const auto digits = text.substr(1);
    if (text[0] == 'z') return from_base58(digits);
    if (text[0] == 'u' && digits.find_first_of("+/=") == digits.npos) return base::from_base64(digits);
    return std::nullopt;
}

}  // namespace ap
