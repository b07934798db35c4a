// SPDX-License-Identifier: AGPL-3.0-or-later
// HTTP signatures in both forms used in the fediverse: draft-cavage-http-signatures-12 as it is practised,
// and RFC 9421 with Content-Digest (RFC 9530). Reading checks everything that needs no key, so that a key is
// looked up only for a request that might be genuine. The caller decides whose key it is and whether it may
// be used.
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
    std::vector<std::pair<std::string, std::string>>;  // names in any case, in order, possibly repeated

// An incoming or outgoing request. Does not own its data.
struct SignedRequest {
    std::string_view method;  // upper case
    std::string_view target;  // path and query as sent
    std::string_view origin;  // of the receiving server: https://host, with the port if it is not the default
    const Headers& headers;
    std::string_view body;
};

enum class Scheme { draft, rfc9421 };

// A claimed signature, not verified yet.
struct Claim {
    Scheme scheme = Scheme::draft;
    std::string key_id;
    std::optional<KeyKind> kind;     // implied by the algorithm; else any
    std::vector<std::string> texts;  // the signed text is one of these
    std::string signature;
};

struct SignatureRefusal {
    int status = 401;  // 400: malformed
    std::string sentence;
};

// Claims, one of which must hold; or none, and the reason.
struct SignatureReading {
    std::vector<Claim> claims;
    SignatureRefusal refusal;
};

// RFC 9421 when there is a Signature-Input, else the draft. If this returns claims, digests, covered
// components and times have been checked.
SignatureReading read_signature(const SignedRequest&, base::Time now);
bool holds(const Claim&, const PublicKey&);

struct Signer {
    const PrivateKey& key;
    std::string_view key_id;
};

// The request in Accept-Signature (RFC 9421, section 5).
struct SignatureRequest {
    std::string label;
    std::vector<std::string> covered;
    bool expires = false;
    std::optional<std::string> nonce, tag;
};
std::optional<SignatureRequest> read_accept_signature(std::string_view header
);  // the first that we can fulfil

// All headers to send: those of the request, Date, Digest or Content-Digest for a body, and the signature.
// Host is covered too, but is sent by the HTTP client, from the origin. Headers that must reach the peer
// unchanged, such as Collection-Synchronization, are covered if they are in the request.
Headers sign_draft(const SignedRequest&, const Signer&, base::Time now);
Headers sign_rfc9421(
    const SignedRequest&, const Signer&, base::Time now, const SignatureRequest* requested = nullptr
);

}  // namespace ap
