// SPDX-License-Identifier: AGPL-3.0-or-later
#include "social/push/encryption.hpp"

#include "base/crypto.hpp"
#include "base/json_read.hpp"
#include "base/signing.hpp"
#include "social/push/request.hpp"

#include <gmock/gmock.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

namespace {

std::string bytes(std::string_view base64) { return base::from_base64(base64).value(); }

base::P256 key(std::string_view lines) {
    return base::P256::from_pem(
               "-----BEGIN PRIVATE KEY-----\n" + std::string(lines) + "\n-----END PRIVATE KEY-----\n"
    )
        .value();
}

// RFC 8291, appendix A: the browser's key.
const base::P256& browser() {
    static const auto made =
        key("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgq1dXpw3UpT5VOmu/\n"
            "cf/v6ih07Aems3njxI+JWgLcM96hRANCAAQlcbK+zf3jYFUarx7Q9M02bBHOvlVf\n"
            "iby3sYalMzkXMWjs4uvgGFl70wR5uG48j47O1XfKWRh+kkaZDbaCAIsO");
    return made;
}
const std::string secret = bytes("BTBZMqHH6r4Tts7J_aSIgg");

std::string opened(std::string_view key, std::string_view nonce, std::string sealed) {
    auto u = [](std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); };
    std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
        EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free
    );
    auto tag = sealed.substr(sealed.size() - 16);
    sealed.resize(sealed.size() - 16);
    std::string out(sealed.size(), '\0');
    auto* to = reinterpret_cast<unsigned char*>(out.data());
    int size = 0, rest = 0;
    EVP_DecryptInit_ex2(context.get(), EVP_aes_128_gcm(), u(key), u(nonce), nullptr);
    EVP_DecryptUpdate(context.get(), to, &size, u(sealed), static_cast<int>(sealed.size()));
    EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, 16, tag.data());
    return EVP_DecryptFinal_ex(context.get(), to + size, &rest) == 1 ? out : "not authentic";
}

// Whether r and s sign the message with the key of this point.
bool is_signed(const std::string& point, const std::string& numbers, const std::string& message) {
    auto u = [](const std::string& s) { return reinterpret_cast<const unsigned char*>(s.data()); };
    auto integer = [&](const std::string& number) {  // in DER
        auto kept = number.substr(std::min(number.find_first_not_of('\0'), number.size() - 1));
        if (static_cast<unsigned char>(kept[0]) > 127) kept.insert(kept.begin(), '\0');
        return std::string("\2") + static_cast<char>(kept.size()) + kept;
    };
    auto both = integer(numbers.substr(0, 32)) + integer(numbers.substr(32));
    auto der = std::string("0") + static_cast<char>(both.size()) + both;
    // A SubjectPublicKeyInfo of the curve, up to the point.
    auto info = bytes("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA") + point;
    const auto* begin = u(info);
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        d2i_PUBKEY(nullptr, &begin, static_cast<long>(info.size())), EVP_PKEY_free
    );
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    return key && EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), u(der), der.size(), u(message), message.size()) == 1;
}

std::string zero(std::string text) { return text + '\0'; }

// What a browser does (RFC 8291, section 3.4), with its own key and from the body alone.
std::string read_aes128gcm(const base::P256& own, const std::string& body) {
    auto salt = body.substr(0, 16), sender = body.substr(21, 65);
    auto info = zero("WebPush: info") + own.point() + sender;
    auto agreed = base::hkdf_sha256(secret, own.shared_secret(sender).value(), info, 32);
    auto text = opened(
        base::hkdf_sha256(salt, agreed, zero("Content-Encoding: aes128gcm"), 16),
        base::hkdf_sha256(salt, agreed, zero("Content-Encoding: nonce"), 12),
        body.substr(86)
    );
    EXPECT_EQ(text.back(), '\2');
    text.pop_back();
    return text;
}

