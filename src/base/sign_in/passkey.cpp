// SPDX-License-Identifier: AGPL-3.0-or-later
#include "base/sign_in/passkey.hpp"

#include "base/crypto.hpp"

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>
#include <boost/json.hpp>
#include <memory>
#include <stdexcept>

namespace base {

namespace {

constexpr std::size_t longest = 16'384, longest_id = 1023;
constexpr std::uint8_t present = 1, verified = 4;  // flags of authenticator data

const unsigned char* bytes_of(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }

std::string text(const boost::json::object& from, std::string_view name) {
    auto* found = from.if_contains(name);
    return found && found->is_string() ? std::string(std::string_view(found->get_string())) : std::string();
}

// Whether the client data says that this response is to our challenge, from a page on our origin.
bool answers(const PasskeyQuestion& asked, std::string_view client_data, std::string_view type) {
    if (client_data.size() > longest) return false;
    boost::system::error_code error;
    auto parsed = boost::json::parse({client_data.data(), client_data.size()}, error);
    if (error || !parsed.is_object()) return false;
    const auto& object = parsed.get_object();
    auto* crossed = object.if_contains("crossOrigin");
    return text(object, "type") == type &&
           same_secret(text(object, "challenge"), base64url(asked.challenge)) &&
           text(object, "origin") == asked.origin && !(crossed && crossed->is_bool() && crossed->get_bool());
}

using Credential = std::unique_ptr<fido_cred_t, void (*)(fido_cred_t*)>;
using Assertion = std::unique_ptr<fido_assert_t, void (*)(fido_assert_t*)>;

Credential new_credential() {
    return {fido_cred_new(), [](fido_cred_t* it) { fido_cred_free(&it); }};
}
Assertion new_assertion() {
    return {fido_assert_new(), [](fido_assert_t* it) { fido_assert_free(&it); }};
}

void check(bool done) {
    if (!done) throw std::runtime_error("libfido2 does not take a passkey");
}

// Whether the bytes are a key of this algorithm is known only after parsing them so.
std::optional<NewPasskey> read_as(int algorithm, std::string_view authenticator_data) {
    auto credential = new_credential();
    check(credential && fido_cred_set_type(credential.get(), algorithm) == FIDO_OK);
    bool read = fido_cred_set_authdata_raw(
                    credential.get(), bytes_of(authenticator_data), authenticator_data.size()
                ) == FIDO_OK;
    auto size = fido_cred_id_len(credential.get());
    if (!read || size == 0 || size > longest_id || fido_cred_pubkey_len(credential.get()) == 0)
        return std::nullopt;
    return NewPasskey{
        {reinterpret_cast<const char*>(fido_cred_id_ptr(credential.get())), size},
        {reinterpret_cast<const char*>(fido_cred_pubkey_ptr(credential.get())),
         fido_cred_pubkey_len(credential.get())},
        algorithm
    };
}

template <class Key, auto New, auto Free, auto From>
bool verifies(const fido_assert_t* assertion, const NewPasskey& known) {
    std::unique_ptr<Key, void (*)(Key*)> key(New(), [](Key* it) { Free(&it); });
    check(key != nullptr);
    return From(key.get(), known.key.data(), known.key.size()) == FIDO_OK &&
           fido_assert_verify(assertion, 0, known.algorithm, key.get()) == FIDO_OK;
}

bool verifies(const fido_assert_t* assertion, const NewPasskey& known) {
    switch (known.algorithm) {
        case COSE_ES256:
            return verifies<es256_pk_t, es256_pk_new, es256_pk_free, es256_pk_from_ptr>(assertion, known);
        case COSE_EDDSA:
            return verifies<eddsa_pk_t, eddsa_pk_new, eddsa_pk_free, eddsa_pk_from_ptr>(assertion, known);
        case COSE_RS256:
            return verifies<rs256_pk_t, rs256_pk_new, rs256_pk_free, rs256_pk_from_ptr>(assertion, known);
        default: return false;
    }
}

}  // namespace

std::optional<NewPasskey> made_passkey(
    const PasskeyQuestion& asked, std::string_view client_data, std::string_view authenticator_data
) {
    constexpr std::size_t flags = 32;
    if (!answers(asked, client_data, "webauthn.create")) return std::nullopt;
    if (authenticator_data.size() <= flags || authenticator_data.size() > longest) return std::nullopt;
    if (authenticator_data.substr(0, flags) != sha256(asked.host)) return std::nullopt;
    auto set = static_cast<std::uint8_t>(authenticator_data[flags]);
    if (!(set & present) || (asked.person && !(set & verified))) return std::nullopt;
    for (int algorithm : {COSE_ES256, COSE_EDDSA, COSE_RS256})
        if (auto read = read_as(algorithm, authenticator_data)) return read;
    return std::nullopt;
}

std::optional<ShownPasskey> shown_passkey(
    const PasskeyQuestion& asked, const NewPasskey& known, std::string_view client_data,
    std::string_view authenticator_data, std::string_view signature
) {
    if (!answers(asked, client_data, "webauthn.get")) return std::nullopt;
    if (authenticator_data.size() > longest || signature.size() > longest) return std::nullopt;
    auto assertion = new_assertion();
    auto* it = assertion.get();
    check(
        it && fido_assert_set_clientdata(it, bytes_of(client_data), client_data.size()) == FIDO_OK &&
        fido_assert_set_rp(it, asked.host.c_str()) == FIDO_OK &&
        fido_assert_set_up(it, FIDO_OPT_TRUE) == FIDO_OK &&
        fido_assert_set_uv(it, asked.person ? FIDO_OPT_TRUE : FIDO_OPT_OMIT) == FIDO_OK &&
        fido_assert_set_count(it, 1) == FIDO_OK
    );
    bool read =
        fido_assert_set_authdata_raw(it, 0, bytes_of(authenticator_data), authenticator_data.size()) ==
            FIDO_OK &&
        fido_assert_set_sig(it, 0, bytes_of(signature), signature.size()) == FIDO_OK;
    if (!read || !verifies(it, known)) return std::nullopt;
    return ShownPasskey{fido_assert_sigcount(it, 0)};
}

}  // namespace base
