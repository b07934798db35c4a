// SPDX-License-Identifier: AGPL-3.0-or-later
// Private keys of actors in the forms that other programs store them in. Nothing: it is none, or its parts do not belong together.
#pragma once
#include "ap/signatures/key.hpp"

namespace takeover {

// A JSON Web Key (RFC 7517, RFC 8037) of RSA or Ed25519; `shown` is its public half.
std::optional<ap::PrivateKey> key_of_jwk(std::string_view hidden, std::string_view shown);
// The 32 bytes that a key of Ed25519 is.
std::optional<ap::PrivateKey> key_of_seed(std::string_view bytes);
// PKCS#1 without its lines of text.
std::optional<ap::PrivateKey> key_of_pkcs1(std::string_view bytes);

// The bytes of a column, as PostgreSQL writes them: \x8364…
std::string bytes_of_column(std::string_view written);

// What it signs is found good with its public half.
bool fits_itself(const ap::PrivateKey&);

}  // namespace takeover