std::string read_aesgcm(
    const base::P256& own, const std::string& sender, const std::string& salt, const std::string& body
) {
    auto agreed =
        base::hkdf_sha256(secret, own.shared_secret(sender).value(), zero("Content-Encoding: auth"), 32);
    const std::string length("\0A", 2);
    auto context = zero("P-256") + length + own.point() + length + sender;
    auto text = opened(
        base::hkdf_sha256(salt, agreed, zero("Content-Encoding: aesgcm") + context, 16),
        base::hkdf_sha256(salt, agreed, zero("Content-Encoding: nonce") + context, 12),
        body
    );
    return text.substr(2);
}

TEST(PushEncryption, seals_the_record_of_rfc_8188) {
    auto sealed = push::sealed_record(
        bytes("yqdlZ-tYemfogSmv7Ws5PQ"), bytes("I1BsxtFttlv3u_Oo94xnmw"), "", "I am the walrus"
    );
    EXPECT_EQ(
        base::base64url(sealed), "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
    );
}

TEST(PushEncryption, makes_the_body_of_rfc_8291) {
    auto sender =
        key("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyfWPiYE+n46HLnH0\n"
            "KqZOF1fJJU3MYrct3AELtAQ+oRyhRANCAAT+M/SrDepxkU21WCP3O1SUj0EwbZIH\n"
            "Mtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP");
    EXPECT_EQ(
        base::base64url(push::aes128gcm_body(
            {browser().point(), secret},
            sender,
            bytes("DGv6ra1nlYgDCS1FRnbzlw"),
            "When I grow up, I want to be a watermelon"
        )),
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    );
}

TEST(PushEncryption, makes_the_body_of_the_draft_before_it) {
    auto sender =
        key("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnCScek+QpEjmOOlT\n"
            "+rQ38nZzvdPlqa00Zy0i6m2OJvahRANCAATaEQ22/OCRpvIOWeQhcbq0qrF1iddS\n"
            "LX1xFmFSxPOWOwmJA417CBHOGqsWGkNRvAapFwiegz6Q61rXVo/5roB1");
    push::Receiver to{
        bytes("BCEkBjzL8Z3C-oi2Q7oE5t2Np-p7osjGLg93qUP0wvqRT21EEWyf0cQDQcakQMqz4hQKYOQ3il2nNZct4HgAUQU"),
        bytes("R29vIGdvbyBnJyBqb29iIQ")
    };
    auto body = push::aesgcm_body(to, sender, bytes("lngarbyKfMoi9Z75xYXmkg"), "I am the walrus");
    EXPECT_EQ(base::base64url(body), "6nqAQUME8hNqw5J3kl8cpVVJylXKYqZOeseZG8UueKpA");
}

TEST(PushEncryption, refuses_a_receiver_without_a_point) {
    auto sender = base::P256::fresh();
    EXPECT_FALSE(sender.shared_secret(std::string(65, '\4')));
    EXPECT_FALSE(sender.shared_secret(""));
    EXPECT_THROW(push::aes128gcm_body({"x", secret}, sender, std::string(16, 's'), ""), std::runtime_error);
}

