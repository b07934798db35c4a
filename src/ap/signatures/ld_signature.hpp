// SPDX-License-Identifier: AGPL-3.0-or-later
// Linked-data signatures (RsaSignature2017), embedded in an activity so that servers which forward it cannot
// change it. A signature covers the activity's RDF and not its text, so of a verified document only
// compacted() may be processed.
#pragma once
#include "ap/signatures/key.hpp"
#include "base/time.hpp"

#include <boost/json/object.hpp>

namespace ap::ld {

// The id of the signing key, or empty when there is no signature of a known type. The caller must check that
// the key's owner is the actor of the activity.
std::optional<std::string> creator_of(const boost::json::object& document);

enum class Verdict {
    valid,
    not_signed,  // or with another type of signature
    expired,
    unreadable,  // not JSON-LD, a context that is not bundled, terms that must not be signed, too complex
    wrong,       // another document or key
};
Verdict verify(const boost::json::object& document, const PublicKey&, base::Time now);

// A copy of the document with a signature that is valid for two days. Throws std::runtime_error for a
// document that cannot be verified.
boost::json::object sign(
    const boost::json::object& document, std::string_view key_id, const PrivateKey&, base::Time now
);

struct Compacted {
    boost::json::object document;  // in our own terms, without its signature
    bool says_the_same = false;    // the original may be forwarded
};
std::optional<Compacted> compacted(const boost::json::object& document);  // empty when it is unreadable

}  // namespace ap::ld
