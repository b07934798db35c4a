// SPDX-License-Identifier: AGPL-3.0-or-later
// Object integrity proofs: FEP-8b32 with the cryptosuite eddsa-jcs-2022 of W3C Data Integrity. A valid proof
// authenticates the document wherever it came from. The caller must check that the controller of the
// verification method is the actor.
#pragma once
#include "ap/signatures/key.hpp"
#include "base/time.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace ap {

struct ProofClaim {
    std::string verification_method;  // the id of the key
    std::string signature;
    std::string signed_bytes;
};

// A claim, or why there is none.
struct ProofReading {
    std::optional<ProofClaim> claim;
    std::string refusal;
};

bool has_proof(const boost::json::object& document);
// The document as it was parsed by parse_exactly().
ProofReading read_proof(const boost::json::object& document, base::Time now);
bool holds(const ProofClaim&, const PublicKey&);

}  // namespace ap
