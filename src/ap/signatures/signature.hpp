// SPDX-License-Identifier: AGPL-3.0-or-later
// Signatures of HTTP requests in both forms of the fediverse: draft-cavage-http-signatures-12 as it is practised,
// and RFC 9421 with Content-Digest (RFC 9530). Reading checks all that needs no key, so that a key is looked up
// only for a request that might be genuine. Whose key it is, and whether it may be used, is the caller's to decide.
#pragma once
#include "ap/signatures/key.hpp"
#include "base/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ap {

using Headers =
    std::vector<std::pair<std::string, std::string>>;  // names in any case, in order, maybe repeated

// A request that came in or is to go out. All of it is borrowed.
struct SignedRequest {
    std::string_view method;  // in capitals
    std::string_view target;  // path and query as they are sent
    std::string_view
        origin;  // of the server that is asked: https://host, with the port if it is not the usual one
    const Headers& headers;
    std::string_view body;
};

enum class Scheme { draft, rfc9421 };

// Who is said to have signed what.
struct Claim {
    Scheme scheme = Scheme::draft;
    std::string key_id;
    std::optional<KeyKind> kind;     // told by the algorithm; else any
    std::vector<std::string> texts;  // what was signed: one of these
    std::string signature;
};

struct SignatureRefusal {
    int status = 401;  // 400: not to be read at all
    std::string sentence;
};

// Claims, one of which has to hold; or none, and why.
struct SignatureReading {
    std::vector<Claim> claims;
    SignatureRefusal refusal;
};

// RFC 9421 when there is a Signature-Input, else the draft. Digests, covered parts and times have been checked
// when this gives claims.
SignatureReading read_signature(const SignedRequest&, base::Time now);
bool holds(const Claim&, const PublicKey&);

struct Signer {
    const PrivateKey& key;
    std::string_view key_id;
};

// What Accept-Signature asks for (RFC 9421, section 5).
struct SignatureRequest {
    std::string label;
    std::vector<std::string> covered;
    bool expires = false;
    std::optional<std::string> nonce, tag;
};
std::optional<SignatureRequest> read_accept_signature(std::string_view header
);  // the first that we can fulfil

// All headers to send: those of the request, Date, Digest or Content-Digest for a body, and the signature. Host is
// covered too, but left to the HTTP client to send, as the origin says it. A header that is to reach the peer
// unchanged, such as Collection-Synchronization, is covered when it is among those of the request.
Headers sign_draft(const SignedRequest&, const Signer&, base::Time now);
Headers sign_rfc9421(
    const SignedRequest&, const Signer&, base::Time now, const SignatureRequest* requested = nullptr
);

}  // namespace ap
