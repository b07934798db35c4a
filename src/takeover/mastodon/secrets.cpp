// SPDX-License-Identifier: AGPL-3.0-or-later
#include "takeover/mastodon/secrets.hpp"

#include "base/json_read.hpp"
#include "base/signing.hpp"

#include <libdeflate.h>
#include <openssl/evp.h>

namespace takeover::mastodon {

namespace {

constexpr std::size_t key_size = 32, nonce_size = 12, tag_size = 16;

std::string derived(const std::string& word, const std::string& salt, const EVP_MD* hash) {
    constexpr int rounds = 65'536;
    std::string key(key_size, '\0');
    if (PKCS5_PBKDF2_HMAC(
            word.data(),
            static_cast<int>(word.size()),
            reinterpret_cast<const unsigned char*>(salt.data()),
            static_cast<int>(salt.size()),
            rounds,
            hash,
            static_cast<int>(key.size()),
            reinterpret_cast<unsigned char*>(key.data())
        ) != 1)
        throw std::runtime_error("OpenSSL makes no key");
    return key;
}

struct Sealed {
    std::string text, nonce, tag;
    bool packed = false;
};

std::optional<Sealed> read(std::string_view stored) {
    try {
        const auto json = base::json::parse(stored);
        auto bytes = [](const boost::json::value& from) {
            return base::from_base64(std::string_view(from.as_string())).value_or("");
        };
        const auto& headers = json.at("h").as_object();
        Sealed out{bytes(json.at("p")), bytes(headers.at("iv")), bytes(headers.at("at")), false};
        if (const auto* packed = headers.if_contains("c"))
            out.packed = packed->is_bool() && packed->get_bool();
        if (out.nonce.size() != nonce_size || out.tag.size() != tag_size) return std::nullopt;
        return out;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<std::string> unsealed(const Sealed& sealed, const std::string& key) {
    const auto bytes = [](const std::string& of) {
        return reinterpret_cast<const unsigned char*>(of.data());
    };
    const std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context(
        EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free
    );
    std::string out(sealed.text.size(), '\0'), tag = sealed.tag;
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    int size = 0, rest = 0;
    const bool good =
        context &&
        EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes(key), bytes(sealed.nonce)) == 1 &&
        EVP_DecryptUpdate(
            context.get(), to, &size, bytes(sealed.text), static_cast<int>(sealed.text.size())
        ) == 1 &&
        EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag.size()), tag.data()) ==
            1 &&
        EVP_DecryptFinal_ex(context.get(), to + size, &rest) == 1;
    if (!good) return std::nullopt;
    return out;
}

std::optional<std::string> unpacked(const std::string& packed) {
    constexpr std::size_t largest = 65'536;  // a key has some thousand bytes
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> reader(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor
    );
    std::string out(largest, '\0');
    std::size_t size = 0;
    if (!reader || libdeflate_zlib_decompress(
                       reader.get(), packed.data(), packed.size(), out.data(), out.size(), &size
                   ) != LIBDEFLATE_SUCCESS)
        return std::nullopt;
    out.resize(size);
    return out;
}

}  // namespace

Secrets::Secrets(const Settings& settings) {
    const auto word = settings.find("ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY"),
               salt = settings.find("ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT");
    if (word == settings.end() || salt == settings.end()) return;
    for (const auto* hash : {EVP_sha256(), EVP_sha1()})
        keys_.push_back(derived(word->second, salt->second, hash));
}

std::optional<std::string> Secrets::open(std::string_view stored) const {
    if (!is_sealed(stored)) return std::string(stored);
    const auto sealed = read(stored);
    if (!sealed) return std::nullopt;
    for (const auto& key : keys_)
        if (auto text = unsealed(*sealed, key)) return sealed->packed ? unpacked(*text) : text;
    return std::nullopt;
}

}  // namespace takeover::mastodon
