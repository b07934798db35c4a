// SPDX-License-Identifier: AGPL-3.0-or-later
// RSA keys that another program stored as numbers.
#include "ap/signatures/key.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>

namespace ap {

namespace {

constexpr std::size_t most_digits = 2500;  // of 8192 bits

struct Free {
    void operator()(BIGNUM* n) const { BN_clear_free(n); }
    void operator()(BN_CTX* c) const { BN_CTX_free(c); }
    void operator()(OSSL_PARAM_BLD* b) const { OSSL_PARAM_BLD_free(b); }
    void operator()(OSSL_PARAM* p) const { OSSL_PARAM_free(p); }
    void operator()(EVP_PKEY_CTX* c) const { EVP_PKEY_CTX_free(c); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;
using Number = Owned<BIGNUM>;

Number number(const std::string& digits) {
    if (digits.empty() || digits.size() > most_digits ||
        !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
        return nullptr;
    BIGNUM* made = nullptr;
    BN_dec2bn(&made, digits.c_str());
    return Number(made);
}

struct Named {
    const char* name;
    const BIGNUM* number;
};

std::shared_ptr<EVP_PKEY> made_of(const std::vector<Named>& numbers, int selection) {
    const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
    const Owned<EVP_PKEY_CTX> context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
    if (!builder || !context) return nullptr;
    for (const auto& [name, n] : numbers)
        if (!n || OSSL_PARAM_BLD_push_BN(builder.get(), name, n) != 1) return nullptr;
    const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder.get()));
    EVP_PKEY* key = nullptr;
    const bool made = parameters && EVP_PKEY_fromdata_init(context.get()) == 1 &&
                      EVP_PKEY_fromdata(context.get(), &key, selection, parameters.get()) == 1;
    ERR_clear_error();
    return made ? std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free) : nullptr;
}

// d mod (prime - 1)
Number exponent(const BIGNUM* d, const BIGNUM* prime, BN_CTX* context) {
    Number less(BN_dup(prime)), out(BN_new());
    if (!less || !out || BN_sub_word(less.get(), 1) != 1 || BN_is_zero(less.get()) ||
        BN_mod(out.get(), d, less.get(), context) != 1)
        return nullptr;
    return out;
}

}  // namespace

std::optional<PublicKey> PublicKey::from_numbers(const std::string& n, const std::string& e) {
    const auto modulus = number(n), exponent = number(e);
    if (!modulus || !exponent) return std::nullopt;
    auto key = made_of(
        {{OSSL_PKEY_PARAM_RSA_N, modulus.get()}, {OSSL_PKEY_PARAM_RSA_E, exponent.get()}}, EVP_PKEY_PUBLIC_KEY
    );
    return key ? from_evp(std::move(key)) : std::nullopt;
}

std::optional<PrivateKey> PrivateKey::from_numbers(const RsaNumbers& of) {
    const auto n = number(of.n), e = number(of.e), d = number(of.d), p = number(of.p), q = number(of.q);
    const Owned<BN_CTX> context(BN_CTX_new());
    if (!n || !e || !d || !p || !q || !context) return std::nullopt;
    const auto dp = exponent(d.get(), p.get(), context.get()), dq = exponent(d.get(), q.get(), context.get());
    const Number inverse(BN_mod_inverse(nullptr, q.get(), p.get(), context.get()));
    auto key = made_of(
        {{OSSL_PKEY_PARAM_RSA_N, n.get()},
         {OSSL_PKEY_PARAM_RSA_E, e.get()},
         {OSSL_PKEY_PARAM_RSA_D, d.get()},
         {OSSL_PKEY_PARAM_RSA_FACTOR1, p.get()},
         {OSSL_PKEY_PARAM_RSA_FACTOR2, q.get()},
         {OSSL_PKEY_PARAM_RSA_EXPONENT1, dp.get()},
         {OSSL_PKEY_PARAM_RSA_EXPONENT2, dq.get()},
         {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, inverse.get()}},
        EVP_PKEY_KEYPAIR
    );
    // As weak ones are refused, so are numbers that do not belong together.
    if (!key || !PublicKey::from_evp(key)) return std::nullopt;
    PrivateKey out(std::move(key));
    try {
        if (!out.public_key().verifies(out.sign("a message"), "a message")) return std::nullopt;
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
    return out;
}

}  // namespace ap