TEST(P256Keys, are_read_from_pem_and_nothing_else_is) {
    auto made = base::new_p256_key();
    EXPECT_EQ(base::P256::from_pem(made.private_pem)->point(), made.public_point);
    EXPECT_FALSE(base::P256::from_pem(""));
    EXPECT_FALSE(base::P256::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"));
}

TEST(P256Keys, agree_with_each_other) {
    auto one = base::P256::fresh(), other = base::P256::fresh();
    EXPECT_NE(one.point(), other.point());
    EXPECT_EQ(one.shared_secret(other.point()), other.shared_secret(one.point()));
    EXPECT_EQ(one.sign("x").size(), 64u);
}

// ---- requests ----

struct PushRequests : testing::Test {
    const std::string pem = base::new_p256_key().private_pem;
    push::VapidTokens vapid_tokens{{pem, "mailto:admin@example.org"}};
    base::Time now{1'800'000'000'000};

    static push::Message message(bool standard) {
        push::Message out;
        out.endpoint = "https://Push.example:444/send/1?x=2";
        out.standard = standard;
        out.receiver = {browser().point(), secret};
        out.payload = R"({"title":"Hello"})";
        out.unsubscribe_url = "https://us.example/off/1";
        return out;
    }
    static std::string header(const base::Fetch& request, std::string_view name) {
        for (const auto& h : request.headers)
            if (h.name == name) return h.value;
        return "absent";
    }
    static std::string after(const std::string& text, const std::string& start) {
        auto at = text.find(start);
        if (at == text.npos) return "absent";
        at += start.size();
        return text.substr(at, text.find_first_of(";,", at) - at);
    }
};

TEST_F(PushRequests, carry_a_message_that_the_browser_alone_can_read) {
    auto request = push::request(message(true), vapid_tokens.vapid_token("https://push.example:444", now));
    EXPECT_EQ(request.url, "https://Push.example:444/send/1?x=2");
    EXPECT_TRUE(request.post);
    EXPECT_FALSE(request.trusted || request.plain_http) << "the guard stays on";
    EXPECT_EQ(request.redirects, 0);
    EXPECT_EQ(header(request, "Content-Type"), "application/octet-stream");
    EXPECT_EQ(header(request, "Ttl"), "172800");
    EXPECT_EQ(header(request, "Urgency"), "normal");
    EXPECT_EQ(header(request, "Content-Encoding"), "aes128gcm");
    EXPECT_EQ(header(request, "Unsubscribe-URL"), "https://us.example/off/1");
    EXPECT_EQ(header(request, "Crypto-Key"), "absent");
    EXPECT_EQ(read_aes128gcm(browser(), request.body), R"({"title":"Hello"})");
}

TEST_F(PushRequests, have_the_older_form_for_older_clients) {
    auto request = push::request(message(false), vapid_tokens.vapid_token("https://push.example:444", now));
    EXPECT_EQ(header(request, "Content-Encoding"), "aesgcm");
    EXPECT_THAT(header(request, "Authorization"), testing::StartsWith("WebPush ey"));
    auto sender = bytes(after(header(request, "Crypto-Key"), "dh="));
    auto salt = bytes(after(header(request, "Encryption"), "salt="));
    EXPECT_EQ(read_aesgcm(browser(), sender, salt, request.body), R"({"title":"Hello"})");
    EXPECT_EQ(after(header(request, "Crypto-Key"), "p256ecdsa=").size(), 87u);
}

struct Claims {
    std::string aud, sub;
    std::int64_t exp = 0;
};
DESCRIBE(Claims, aud, sub, exp)

TEST_F(PushRequests, say_who_sends_and_prove_it) {
    auto request = push::request(message(true), vapid_tokens.vapid_token("https://push.example:444", now));
    auto said = header(request, "Authorization");
    auto token = after(said, "vapid t="), point = bytes(after(said, "k="));
    auto dot = token.find('.'), last = token.rfind('.');
    EXPECT_EQ(bytes(token.substr(0, dot)), R"({"typ":"JWT","alg":"ES256"})");
    auto claims = base::json::read<Claims>(bytes(token.substr(dot + 1, last - dot - 1)));
    EXPECT_EQ(claims.aud, "https://push.example:444");
    EXPECT_EQ(claims.sub, "mailto:admin@example.org");
    EXPECT_EQ(claims.exp, 1'800'086'400);
    EXPECT_TRUE(is_signed(point, bytes(token.substr(last + 1)), token.substr(0, last)));
}

TEST_F(PushRequests, sign_once_for_an_origin_and_half_a_day) {
    auto first = vapid_tokens.vapid_token("https://a.example", now).token;
    EXPECT_EQ(vapid_tokens.vapid_token("https://a.example", now.plus_seconds(43'000)).token, first);
    EXPECT_NE(vapid_tokens.vapid_token("https://a.example", now.plus_seconds(43'300)).token, first);
    EXPECT_NE(vapid_tokens.vapid_token("https://b.example", now).token, first);
}

TEST(PushOrigins, are_scheme_host_and_port) {
    EXPECT_EQ(push::origin_of("https://Push.Example/a/b"), "https://push.example");
    EXPECT_EQ(push::origin_of("HTTPS://push.example:444?x"), "https://push.example:444");
    EXPECT_EQ(push::origin_of("nonsense"), "");
}

}  // namespace
